import type { Db } from "#lib/platform/db/connection.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { upsertTokenPrices } from "./store.ts";
import type { Rates } from "./types.ts";

/** Stores the current USD price of every token that has one, so that the last known price survives a restart. */
export async function storePrices(db: Db, rates: Rates, now: Date): Promise<void> {
  // Always in the order of TOKENS: two processes that lock the rows in the same order cannot deadlock.
  const rows = (Object.keys(TOKENS) as TokenCode[]).flatMap((token) => {
    const rate = rates.current(token, "usd", now);
    return rate === null ? [] : [{ token, ...rate }];
  });
  await upsertTokenPrices(db, rows);
}
