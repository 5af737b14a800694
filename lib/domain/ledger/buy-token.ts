import type { Env } from "#lib/chains/network-data.ts";
import type { Rates, UsdPriceLookup } from "#lib/domain/rates/types.ts";
import { createUsdPriceLookup } from "#lib/domain/rates/usd-prices.ts";
import { getTokenSettings } from "#lib/domain/settings/read-settings.ts";
import { type Db, inTransaction, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { createBatcher } from "#lib/platform/db/in-batches.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type BuyRefusal, priceBuy } from "./buy-rules.ts";
import { type BuyOutcome, placeBuys } from "./place-buys.ts";
import { recordRefusedAttempt } from "./record-refusal.ts";
import { getBalance } from "./store.ts";
import type { PricedBuy } from "./types.ts";

export interface BuyDeps {
  /** The pool: buys outside a caller's transaction share theirs. */
  readonly db: Db;
  readonly rates: Rates;
  /** How much of each token the desk may owe, in whole USD. */
  readonly deskLimitUsd: number;
}

export interface BuyOrder {
  readonly env: Env;
  readonly merchantId: number;
  /** The merchant's, percent. */
  readonly feePercentage: string;
  readonly token: TokenCode;
  /** Ledger units, above zero. */
  readonly amount: bigint;
}

interface Queued {
  readonly buy: PricedBuy;
  readonly usdPriceOf: UsdPriceLookup;
  readonly now: Date;
}

/**
 * Buys a token with the merchant's USDT at the market's price (docs/decisions.md, Ledger): everything is posted, or
 * nothing. `db` is the pool, or the transaction it joins.
 */
export async function buyToken(
  db: Db | Tx,
  deps: BuyDeps,
  order: BuyOrder,
  now: Date,
): Promise<{ readonly ok: true } | ({ readonly ok: false } & BuyRefusal)> {
  const { env, token, amount, merchantId, feePercentage } = order;
  const { rates, deskLimitUsd } = deps;
  // By the caller's own connection: who waits for a second one may wait for ever.
  const settings = await getTokenSettings(db, env, token);
  const rate = rates.current(token, "usd", now);
  const priced = priceBuy(token, amount, { settings, feePercentage, price: rate?.price ?? null });
  if (!priced.ok) return priced;
  if (rate === null) return { ok: false, reason: "token_data_unavailable" };
  const { cost, fee } = priced;
  const buy = { env, merchantId, token, amount, cost, fee, rate, deskLimitUsd };
  const queued = { buy, usdPriceOf: createUsdPriceLookup(rates, now), now };
  const outcome = await (db === deps.db ? queueOf(db)(queued) : placeOne(db, queued));
  return outcome === "placed" ? { ok: true } : { ok: false, reason: outcome };
}

async function placeOne(db: Db | Tx, queued: Queued): Promise<BuyOutcome> {
  const [outcome] = await inTransaction(db, (tx) => place(tx, [queued]));
  if (outcome === undefined) throw new Error("a buy came to no outcome");
  return outcome;
}

/** Buys that share a transaction. One at a time: all of them want the same locks, and the others make up the next. */
const TOGETHER = { most: 100, abreast: 1 };
const queueOf = oncePerDatabase((db) =>
  createBatcher(TOGETHER, (queued: readonly Queued[]) => inTransaction(db, (tx) => place(tx, queued))),
);

async function place(tx: Tx, queued: readonly Queued[]): Promise<readonly BuyOutcome[]> {
  const newest = queued.at(-1);
  if (newest === undefined) return [];
  return placeBuys(
    tx,
    queued.map(({ buy }) => buy),
    newest.usdPriceOf,
    newest.now,
  );
}

/**
 * Keeps a refused buy in the merchant's history: as the credit of the token that did not come. After the buy's
 * transaction, which the refusal has rolled back.
 */
export async function recordRefusedBuy(db: Db, order: BuyOrder, reason: string, now: Date): Promise<void> {
  const { env, merchantId, token, amount } = order;
  const balance = await getBalance(db, { env, token, code: `merchant:${merchantId}` });
  await recordRefusedAttempt(
    db,
    { env, merchantId, token, direction: "credit", amount, balance, reason },
    now,
  );
}
