import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { ByteRates, NetworkFee } from "../network.ts";
import { parseFields } from "../parse-json.ts";
import type { UtxoData } from "./chains.ts";
import { type CoreNode, getResult } from "./core-client.ts";

/** Blocks within which a payment at each rate should be mined, slowest first. */
const TARGETS = { economy: 144, hour: 6, halfHour: 3, fastest: 2 } as const;

/** The fee of a payment at the node's fastest rate. */
export async function fetchUtxoNetworkFee(
  node: CoreNode,
  coin: TokenCode,
  { feeFloor, paymentBytes }: Pick<UtxoData, "feeFloor" | "paymentBytes">,
): Promise<NetworkFee> {
  const rates = await readRates(node, feeFloor);
  const fee = BigInt(rates.fastest * paymentBytes);
  return { kind: "per_byte", coin, fee, virtualBytes: paymentBytes, rates };
}

/** Whole satoshis, rounded up. A young chain has no estimates. Then each rate is the mempool's minimum. */
async function readRates(node: CoreNode, floor: number): Promise<ByteRates> {
  const targets = Object.values(TARGETS);
  const [mempool, ...estimates] = await node.batch([
    { method: "getmempoolinfo", params: [] },
    ...targets.map((target) => ({ method: "estimatesmartfee", params: [target] })),
  ]);
  const { mempoolminfee } = parseFields("its mempool's state", getResult(mempool, "getmempoolinfo"));
  const minimum = Math.max(floor, toSatPerByte(mempoolminfee));
  let rate = minimum;
  const [economy = rate, hour = rate, halfHour = rate, fastest = rate] = estimates.map((estimate) => {
    const { feerate } = parseFields("a fee estimate", getResult(estimate, "estimatesmartfee"));
    // A faster rate is never lower.
    rate = Math.max(rate, toSatPerByte(feerate));
    return rate;
  });
  return { fastest, halfHour, hour, economy, minimum };
}

/** From coins per 1,000 virtual bytes. 0 where the node has no number. */
function toSatPerByte(rate: unknown): number {
  return typeof rate === "number" ? Math.ceil(Math.round(rate * 1e8) / 1_000) : 0;
}
