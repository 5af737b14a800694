import { NETWORKS } from "#lib/chains/networks.ts";
import { startAnvil } from "../anvil.ts";
import { startGethFront } from "./front.ts";
import { startGethChain } from "./geth-chain.ts";

export type EvmNetwork = "bep20" | "erc20" | "base";

/** A node of an EVM network with the chain id of its test chain, mined by hand. */
export interface EvmNode {
  /** What the adapters ask. */
  readonly rpcUrl: string;
  /** The same node, with anvil's calls to mine, reorganize and send from a development account. */
  readonly url: string;
  readonly chainId: number;
  /** A transaction that a reorganization drops waits again. Otherwise it is forgotten. */
  readonly returnsDropped: boolean;
  kill(): Promise<void>;
}

export async function startAnvilNode(network: EvmNetwork): Promise<EvmNode> {
  const node = await startAnvil({ automine: false, chainId: NETWORKS[network].chainId.test });
  const { url, chainId, kill } = node;
  return { rpcUrl: url, url, chainId, returnsDropped: false, kill };
}

/** go-ethereum. `program` is its path. Its blocks are final as late as those of the network. */
export async function startGethNode(program: string, network: EvmNetwork): Promise<EvmNode> {
  const { chainId, finalBlocks } = NETWORKS[network];
  const chain = await startGethChain({ program, chainId: chainId.test, finalBlocks });
  const front = await startGethFront(chain, chainId.test);
  return {
    rpcUrl: chain.url,
    url: front.url,
    chainId: chainId.test,
    returnsDropped: true,
    async kill() {
      await front.close();
      await chain.kill();
    },
  };
}
