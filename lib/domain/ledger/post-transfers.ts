import type { UsdPriceOf } from "#lib/domain/rates/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { writeEntries } from "./entry-store.ts";
import { accountName, accountsOf, Book } from "./rules.ts";
import { createAccounts, lockAccounts, postedCauses } from "./store.ts";
import type { AccountKey, NewTransfer, Posted } from "./types.ts";
import { usdOf, volumeOf } from "./value-rules.ts";
import { takeBackValues } from "./value-store.ts";

/** Without prices, what touches a merchant's account is valued later (price-transfers.ts). */
const UNPRICED: UsdPriceOf = () => null;

/**
 * Posts one transfer in the caller's transaction. A cause that was posted before, or money that is not there,
 * changes nothing. The accounts stay locked until the transaction ends.
 */
export async function postTransfer(
  tx: Tx,
  transfer: NewTransfer,
  now: Date,
  usdPriceOf: UsdPriceOf = UNPRICED,
): Promise<Posted> {
  const book = await openBook(tx, accountsOf(transfer), now);
  if ((await postedCauses(tx, [transfer.cause])).size > 0) return { posted: false, reason: "duplicate" };
  if (!book.post(transfer)) return { posted: false, reason: "insufficient_balance" };
  const ids = await closeBook(tx, book, now, { usdPriceOf });
  return { posted: true, id: ids.get(transfer.cause) ?? 0 };
}

/**
 * Posts many, in their order, with a fixed number of statements. Skips causes posted before and returns those it
 * posted. Throws when money is not there: a caller that may meet this asks for one transfer at a time.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly NewTransfer[],
  now: Date,
  usdPriceOf: UsdPriceOf = UNPRICED,
): Promise<ReadonlySet<string>> {
  if (transfers.length === 0) return new Set();
  const book = await openBook(tx, transfers.flatMap(accountsOf), now);
  const known = await postedCauses(
    tx,
    transfers.map(({ cause }) => cause),
  );
  for (const transfer of transfers) {
    if (!known.has(transfer.cause) && !book.post(transfer)) {
      throw new Error(`${transfer.from} cannot pay ${transfer.amount} for ${transfer.cause}`);
    }
  }
  return new Set((await closeBook(tx, book, now, { usdPriceOf })).keys());
}

/** The accounts, made where missing, locked. `optional` ones are locked where they exist. */
export async function openBook(
  tx: Tx,
  keys: readonly AccountKey[],
  now: Date,
  optional: readonly AccountKey[] = [],
): Promise<Book> {
  const needed = distinct(keys);
  await createAccounts(tx, needed, now);
  return new Book(await lockAccounts(tx, distinct([...needed, ...optional])));
}

/**
 * Writes what was laid on the accounts, and what it is worth to the merchants' statistics. `reverses` maps a cause to
 * the transfer it takes back. Returns the ids of the transfers by their causes.
 */
export async function closeBook(
  tx: Tx,
  book: Book,
  now: Date,
  given: { readonly reverses?: ReadonlyMap<string, number>; readonly usdPriceOf?: UsdPriceOf } = {},
): Promise<ReadonlyMap<string, number>> {
  const { reverses = new Map<string, number>(), usdPriceOf = UNPRICED } = given;
  const values = book.entries.flatMap(({ transfer: { env, token, amount, cause, from, to } }) => {
    const volume = reverses.has(cause) ? null : volumeOf({ from, to });
    if (volume === null) return [];
    const price = usdPriceOf(token);
    return [{ ...volume, cause, env, usd: price === null ? null : usdOf(token, amount, price) }];
  });
  const ids = await writeEntries(tx, book.entries, values, reverses, now);
  const reversals = [...reverses].flatMap(([cause, reversalOf]) => {
    const transferId = ids.get(cause);
    return transferId === undefined ? [] : [{ transferId, reversalOf }];
  });
  await takeBackValues(tx, reversals, now);
  return ids;
}

function distinct(keys: readonly AccountKey[]): AccountKey[] {
  return [...new Map(keys.map((key) => [accountName(key), key])).values()];
}
