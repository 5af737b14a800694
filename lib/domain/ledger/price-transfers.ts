import type { Rates } from "#lib/domain/rates/types.ts";
import { createUsdPriceLookup } from "#lib/domain/rates/usd-prices.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { usdValue } from "./value-rules.ts";
import { lockUnpricedTransfers, updateTransferValues } from "./value-store.ts";

const AT_ONCE = 500;

/**
 * Values the transfers that were posted while no price of their token was known, at today's, and counts them in the
 * statistics, once. Returns how many.
 */
export async function priceTransfers(db: Db, rates: Rates, now: Date): Promise<number> {
  const priceOf = createUsdPriceLookup(rates, now);
  const tokens = (Object.keys(TOKENS) as TokenCode[]).filter((token) => priceOf(token) !== null);
  if (tokens.length === 0) return 0;
  for (let priced = 0; ; ) {
    const part = await db.transaction(async (tx) => {
      const unpriced = await lockUnpricedTransfers(tx, tokens, AT_ONCE);
      const values = unpriced.flatMap(({ transferId, token, amount }) => {
        const price = priceOf(token);
        return price === null ? [] : [{ transferId, usd: usdValue(token, amount, price) }];
      });
      if (values.length > 0) await updateTransferValues(tx, values, now);
      return values.length;
    });
    priced += part;
    if (part < AT_ONCE) return priced;
  }
}
