import type { NetworkAdapter } from "#lib/chains/network.ts";
import { listStoredPrices } from "#lib/domain/rates/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { divCeil } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";

const DAY_MS = 86_400_000;

/**
 * The worth of fees in a token, in its ledger units and rounded up, by stored prices of the last day. Fees are in the coin's smallest unit, of
 * which `coinDecimals` digits make a coin. Null if a price is missing. The coin itself needs none.
 */
export async function openFeeWorth(
  { db, adapter, now }: { readonly db: Db; readonly adapter: NetworkAdapter; readonly now: () => Date },
  token: TokenCode,
  coinDecimals: number,
): Promise<((fee: bigint) => bigint) | null> {
  const { coin } = adapter.data;
  const scale = 10n ** BigInt(TOKENS[token].ledgerDecimals);
  const whole = 10n ** BigInt(coinDecimals);
  if (token === coin) return (fee) => divCeil(fee * scale, whole);
  const prices = await listStoredPrices(db, new Date(now().getTime() - DAY_MS));
  const [coinPrice, tokenPrice] = [prices.get(coin), prices.get(token)];
  if (coinPrice === undefined || tokenPrice === undefined) return null;
  return (fee) =>
    divCeil(fee * scale * coinPrice.num * tokenPrice.den, whole * coinPrice.den * tokenPrice.num);
}
