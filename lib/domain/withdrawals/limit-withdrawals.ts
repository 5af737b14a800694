import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { findBookEntry, findLimits } from "./limit-queries.ts";
import { loosensLimits } from "./limit-rules.ts";
import {
  countBook,
  insertBookEntry,
  lockLimits,
  removeBookEntry,
  upsertBookSwitch,
  upsertLimits,
} from "./limit-store.ts";
import type { WithdrawalLimits } from "./types.ts";

/** Entries of an address book in one environment. */
const MOST_ENTRIES = 200;

/** Who changes a merchant's rules for withdrawals, for the audit log. Only the operator makes them looser. */
interface Change {
  readonly actor: string;
  readonly merchantId: number;
  readonly env: Env;
  readonly isOperator: boolean;
}

/** Sets what a merchant may withdraw of a token at once and within 24 hours, in ledger units. null: no limit. */
export async function setWithdrawalLimits(
  tx: Tx,
  { actor, merchantId, env, isOperator }: Change,
  { token, ...limits }: WithdrawalLimits & { readonly token: TokenCode },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: "limit_raised" }> {
  const key = { merchantId, env, token };
  await lockLimits(tx, key, now);
  const before = await findLimits(tx, key);
  if (!isOperator && loosensLimits(before, limits)) return { ok: false, reason: "limit_raised" };
  await upsertLimits(tx, { ...key, ...limits }, now);
  const text = (units: bigint | null) =>
    units === null ? null : formatAmount(units, TOKENS[token].ledgerDecimals);
  const details = {
    env,
    token,
    per_transfer: text(limits.perTransfer),
    per_day: text(limits.perDay),
    per_transfer_before: text(before.perTransfer),
    per_day_before: text(before.perDay),
  };
  await record(tx, { actor, merchantId }, { action: "withdrawal.limit", details }, now);
  return { ok: true };
}

/** Whether a merchant withdraws only to its address book, in both environments. */
export async function setAddressBook(
  tx: Tx,
  { actor, merchantId, isOperator }: Omit<Change, "env">,
  on: boolean,
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: "book_switched_off" }> {
  if (!on && !isOperator) return { ok: false, reason: "book_switched_off" };
  await upsertBookSwitch(tx, { merchantId, addressBook: on }, now);
  await record(tx, { actor, merchantId }, { action: "withdrawal.book", details: { address_book: on } }, now);
  return { ok: true };
}

export type BookEntryRefusal =
  | "destination_malformed"
  | "book_name_malformed"
  | "book_full"
  | "book_has_address";

/** Adds an address. It can be used after BOOK_WAIT_MS. */
export async function addBookAddress(
  tx: Tx,
  { actor, merchantId, env }: Change,
  {
    adapter,
    name,
    address: text,
  }: { readonly adapter: NetworkAdapter; readonly name: string; readonly address: string },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: BookEntryRefusal }> {
  const { network } = adapter;
  const address = adapter.canonicalizeAddress(text);
  if (address === null) return { ok: false, reason: "destination_malformed" };
  if (!/^[^\p{Cc}]{1,50}$/u.test(name)) return { ok: false, reason: "book_name_malformed" };
  const key = { merchantId, env, network, address };
  await lockMerchant(tx, merchantId);
  if ((await findBookEntry(tx, key)) !== null) return { ok: false, reason: "book_has_address" };
  if ((await countBook(tx, { merchantId, env })) >= MOST_ENTRIES) return { ok: false, reason: "book_full" };
  await insertBookEntry(tx, { ...key, name }, now);
  const details = { env, network, address, name };
  await record(tx, { actor, merchantId }, { action: "withdrawal.book-add", details }, now);
  return { ok: true };
}

/** Removes an address at once. False if the book does not have it. */
export async function removeBookAddress(
  tx: Tx,
  { actor, merchantId, env }: Change,
  id: number,
  now: Date,
): Promise<boolean> {
  const removed = await removeBookEntry(tx, { id, merchantId, env });
  if (removed === null) return false;
  const { network, address, name } = removed;
  const details = { env, network, address, name };
  await record(tx, { actor, merchantId }, { action: "withdrawal.book-remove", details }, now);
  return true;
}

function record(
  tx: Tx,
  { actor, merchantId }: Pick<Change, "actor" | "merchantId">,
  entry: { readonly action: string; readonly details: Parameters<typeof recordDecision>[1]["details"] },
  now: Date,
): Promise<void> {
  return recordDecision(tx, { actor, subject: `merchant:${merchantId}`, merchantId, ...entry }, now);
}
