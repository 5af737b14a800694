import { defineProgramVerb } from "#lib/domain/authority/define-verb.ts";
import type { ProgramAct } from "#lib/domain/authority/types.ts";
import { createUsdPriceLookup } from "#lib/domain/rates/rules.ts";
import type { Rates, UsdPriceLookup } from "#lib/domain/rates/types.ts";
import { getTradeSettings } from "#lib/domain/settings/queries.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import {
  type Db,
  isLockTimeout,
  joinTransaction,
  oncePerDatabase,
  type Tx,
} from "#lib/platform/db/connection.ts";
import type { Once } from "#lib/platform/db/once.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type BuyRefusal, DESK_PRICE_AGE_MS, deskRate, isWithinDeskLimit, priceBuy } from "./buy-rules.ts";
import { openBuyBatch, writeBuys } from "./post-transfers.ts";
import { recordRefusedAttempt } from "./record-refused-attempt.ts";
import { type LedgerBatch, postRepayment, receivableAccount } from "./rules.ts";
import { getBalance } from "./store.ts";
import type { AccountCode, LedgerAccountRef, NewLedgerTransfer, PlacedBuy, PricedBuy } from "./types.ts";

export interface BuyDeps {
  /** The pool. Buys outside a caller's transaction share a transaction of it. */
  readonly db: Db;
  readonly rates: Rates;
  /** How much of each token the trading desk may owe, in whole USD. */
  readonly deskLimitUsd: number;
  /** Basis points by which the trading desk sells above the market's price. */
  readonly deskSpreadBps: number;
}

export interface BuyOrder {
  /** The merchant's fee, in percent. */
  readonly feePercentage: string;
  readonly token: TokenCode;
  /** Ledger units, above zero. */
  readonly amount: bigint;
}

type BuyOutcome = "placed" | "usdt_balance_too_small" | "desk_limit_reached" | "idempotency_key_in_progress";

interface QueuedBuy {
  readonly buy: PricedBuy;
  readonly findUsdPrice: UsdPriceLookup;
  readonly now: Date;
  /** Null: it happens each time. */
  readonly once: Once | null;
}

interface BuyInput {
  readonly deps: BuyDeps;
  readonly order: BuyOrder;
  /** Only outside a caller's transaction. */
  readonly once?: Once | null;
}

/**
 * Buys a token with the merchant's USDT at the market price (docs/decisions.md, Ledger). Posts everything or nothing. The row of the buy and
 * its postings are its record: it leaves no audit entry. A buy that is not new (`once`) is refused.
 */
export const buyToken = defineProgramVerb("trade.buy", (act, input: BuyInput) => buy(act, input));

async function buy(
  { db, now, env, merchantId }: ProgramAct,
  { deps, order, once = null }: BuyInput,
): Promise<{ readonly ok: true } | ({ readonly ok: false } & BuyRefusal)> {
  const { rates, deskLimitUsd, deskSpreadBps } = deps;
  const { token, amount, feePercentage } = order;
  // On the caller's own connection. A caller that holds one connection and waits for a second can deadlock the pool.
  const settings = await getTradeSettings(db, env, token);
  const fresh = (one: TokenCode) => rates.current(one, "usd", now, DESK_PRICE_AGE_MS);
  const rate = deskRate(fresh(token), deskSpreadBps, now);
  const usdtPrice = deskRate(fresh("usdt"), 0, now)?.price ?? null;
  const priced = priceBuy(token, amount, { settings, feePercentage, price: rate?.price ?? null, usdtPrice });
  if (!priced.ok) return priced;
  if (rate === null) return { ok: false, reason: "token_data_unavailable" };
  const { cost, fee } = priced;
  const one = { env, merchantId, token, amount, cost, fee, rate, deskLimitUsd };
  if (once !== null && db !== deps.db)
    throw new Error("a buy in a transaction has the key of that transaction");
  const queued = { buy: one, findUsdPrice: createUsdPriceLookup(rates, now), now, once };
  const outcome = await (db === deps.db ? batcherOf(db)(queued) : placeOneBuy(db, queued));
  return outcome === "placed" ? { ok: true } : { ok: false, reason: outcome };
}

async function placeOneBuy(db: Db | Tx, queued: QueuedBuy): Promise<BuyOutcome> {
  const [outcome] = await joinTransaction(db, (tx) => placeBuys(tx, [queued]));
  if (outcome === undefined) throw new Error("a buy has no result");
  return outcome;
}

/** Buys that share a transaction. One batch at a time, because all batches lock the same accounts. */
const BATCHING = { maxSize: 100, concurrency: 1 };
const batcherOf = oncePerDatabase((db) =>
  createBatcher(BATCHING, (queued: readonly QueuedBuy[]) => placeTogether(db, queued)),
);

