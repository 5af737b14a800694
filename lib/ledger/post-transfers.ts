import type { Tx } from "#lib/db/connection.ts";
import { accountName, accountsOf, Book } from "./rules.ts";
import { createAccounts, lockAccounts, postedCauses, writeEntries } from "./store.ts";
import type { AccountKey, NewTransfer, Posted } from "./types.ts";

/**
 * Posts one transfer in the caller's transaction. A cause that was posted before, or money that is not there,
 * changes nothing. The accounts stay locked until the transaction ends.
 */
export async function postTransfer(tx: Tx, transfer: NewTransfer, now: Date): Promise<Posted> {
  const book = await openBook(tx, accountsOf(transfer), now);
  if ((await postedCauses(tx, [transfer.cause])).size > 0) return { posted: false, reason: "duplicate" };
  if (!book.post(transfer)) return { posted: false, reason: "insufficient_balance" };
  const ids = await writeEntries(tx, book.entries, new Map(), now);
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
  return new Set((await writeEntries(tx, book.entries, new Map(), now)).keys());
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

function distinct(keys: readonly AccountKey[]): AccountKey[] {
  return [...new Map(keys.map((key) => [accountName(key), key])).values()];
}
