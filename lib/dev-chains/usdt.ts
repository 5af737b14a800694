import { encodeFunctionData, type Hex, toHex } from "viem";
import { FIRST_BALANCE_GAS } from "#lib/chains/evm/sending.ts";
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
  const transaction = { from, to, data };
  const estimated = (await rpc(url, "eth_estimateGas", [transaction, "pending"])) as Hex;
  const gas = toHex(BigInt(estimated) + FIRST_BALANCE_GAS);
  return (await rpc(url, "eth_sendTransaction", [{ ...transaction, gas }])) as Hex;
}
