import { coalescePerTurn } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { describePrice } from "./rules.ts";
import { tokenPrices } from "./tables.ts";
import type { Rates, TokenPrice } from "./types.ts";

/** Concurrent requests share a query. */
const storedPrices = oncePerDatabase((db) => {
  const select = db.select().from(tokenPrices).prepare("token_prices");
  return coalescePerTurn(() => select.execute());
});

/** A lookup of USD prices for display: a token's current price, else its last known one. One query. */
export async function openPriceLookup(
  db: Db,
  rates: Rates,
  now: Date,
): Promise<(token: TokenCode) => TokenPrice> {
  const stored = new Map((await storedPrices(db)("all")).map((row) => [row.token, row]));
  return (token) => describePrice(rates.current(token, "usd", now), stored.get(token) ?? null);
}
