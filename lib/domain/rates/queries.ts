import { gte } from "drizzle-orm";
import { coalescePerTurn } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { createUsdPriceLookup, describePrice, parsePrice } from "./rules.ts";
import { tokenPrices } from "./tables.ts";
import type { Rates, TokenPrice } from "./types.ts";

/** A stored price counts for so long where a price need not be exact. */
const RECENT_MS = 3_600_000;

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

/**
 * A lookup of USD prices of these tokens, as decimal text, for what needs no exact price: the current one, else the stored one of the last
 * hour. A process has no current prices until its sources have answered. Null: there is neither. One query at most.
 */
export async function openRecentPrices(
  db: Db | Tx,
  rates: Rates,
  tokens: readonly TokenCode[],
  now: Date,
): Promise<(token: TokenCode) => string | null> {
  const current = createUsdPriceLookup(rates, now);
  if (tokens.every((token) => current(token) !== null)) return (token) => current(token)?.price ?? null;
  const since = new Date(now.getTime() - RECENT_MS);
  const rows = await db.select().from(tokenPrices).where(gte(tokenPrices.at, since));
  const stored = new Map(
    rows.flatMap(({ token, price }) => (parsePrice(price) === null ? [] : [[token, price] as const])),
  );
  return (token) => current(token)?.price ?? stored.get(token) ?? null;
}
