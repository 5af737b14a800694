import type { NetworkAdapter } from "#lib/chains/network.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { isOperator } from "#lib/domain/authority/verb-rules.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { listMembers } from "#lib/domain/members/queries.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { upsertPolicy } from "../store.ts";
import type { WithdrawalLimits } from "../types.ts";
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

/** Entries of an address book in one environment. */
const MOST_ENTRIES = 200;
/** People of a merchant who may approve. Fewer could not approve what one of them asks for. */
const FEWEST_APPROVERS = 2;

const entryOf = <Details>(merchantId: number, details: Details) => ({
  subject: `merchant:${merchantId}`,
  details,
});

/**
 * Sets whether a second person must approve each withdrawal that is asked for from now on. Refused if the merchant has nobody else who
 * could: all its withdrawals would wait for ever. Only the operator ends it.
 */
export const setSecondPerson = defineVerb(
  "withdrawal.policy",
  async ({ tx, now, actor, merchantId }, { secondPerson }: { readonly secondPerson: boolean }) => {
    if (!secondPerson && !isOperator(actor)) return refuse("second_person_switched_off");
    await lockMerchant(tx, merchantId);
    const people = (await listMembers(tx, merchantId)).filter(({ role }) => may(role, "withdrawals.approve"));
    if (secondPerson && people.length < FEWEST_APPROVERS) return refuse("second_person_missing");
    await upsertPolicy(tx, { merchantId, secondPerson }, now);
    return done({}, entryOf(merchantId, { second_person: secondPerson }));
  },
);

/** Sets what a merchant may withdraw of a token at once and within 24 hours, in ledger units. null: no limit. Only the operator raises it. */
export const setWithdrawalLimits = defineVerb(
  "withdrawal.limit",
  async (
    { tx, now, actor, merchantId, env },
    { token, ...limits }: WithdrawalLimits & { readonly token: TokenCode },
  ) => {
    const key = { merchantId, env, token };
    await lockLimits(tx, key, now);
    const before = await findLimits(tx, key);
    if (!isOperator(actor) && loosensLimits(before, limits)) return refuse("limit_raised");
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
    return done({}, entryOf(merchantId, details));
  },
);

/** Sets whether a merchant withdraws only to its address book, in both environments. Only the operator ends it. */
export const setAddressBook = defineVerb(
  "withdrawal.book",
  async ({ tx, now, actor, merchantId }, { isOn }: { readonly isOn: boolean }) => {
    if (!isOn && !isOperator(actor)) return refuse("book_switched_off");
    await upsertBookSwitch(tx, { merchantId, addressBook: isOn }, now);
    return done({}, entryOf(merchantId, { address_book: isOn }));
  },
);

/** Adds an address. It can be used after BOOK_WAIT_MS. */
export const addBookAddress = defineVerb(
  "withdrawal.book-add",
  async (
    { tx, now, merchantId, env },
    given: { readonly adapter: NetworkAdapter; readonly name: string; readonly address: string },
  ) => {
    const { adapter, name } = given;
    const { network } = adapter;
    const address = adapter.addresses.canonicalize(given.address);
    if (address === null) return refuse("destination_malformed");
    if (!/^[^\p{Cc}]{1,50}$/u.test(name)) return refuse("book_name_malformed");
    const key = { merchantId, env, network, address };
    await lockMerchant(tx, merchantId);
    if ((await findBookEntry(tx, key)) !== null) return refuse("book_has_address");
    if ((await countBook(tx, { merchantId, env })) >= MOST_ENTRIES) return refuse("book_full");
    await insertBookEntry(tx, { ...key, name }, now);
    return done({}, entryOf(merchantId, { env, network, address, name }));
  },
);

/** Removes an address at once. */
export const removeBookAddress = defineVerb(
  "withdrawal.book-remove",
  async ({ tx, merchantId, env }, { id }: { readonly id: number }) => {
    const removed = await removeBookEntry(tx, { id, merchantId, env });
    if (removed === null) return refuse("book_entry_not_found");
    const { network, address, name } = removed;
    return done({}, entryOf(merchantId, { env, network, address, name }));
  },
);
