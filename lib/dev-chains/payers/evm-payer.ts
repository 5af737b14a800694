import { encodeDeployData, encodeFunctionData, getAddress, getContractAddress, type Hex, toHex } from "viem";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { openNodeClient } from "#lib/chains/node-client.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openRpcClient, type RpcClient } from "#lib/chains/rpc-client.ts";
import { isOurs } from "./development-node.ts";
import { FAUCET, TEST_USDT_ABI, TEST_USDT_BYTECODE, transferData } from "./test-usdt.ts";
import type { Payer } from "./types.ts";

const TIMEOUT_MS = 10_000;
/** A node's estimate fails for a contract that the next block creates, and is too low for a receiver that is emptied before it. */
const TRANSFER_GAS = toHex(200_000);
const PLENTY = 10n ** 30n;
/** Another block may arrive in between and move the head. Then it tries once more. */
const ATTEMPTS = 5;

interface Sent {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly input: Hex;
  readonly nonce: Hex;
  readonly gas: Hex;
  readonly maxFeePerGas: Hex;
  readonly blockNumber: Hex | null;
}

/** anvil with any chain id: only anvil answers anvil_nodeInfo. Pays from its first development account. */
export function openEvmPayer(config: Pick<NetworkConfig, "network" | "rpcUrls">, contract: Hex): Payer {
  const nodes = config.rpcUrls.map((url) =>
    openRpcClient(openNodeClient(url, { timeoutMs: TIMEOUT_MS, perSecond: 0 })),
  );
  const node = nodes[0];
  if (node === undefined) throw new Error(`${config.network} has no node`);
  let last: Promise<unknown> = Promise.resolve();
  // One after another: the node may give the same nonce to two at the same time.
  const send = (transaction: Readonly<Record<string, unknown>>): Promise<Hex> => {
    const sent = last.then(() =>
      node.call("eth_sendTransaction", [{ from: FAUCET.address, ...transaction }]),
    ) as Promise<Hex>;
    last = sent.catch(() => {});
    return sent;
  };
  const pay = async (to: string, amount: bigint): Promise<Hex> => {
    await fund(node, contract, amount);
    return send({ to: contract, data: transferData(to, amount), gas: TRANSFER_GAS });
  };
  return {
    isDevelopmentChain: () => isOurs(nodes, (one) => one.call("anvil_nodeInfo")),
    mine: async (blocks) => {
      await node.call("anvil_mine", [toHex(blocks)]);
    },
    pay,
    async payOtherToken(to, amount) {
      const args = [18, PLENTY] as const;
      const deployed = await send({
        data: encodeDeployData({ abi: TEST_USDT_ABI, bytecode: TEST_USDT_BYTECODE, args }),
      });
      const { from, nonce } = await read(node, deployed);
      const other = getContractAddress({ from, nonce: BigInt(nonce) });
      const txHash = await send({ to: other, data: transferData(to, amount), gas: TRANSFER_GAS });
      return { txHash, contract: getAddress(other) };
    },
    async payTwice(to, amount, isSeen) {
      const automine = await node.call("anvil_getAutomine");
      await node.call("evm_setAutomine", [false]);
      try {
        const replaced = await pay(to, amount);
        if (!(await isSeen(replaced))) return null;
        const first = await read(node, replaced);
        const fee = toHex(BigInt(first.maxFeePerGas) * 2n);
        const { nonce, gas, input: data } = first;
        const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
        return { replaced, by: await send({ to: first.to, data, nonce, gas, ...fees }) };
      } finally {
        if (automine === true) await node.call("evm_setAutomine", [true]);
      }
    },
    async revert(txHash) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await read(node, txHash);
        if (found.blockNumber === null) return;
        await replaceBlocks(node, found, Number(found.blockNumber));
        if ((await node.call("eth_getTransactionReceipt", [txHash])) === null) {
          await node.call("anvil_mine", ["0x1"]);
          return;
        }
      }
      throw new NodeError("refused", `the blocks of ${txHash} could not be replaced`);
    },
  };
}

/** On a chain with its own token the account has no tokens yet. */
async function fund(node: RpcClient, contract: Hex, amount: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: TEST_USDT_ABI, functionName: "balanceOf", args: [FAUCET.address] });
  const balance = BigInt((await node.call("eth_call", [{ to: contract, data }, "pending"])) as Hex);
  if (balance < amount) await node.call("anvil_dealERC20", [FAUCET.address, contract, toHex(PLENTY)]);
}

async function read(node: RpcClient, hash: string): Promise<Sent> {
  const found = (await node.call("eth_getTransactionByHash", [hash])) as Sent | null;
  if (found === null) throw new NodeError("refused", `the node no longer knows ${hash}`);
  return found;
}

/**
 * Rebuilds the blocks from `height` on: a transaction without effect gets the nonce of the removed one, the
 * others stay.
 */
async function replaceBlocks(node: RpcClient, gone: Sent, height: number): Promise<void> {
  const head = Number(await node.call("eth_blockNumber"));
  const instead = { from: gone.from, to: gone.from, value: "0x0", nonce: gone.nonce };
  const transactions: (readonly [transaction: unknown, offset: number])[] = [];
  for (let at = height; at <= head; at++) {
    const block = (await node.call("eth_getBlockByNumber", [toHex(at), false])) as { transactions: Hex[] };
    for (const hash of block.transactions) {
      const again = hash === gone.hash ? instead : await node.call("eth_getRawTransactionByHash", [hash]);
      transactions.push([again, at - height]);
    }
  }
  await node.call("anvil_reorg", [head - height + 1, transactions]);
}
