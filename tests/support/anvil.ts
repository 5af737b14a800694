import type { TestContext } from "node:test";
import { encodeDeployData, encodeFunctionData, type Hex } from "viem";
import type { EvmNetwork } from "#lib/chains/evm/family.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { AnvilNode } from "#lib/dev-chains/anvil.ts";
import { FAUCET, TEST_USDT_ABI, TEST_USDT_BYTECODE, transferData } from "#lib/dev-chains/payers/test-usdt.ts";
import { rpc } from "#lib/dev-chains/rpc.ts";
import { deployUsdt, USDT_ADDRESS } from "#lib/dev-chains/usdt.ts";
import { takeAnvil } from "./anvil-pool.ts";

export { type AnvilNode, startAnvil } from "#lib/dev-chains/anvil.ts";
export { FAUCET, transferData } from "#lib/dev-chains/payers/test-usdt.ts";
export { rpc } from "#lib/dev-chains/rpc.ts";
export { deployUsdt, payUsdt, sendEvmUsdt, USDT_ADDRESS } from "#lib/dev-chains/usdt.ts";

/**
 * A manually mined node with the chain id of a network's test chain, and a USDT with the decimals that it
 * has there. Tests share it: see takeAnvil.
 */
export function startTestChain(network: EvmNetwork = "bep20"): Promise<AnvilNode> {
  const { chainId, tokens } = NETWORKS[network];
  return takeAnvil({ automine: false, chainId: chainId.test }, ({ url }) =>
    deployUsdt(url, { decimals: tokens.usdt.decimals }),
  );
}

/** The same, until its test ends. */
export async function openTestChain(t: TestContext, network?: EvmNetwork): Promise<AnvilNode> {
  const node = await startTestChain(network);
  t.after(node.stop);
  return node;
}

/** Mines `blocks` blocks. The first holds what is waiting. */
export async function mine(url: string, blocks = 1): Promise<void> {
  await rpc(url, "anvil_mine", [blocks]);
}

export async function height(url: string): Promise<number> {
  return Number(await rpc(url, "eth_blockNumber"));
}

/**
 * Replaces the newest `depth` blocks by as many others. `transactions` go into the new branch, each into the
 * block at its offset (0 is the first replaced one). Raw ones are broadcast unchanged.
 */
export async function reorg(
  url: string,
  depth: number,
  transactions: readonly (readonly [transaction: Hex | Record<string, unknown>, offset: number])[] = [],
): Promise<void> {
  await rpc(url, "anvil_reorg", [depth, transactions]);
}

/** The signed bytes of a transaction that the node knows, which put it into another branch. */
export async function rawTransaction(url: string, hash: string): Promise<Hex> {
  return (await rpc(url, "eth_getRawTransactionByHash", [hash])) as Hex;
}

/** Deploys a second, unlisted token of the same kind, all of it `from`'s. Mines. Returns its address. */
export async function deployOtherToken(
  url: string,
  { from = FAUCET.address as string, decimals = 18 } = {},
): Promise<Hex> {
  const data = encodeDeployData({
    abi: TEST_USDT_ABI,
    bytecode: TEST_USDT_BYTECODE,
    args: [decimals, 10n ** BigInt(9 + decimals)],
  });
  const hash = await rpc(url, "eth_sendTransaction", [{ from, data }]);
  await rpc(url, "evm_mine");
  const receipt = (await rpc(url, "eth_getTransactionReceipt", [hash])) as { contractAddress: Hex };
  return receipt.contractAddress;
}

/** Broadcasts the faucet's transfer of any token. Resolves to the hash, mined or not. */
export async function sendEvmToken(url: string, token: string, to: string, amount: bigint): Promise<Hex> {
  const call = { from: FAUCET.address, to: token, data: transferData(to, amount) };
  return (await rpc(url, "eth_sendTransaction", [call])) as Hex;
}

/** Makes every later transfer of the test USDT lose this many basis points. */
export async function setTransferFee(url: string, bps: number): Promise<void> {
  const data = encodeFunctionData({
    abi: TEST_USDT_ABI,
    functionName: "setFee",
    args: [BigInt(bps), FAUCET.address],
  });
  await rpc(url, "eth_sendTransaction", [{ from: FAUCET.address, to: USDT_ADDRESS, data }]);
}
