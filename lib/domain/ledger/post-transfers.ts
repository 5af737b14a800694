import type { UsdPriceLookup } from "#lib/domain/rates/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { insertJournalEntries } from "./entry-store.ts";
import { accountName, LedgerBatch, transferAccounts } from "./rules.ts";
import { insertMissingAccounts, listPostedCauses, lockAccounts } from "./store.ts";
import type { LedgerAccountRef, NewLedgerTransfer, PostTransferResult } from "./types.ts";
import { transferVolume, usdValue } from "./value-rules.ts";
import { insertReversalValues } from "./value-store.ts";

/** Without prices, what touches a merchant's account is valued later (price-transfers.ts). */
const UNPRICED: UsdPriceLookup = () => null;

/**
 * Posts one transfer in the caller's transaction. A cause that was posted before, or money that is not there,
 * changes nothing. The accounts stay locked until the transaction ends.
 */
export async function postTransfer(
  tx: Tx,
  transfer: NewLedgerTransfer,
  now: Date,
  usdPriceOf: UsdPriceLookup = UNPRICED,
): Promise<PostTransferResult> {
  const book = await openBatch(tx, transferAccounts(transfer), now);
  if ((await listPostedCauses(tx, [transfer.cause])).size > 0) return { posted: false, reason: "duplicate" };
  if (!book.post(transfer)) return { posted: false, reason: "insufficient_balance" };
  const ids = await writeBatch(tx, book, now, { usdPriceOf });
  return { posted: true, id: ids.get(transfer.cause) ?? 0 };
}

/**
 * Posts many, in their order, with a fixed number of statements. Skips causes posted before and returns those it
 * posted. Throws when money is not there: a caller that may meet this asks for one transfer at a time.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly NewLedgerTransfer[],
  now: Date,
  usdPriceOf: UsdPriceLookup = UNPRICED,
): Promise<ReadonlySet<string>> {
  if (transfers.length === 0) return new Set();
  const book = await openBatch(tx, transfers.flatMap(transferAccounts), now);
  const known = await listPostedCauses(
    tx,
    transfers.map(({ cause }) => cause),
  );
  for (const transfer of transfers) {
    if (!known.has(transfer.cause) && !book.post(transfer)) {
      throw new Error(`${transfer.from} cannot pay ${transfer.amount} for ${transfer.cause}`);
    }
  }
  return new Set((await writeBatch(tx, book, now, { usdPriceOf })).keys());
}

/** The accounts, made where missing, locked. `optional` ones are locked where they exist. */
export async function openBatch(
  tx: Tx,
  keys: readonly LedgerAccountRef[],
  now: Date,
  optional: readonly LedgerAccountRef[] = [],
): Promise<LedgerBatch> {
  const needed = distinct(keys);
  await insertMissingAccounts(tx, needed, now);
  return new LedgerBatch(await lockAccounts(tx, distinct([...needed, ...optional])));
}

/**
 * Writes what was laid on the accounts, and what it is worth to the merchants' statistics. `reverses` maps a cause to
 * the transfer it takes back. Returns the ids of the transfers by their causes.
 */
export async function writeBatch(
  tx: Tx,
  book: LedgerBatch,
  now: Date,
  given: { readonly reverses?: ReadonlyMap<string, number>; readonly usdPriceOf?: UsdPriceLookup } = {},
): Promise<ReadonlyMap<string, number>> {
  const { reverses = new Map<string, number>(), usdPriceOf = UNPRICED } = given;
  const values = book.entries.flatMap(({ transfer: { env, token, amount, cause, from, to } }) => {
    const volume = reverses.has(cause) ? null : transferVolume({ from, to });
    if (volume === null) return [];
    const price = usdPriceOf(token);
    return [{ ...volume, cause, env, usd: price === null ? null : usdValue(token, amount, price) }];
  });
  const ids = await insertJournalEntries(tx, book.entries, values, reverses, now);
  const reversals = [...reverses].flatMap(([cause, reversalOf]) => {
    const transferId = ids.get(cause);
    return transferId === undefined ? [] : [{ transferId, reversalOf }];
  });
  await insertReversalValues(tx, reversals, now);
  return ids;
}

function distinct(keys: readonly LedgerAccountRef[]): LedgerAccountRef[] {
  return [...new Map(keys.map((key) => [accountName(key), key])).values()];
}
