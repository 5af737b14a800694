import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { UtxoData } from "../network-data.ts";
import type { ByteRates, NetworkFee } from "../network-fee.ts";
import { parseFields } from "../parse-json.ts";
import { type CoreNode, getResult } from "./core-client.ts";

/** Blocks within which a payment at each rate should be mined, slowest first: economy, hour, half hour, fastest. */
export const FEE_TARGETS = [144, 6, 3, 2] as const;

/** The fee of a payment at the node's fastest rate. */
export async function fetchUtxoNetworkFee(
  node: CoreNode,
  coin: TokenCode,
  data: Pick<UtxoData, "feeFloor" | "paymentBytes">,
): Promise<NetworkFee> {
  const [mempool, ...estimates] = await node.batch([
    { method: "getmempoolinfo", params: [] },
    ...FEE_TARGETS.map((target) => ({ method: "estimatesmartfee", params: [target] })),
  ]);
  const { mempoolminfee } = parseFields("its mempool's state", getResult(mempool, "getmempoolinfo"));
  const rates = estimates.map(
    (estimate) => parseFields("a fee estimate", getResult(estimate, "estimatesmartfee")).feerate,
  );
  return computeByteFee(coin, data, mempoolminfee, rates);
}

/**
 * Computes the fee from the mempool's minimum and the rates for FEE_TARGETS, in coins per 1,000 virtual bytes. In whole
 * satoshis, rounded up. A young chain has no estimates. Then each rate is the mempool's minimum.
 */
export function computeByteFee(
  coin: TokenCode,
  { feeFloor, paymentBytes }: Pick<UtxoData, "feeFloor" | "paymentBytes">,
  lowest: unknown,
  estimates: readonly unknown[],
): NetworkFee {
  const minimum = Math.max(feeFloor, toSatPerByte(lowest));
  let rate = minimum;
  const [economy = rate, hour = rate, halfHour = rate, fastest = rate] = estimates.map((estimate) => {
    // A faster rate is never lower.
    rate = Math.max(rate, toSatPerByte(estimate));
    return rate;
  });
  const rates: ByteRates = { fastest, halfHour, hour, economy, minimum };
  const fee = BigInt(fastest * paymentBytes);
  return { kind: "per_byte", coin, fee, virtualBytes: paymentBytes, rates };
}

/** From coins per 1,000 virtual bytes. 0 where the node has no number. */
function toSatPerByte(rate: unknown): number {
  return typeof rate === "number" ? Math.ceil(Math.round(rate * 1e8) / 1_000) : 0;
}
