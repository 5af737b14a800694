import type { Hex, LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { EvmNetwork } from "#lib/chains/evm/family.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { rpc } from "#lib/dev-chains/rpc.ts";
import { deployOtherToken, deployUsdt, FAUCET } from "#tests/support/anvil.ts";
import { takeAnvil } from "#tests/support/anvil-pool.ts";
import { until } from "#tests/support/until.ts";
import { developmentAccount } from "./development-accounts.ts";
import { startFront } from "./front.ts";
import { startGethChain } from "./geth-chain.ts";

/** A node of an EVM network with the chain id of its test chain, and a payer. */
export interface EvmNode {
  /** The requests of the adapters. */
  readonly rpcUrl: string;
  /** The same node, with anvil's calls to mine, reorganize and send from the payer. */
  readonly url: string;
  readonly chainId: number;
  /** Has coins. */
  readonly payer: LocalAccount;
  /** A transaction that a reorganization drops waits again. Otherwise it is forgotten. */
  readonly returnsDropped: boolean;
  /** Deploys a test USDT of which the payer has a billion. Resolves to its address. */
  deployUsdt(decimals: number): Promise<Hex>;
  kill(): Promise<void>;
}

const faucet = privateKeyToAccount(FAUCET.privateKey);

export async function startAnvilNode(network: EvmNetwork): Promise<EvmNode> {
  const node = await takeAnvil({ automine: false, chainId: NETWORKS[network].chainId.test });
  const { url, chainId, kill } = node;
  return {
    ...{ rpcUrl: url, url, chainId, payer: faucet, returnsDropped: false, kill },
    deployUsdt: (decimals) => deployUsdt(url, { decimals }),
  };
}

/** go-ethereum. `program` is its path. Its blocks are final as late as those of the network. */
export async function startGethNode(
  program: string,
  network: EvmNetwork,
  flags: readonly string[] = [],
): Promise<EvmNode> {
  const { finalBlocks } = NETWORKS[network];
  const chainId = NETWORKS[network].chainId.test;
  const chain = await startGethChain({ program, chainId, finalBlocks, flags });
  const front = await startFront({ ...chain, chainId, account: developmentAccount });
  return {
    ...{ rpcUrl: chain.url, url: front.url, chainId, payer: faucet, returnsDropped: true },
    deployUsdt: (decimals) => deployUsdt(front.url, { decimals }),
    async kill() {
      await front.close();
      await chain.kill();
    },
  };
}

/** Somebody's node of the network's test chain: it mines when it mines, and `key` has coins there. */
export async function openNamedNode(url: string, key: Hex, network: EvmNetwork): Promise<EvmNode> {
  const chainId = NETWORKS[network].chainId.test;
  const payer = privateKeyToAccount(key);
  const height = async () => Number(await rpc(url, "eth_blockNumber"));
  const front = await startFront({
    ...{ url, chainId, account: () => payer, reorg: null },
    async mine(blocks, sent) {
      const from = await height();
      for (const hash of sent) {
        await until(`${hash} to be in a block`, () => rpc(url, "eth_getTransactionReceipt", [hash]), SLOW);
      }
      await until(`${blocks} blocks`, async () => (await height()) >= from + blocks, SLOW);
    },
  });
  return {
    ...{ rpcUrl: url, url: front.url, chainId, payer, returnsDropped: true },
    deployUsdt: (decimals) => deployOtherToken(front.url, { from: payer.address, decimals }),
    kill: front.close,
  };
}

/** Twenty blocks of a chain with 12 seconds each, and more. */
const SLOW = { withinMs: 600_000, everyMs: 200 };
