import { encodeFunctionData, type Hex } from "viem";
import { USDT_ADDRESS } from "./payers/deploy-test-usdt.ts";
import { FAUCET, TEST_USDT_ABI, transferData } from "./payers/test-usdt.ts";
import { rpc } from "./rpc.ts";

export { deployUsdt, USDT_ADDRESS } from "./payers/deploy-test-usdt.ts";

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
