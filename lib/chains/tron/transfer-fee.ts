import { parseQuantity } from "../evm/codec.ts";
import type { RpcClient } from "../rpc-client.ts";

/** Energy of a transfer of USDT to an address that holds none, as new addresses do (tronscan.org, contract TR7NHq…). */
const ENERGY = 130_285;
/** A transfer of a token has about 345 bytes, and a byte costs 1,000 SUN of bandwidth (TRON's parameter getTransactionFee). */
const BANDWIDTH_SUN = 345_000;

/** Fetches the TRX that a payer without staked TRX burns for a transfer of USDT. java-tron's eth_gasPrice is the price of energy in SUN. */
export async function fetchTronTransferFee(client: RpcClient): Promise<{ coin: "trx"; fee: bigint }> {
  const price = parseQuantity("its price of energy", await client.call("eth_gasPrice"));
  return { coin: "trx", fee: BigInt(price * ENERGY + BANDWIDTH_SUN) };
}
