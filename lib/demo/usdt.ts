import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from "viem";
import { FAUCET, TEST_USDT_ABI, TEST_USDT_BYTECODE, transferData } from "#lib/domain/sandbox/test-usdt.ts";
import { rpc } from "./rpc.ts";

/** Only deploys the test token, so that the token has the same address on every development chain. */
const DEPLOYER = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";

/** The address of the token that deployUsdt deploys, canonical lower case. */
export const USDT_ADDRESS = getContractAddress({ from: DEPLOYER, nonce: 0n }).toLowerCase() as Hex;

/**
 * Deploys the test USDT unless the chain has it, and gives the faucet a billion of it. Mines the blocks that
 * this needs if the node does not mine by itself. Returns its address, the same everywhere.
 */
export async function deployUsdt(url: string, options: { decimals?: number } = {}): Promise<Hex> {
  if ((await rpc(url, "eth_getCode", [USDT_ADDRESS, "latest"])) !== "0x") return USDT_ADDRESS;
  const decimals = options.decimals ?? 18;
  const data = encodeDeployData({
    abi: TEST_USDT_ABI,
    bytecode: TEST_USDT_BYTECODE,
    args: [decimals, 0n],
  });
  await rpc(url, "eth_sendTransaction", [{ from: DEPLOYER, data }]);
  await rpc(url, "evm_mine");
  const mint = encodeFunctionData({
    abi: TEST_USDT_ABI,
    functionName: "mint",
    args: [FAUCET.address, 10n ** BigInt(9 + decimals)],
  });
  await rpc(url, "eth_sendTransaction", [{ from: FAUCET.address, to: USDT_ADDRESS, data: mint }]);
  await rpc(url, "evm_mine");
  if ((await rpc(url, "eth_getCode", [USDT_ADDRESS, "latest"])) === "0x") {
    throw new Error("the test USDT is not at its address: account 9 of this chain was used before");
  }
  return USDT_ADDRESS;
}

/** Broadcasts a transfer of test USDT, in units of its decimals. Resolves to the hash, mined or not. */
export function sendEvmUsdt(
  url: string,
  to: string,
  amount: bigint,
  from: string = FAUCET.address,
): Promise<Hex> {
  return call(url, from, USDT_ADDRESS, transferData(to, amount));
}

/** One transaction that pays several addresses. Resolves to the hash, mined or not. */
export function payUsdt(
  url: string,
  payments: readonly { readonly to: string; readonly amount: bigint }[],
  { from = FAUCET.address as string, token = USDT_ADDRESS as string } = {},
): Promise<Hex> {
  const data = encodeFunctionData({
    abi: TEST_USDT_ABI,
    functionName: "pay",
    args: [payments.map(({ to }) => to as Hex), payments.map(({ amount }) => amount)],
  });
  return call(url, from, token, data);
}

async function call(url: string, from: string, to: string, data: Hex): Promise<Hex> {
  return (await rpc(url, "eth_sendTransaction", [{ from, to, data }])) as Hex;
}
