import type { UsdPriceLookup } from "#lib/domain/rates/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { accountName, LedgerBatch, transferAccounts } from "./rules.ts";
import {
  insertBuys,
  insertJournalEntries,
  insertMissingAccounts,
  listPostedCauses,
  lockAccounts,
  lockBuyAccounts,
} from "./store.ts";
import type {
  LedgerAccountRef,
  NewLedgerTransfer,
  NewTransferValue,
  PlacedBuy,
  PostTransferResult,
} from "./types.ts";
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
  return new LedgerBatch(await lockOrCreate(tx, needed, now, () => lockAccounts(tx, needed)));
}

/** The same for the accounts of `buys` buys, whose ids it reserves. */
export async function openBuyBatch(
  tx: Tx,
  accounts: readonly LedgerAccountRef[],
  { buys, now }: { readonly buys: number; readonly now: Date },
): Promise<{ readonly batch: LedgerBatch; readonly buyIds: readonly number[] }> {
  const needed = distinctAccounts(accounts);
  const locked = await lockOrCreate(tx, needed, now, () => lockBuyAccounts(tx, needed, buys));
  return { batch: new LedgerBatch(locked.accounts), buyIds: locked.buyIds };
}

async function lockOrCreate<Locked>(
  tx: Tx,
  accounts: readonly LedgerAccountRef[],
  now: Date,
  lock: () => Promise<Locked | null>,
): Promise<Locked> {
  const locked = await lock();
  if (locked !== null) return locked;
  await insertMissingAccounts(tx, accounts, now);
  const created = await lock();
  if (created === null) throw new Error("an account that was created does not exist");
  return created;
}

/**
 * Writes the entries of a batch and their values for the merchants' statistics. `reverses` maps a cause to the id of the transfer that it
 * reverses. Returns the ids of the transfers by their causes.
 */
export async function writeBatch(
  tx: Tx,
  batch: LedgerBatch,
  now: Date,
  options: {
    readonly reverses?: ReadonlyMap<string, number>;
    readonly findUsdPrice?: UsdPriceLookup;
  } = {},
): Promise<ReadonlyMap<string, number>> {
  const { reverses = new Map<string, number>(), findUsdPrice = NO_PRICES } = options;
  const posted = batch.entries.map(({ transfer }) => transfer).filter(({ cause }) => !reverses.has(cause));
  const values = valueTransfers(posted, findUsdPrice);
  const ids = await insertJournalEntries(tx, batch.entries, { values, reverses, now });
  const reversals = [...reverses].flatMap(([cause, reversalOf]) => {
    const transferId = ids.get(cause);
    return transferId === undefined ? [] : [{ transferId, reversalOf }];
  });
  await insertReversalValues(tx, reversals, now);
  return ids;
}

/** Writes the entries of a batch of buys, their values for the merchants' statistics, and the buys. */
export async function writeBuys(
  tx: Tx,
  batch: LedgerBatch,
  now: Date,
  { buys, findUsdPrice }: { readonly buys: readonly PlacedBuy[]; readonly findUsdPrice: UsdPriceLookup },
): Promise<void> {
  const posted = batch.entries.map(({ transfer }) => transfer);
  await insertBuys(tx, batch.entries, { values: valueTransfers(posted, findUsdPrice), buys, now });
}

function valueTransfers(
  transfers: readonly NewLedgerTransfer[],
  findUsdPrice: UsdPriceLookup,
): NewTransferValue[] {
  return transfers.flatMap(({ env, token, amount, cause, from, to }) => {
    const volume = transferVolume({ from, to });
    if (volume === null) return [];
    const found = findUsdPrice(token);
    const usd = found === null ? null : usdValue(token, amount, found.price);
    return [{ ...volume, cause, env, usd, priceSource: found?.source ?? null }];
  });
}

function distinctAccounts(accounts: readonly LedgerAccountRef[]): LedgerAccountRef[] {
  return [...new Map(accounts.map((account) => [accountName(account), account])).values()];
}
