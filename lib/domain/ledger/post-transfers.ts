import type { UsdPriceLookup } from "#lib/domain/rates/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { accountName, LedgerBatch, transferAccounts } from "./rules.ts";
import { insertJournalEntries, insertMissingAccounts, listPostedCauses, lockAccounts } from "./store.ts";
import type { LedgerAccountRef, NewLedgerTransfer, PlacedBuy, PostTransferResult } from "./types.ts";
import { transferVolume, usdValue } from "./value-rules.ts";
import { insertReversalValues } from "./value-store.ts";

/** Without prices, transfers of a merchant's account are valued later (price-transfers.ts). */
const NO_PRICES: UsdPriceLookup = () => null;

/**
 * Posts one transfer in the caller's transaction. A posted cause or an insufficient balance changes nothing. The
 * accounts stay locked until the transaction ends.
 */
export async function postTransfer(
  tx: Tx,
  transfer: NewLedgerTransfer,
  now: Date,
  findUsdPrice: UsdPriceLookup = NO_PRICES,
): Promise<PostTransferResult> {
  const batch = await openBatch(tx, transferAccounts(transfer), now);
  if ((await listPostedCauses(tx, [transfer.cause])).size > 0) return { posted: false, reason: "duplicate" };
  if (!batch.post(transfer)) return { posted: false, reason: "insufficient_balance" };
  const ids = await writeBatch(tx, batch, now, { findUsdPrice });
  return { posted: true, id: ids.get(transfer.cause) ?? 0 };
}

/**
 * Posts transfers in their order with a fixed number of statements. Skips causes that are posted already. Returns the
 * causes that it posted. Throws if a balance is insufficient: use postTransfer where that can happen.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly NewLedgerTransfer[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (transfers.length === 0) return new Set();
  const batch = await openBatch(tx, transfers.flatMap(transferAccounts), now);
  const postedBefore = await listPostedCauses(
    tx,
    transfers.map(({ cause }) => cause),
  );
  for (const transfer of transfers) {
    if (!postedBefore.has(transfer.cause) && !batch.post(transfer)) {
      throw new Error(
        `insufficient balance on ${transfer.from}: ${transfer.amount} needed for ${transfer.cause}`,
      );
    }
  }
  return new Set((await writeBatch(tx, batch, now)).keys());
}

/**
 * Creates the missing accounts, locks all of them and opens a batch. An account that is only read belongs to them too: another
 * transaction may create it while this one waits for a lock, and a lock shows no rows that are newer than its statement.
 */
export async function openBatch(
  tx: Tx,
  accounts: readonly LedgerAccountRef[],
  now: Date,
): Promise<LedgerBatch> {
  const needed = distinctAccounts(accounts);
  let locked = await lockAccounts(tx, needed);
  if (locked === null) {
    await insertMissingAccounts(tx, needed, now);
    locked = await lockAccounts(tx, needed);
  }
  if (locked === null) throw new Error("an account that was created does not exist");
  return new LedgerBatch(locked);
}

/**
 * Writes the entries of a batch, their values for the merchants' statistics and the buys that they are for. `reverses` maps a cause to the id
 * of the transfer that it reverses. Returns the ids of the transfers by their causes.
 */
export async function writeBatch(
  tx: Tx,
  batch: LedgerBatch,
  now: Date,
  options: {
    readonly reverses?: ReadonlyMap<string, number>;
    readonly findUsdPrice?: UsdPriceLookup;
    readonly buys?: readonly PlacedBuy[];
  } = {},
): Promise<ReadonlyMap<string, number>> {
  const { reverses = new Map<string, number>(), findUsdPrice = NO_PRICES, buys = [] } = options;
  const values = batch.entries.flatMap(({ transfer: { env, token, amount, cause, from, to } }) => {
    const volume = reverses.has(cause) ? null : transferVolume({ from, to });
    if (volume === null) return [];
    const found = findUsdPrice(token);
    const usd = found === null ? null : usdValue(token, amount, found.price);
    return [{ ...volume, cause, env, usd, priceSource: found?.source ?? null }];
  });
  const ids = await insertJournalEntries(tx, batch.entries, { values, reverses, buys, now });
  const reversals = [...reverses].flatMap(([cause, reversalOf]) => {
    const transferId = ids.get(cause);
    return transferId === undefined ? [] : [{ transferId, reversalOf }];
  });
  await insertReversalValues(tx, reversals, now);
  return ids;
}

function distinctAccounts(accounts: readonly LedgerAccountRef[]): LedgerAccountRef[] {
  return [...new Map(accounts.map((account) => [accountName(account), account])).values()];
}
