import { gte } from "drizzle-orm";
import { coalescePerTurn } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase } from "#lib/platform/db/connection.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { describePrice, parsePrice } from "./rules.ts";
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

/** The stored USD prices of a whole token that are not older than `since`. Others wrote them: a hint for who trusts the database less. */
export async function listStoredPrices(db: Db, since: Date): Promise<ReadonlyMap<TokenCode, Fraction>> {
  const rows = await db.select().from(tokenPrices).where(gte(tokenPrices.at, since));
  return new Map(
    rows.flatMap(({ token, price }) => {
      const parsed = parsePrice(price);
      return parsed === null ? [] : [[token, parsed] as const];
    }),
  );
}