/** Where a key waits for another transaction, the buys without one do not: those with a key are left out. */
async function placeTogether(db: Db, queued: readonly QueuedBuy[]): Promise<readonly BuyOutcome[]> {
  try {
    return await db.transaction((tx) => placeNewBuys(tx, queued));
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    const plain = queued.filter(({ once }) => once === null);
    const placed = plain.length === 0 ? [] : await db.transaction((tx) => placeBuys(tx, plain));
    const outcomes = new Map(plain.map((one, i) => [one, placed[i]]));
    return queued.map((one) => outcomes.get(one) ?? "idempotency_key_in_progress");
  }
}

/** Places the buys that are new. Those that the ledger refuses stay new. */
async function placeNewBuys(tx: Tx, queued: readonly QueuedBuy[]): Promise<readonly BuyOutcome[]> {
  const onces = queued.flatMap(({ once }) => once ?? []);
  const claimed = await onces[0]?.claim(tx, onces);
  const ready = queued.filter(({ once }) => once === null || claimed?.has(once));
  const placed = await placeBuys(tx, ready);
  const outcomes = new Map(ready.map((one, i) => [one, placed[i]]));
  const refused = ready.flatMap((one) => (outcomes.get(one) === "placed" ? [] : (one.once ?? [])));
  await refused[0]?.release(tx, refused);
  return queued.map((one) => outcomes.get(one) ?? "idempotency_key_in_progress");
}

/**
 * Executes buys in their order within one transaction. USDT goes from the merchant to the trading desk (cost) and to
 * the fees. The token goes from the trading desk to the merchant, who first repays what it owes of the token. The trading
 * desk may owe tokens up to its limit. A buy that the balance or this limit does not allow is left out. Returns one outcome per buy. The number of statements
 * is fixed for any number of buys, because every buy locks the trading desk's and the fee accounts until the commit.
 */
async function placeBuys(tx: Tx, queued: readonly QueuedBuy[]): Promise<readonly BuyOutcome[]> {
  const newest = queued.at(-1);
  if (newest === undefined) return [];
  const { findUsdPrice, now } = newest;
  const buys = queued.map(({ buy }) => buy);
  const accounts = buys.flatMap(buyAccounts);
  const { batch, buyIds } = await openBuyBatch(tx, accounts, { buys: buys.length, now });
  const placed: PlacedBuy[] = [];
  const outcomes = buys.map((buy, i): BuyOutcome => {
    const refusal = checkFunds(batch, buy);
    if (refusal !== null) return refusal;
    const one = { ...buy, id: buyIds[i] ?? 0 };
    for (const transfer of buyTransfers(one)) batch.post(transfer);
    postRepayment(batch, one, `repayment:buy:${one.id}`);
    placed.push(one);
    return "placed";
  });
  await writeBuys(tx, batch, now, { findUsdPrice, buys: placed });
  return outcomes;
}

function checkFunds(batch: LedgerBatch, buy: PricedBuy): Exclude<BuyOutcome, "placed"> | null {
  const { env, token, merchantId, amount, cost, fee, rate, deskLimitUsd } = buy;
  const available = batch.balance({ env, token: "usdt", code: `merchant:${merchantId}` });
  if (available < cost + fee) return "usdt_balance_too_small";
  const debt = amount - batch.balance({ env, token, code: "desk" });
  return isWithinDeskLimit(token, debt, rate.price, deskLimitUsd) ? null : "desk_limit_reached";
}

function buyAccounts(buy: PricedBuy): readonly LedgerAccountRef[] {
  const { env, token, merchantId } = buy;
  const own: AccountCode = `merchant:${merchantId}`;
  return [
    { env, token: "usdt", code: own },
    { env, token, code: own },
    { env, token: "usdt", code: "desk" },
    { env, token, code: "desk" },
    { env, token: "usdt", code: "fees" },
    receivableAccount(buy),
  ];
}

function buyTransfers({
  id,
  env,
  token,
  merchantId,
  amount,
  cost,
  fee,
}: PlacedBuy): readonly NewLedgerTransfer[] {
  const own: AccountCode = `merchant:${merchantId}`;
  const paid = { env, token: "usdt", from: own } as const;
  return [
    { ...paid, to: "desk", amount: cost, cause: `buy:${id}:cost` },
    ...(fee > 0n ? [{ ...paid, to: "fees", amount: fee, cause: `buy:${id}:fee` } as const] : []),
    { env, token, from: "desk", to: own, amount, cause: `buy:${id}:token` },
  ];
}

/**
 * Records a refused buy in the merchant's history, as a refused credit of the token. Call it after the buy's
 * transaction, because the refusal rolls that transaction back.
 */
export async function recordRefusedBuy(
  { db, env, merchantId, now }: Pick<ProgramAct, "env" | "merchantId" | "now"> & { readonly db: Db },
  { token, amount }: BuyOrder,
  reason: string,
): Promise<void> {
  const balance = await getBalance(db, { env, token, code: `merchant:${merchantId}` });
  await recordRefusedAttempt(
    db,
    { env, merchantId, token, direction: "credit", amount, balance, reason },
    now,
  );
}
