import { createUsdPriceLookup } from "#lib/domain/rates/rules.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { usdValue } from "./value-rules.ts";
import { lockUnpricedTransfers, updateTransferValues } from "./value-store.ts";

const BATCH_SIZE = 500;

/**
 * Values the transfers that were posted without a price, at today's price, and adds them to the statistics once.
 * Returns how many it valued.
 */
export async function priceTransfers(db: Db, rates: Rates, now: Date): Promise<number> {
  const findPrice = createUsdPriceLookup(rates, now);
  const tokens = (Object.keys(TOKENS) as TokenCode[]).filter((token) => findPrice(token) !== null);
  if (tokens.length === 0) return 0;
  for (let priced = 0; ; ) {
    const count = await db.transaction(async (tx) => {
      const unpriced = await lockUnpricedTransfers(tx, tokens, BATCH_SIZE);
      const values = unpriced.flatMap(({ transferId, token, amount }) => {
        const found = findPrice(token);
        if (found === null) return [];
        return [{ transferId, usd: usdValue(token, amount, found.price), priceSource: found.source }];
      });
      if (values.length > 0) await updateTransferValues(tx, values, now);
      return values.length;
    });
    priced += count;
    if (count < BATCH_SIZE) return priced;
  }
}
