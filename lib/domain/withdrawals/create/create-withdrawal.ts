import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { nameActor } from "#lib/domain/authority/actor.ts";
import { defineVerb, done, type Entry, refuse, refuseAndKeep } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import type { VerbName } from "#lib/domain/authority/verb-rules.ts";
import { feeWithMinimum } from "#lib/domain/ledger/fee-rules.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { recordRefusedAttempt } from "#lib/domain/ledger/record-refused-attempt.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { findLink, getLinkRefid, lockOwnLink } from "#lib/domain/payment-links/queries.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { waitsForApproval } from "../approve/approval-rules.ts";
import { mayStillClaim } from "../find-asker.ts";
import { findBookEntry, findLimits, sumAskedSince, usesAddressBook } from "../limits/limit-queries.ts";
import { type BookRefusal, bookRefusal, type LimitRefusal, limitRefusal } from "../limits/limit-rules.ts";
import { lockLimits } from "../limits/limit-store.ts";
import {
  findWithdrawalByKey,
  findWithdrawalByRefid,
  listRefundables,
  needsSecondPerson,
} from "../queries.ts";
import { withdrawalCauses } from "../rules.ts";
import { isRefunded, lockWithdrawal } from "../store.ts";
import type { Withdrawal, WithdrawalDeps, WithdrawalRequest, WithdrawalRow } from "../types.ts";
import { emitWithdrawalEvent } from "../withdrawal-record.ts";
import {
  checkDestination,
  checkSendable,
  type DestinationRefusal,
  type SendableRefusal,
} from "./check-request.ts";
import { insertNamed } from "./insert-named.ts";
import { resolveRefundAmount } from "./refund-amount.ts";
import {
  isRefund,
  type RefundAmount,
  type RefundAmountRefusal,
  type RefundRefusal,
  reasonOf,
  refundRefusal,
} from "./refund-rules.ts";

export type CreateWithdrawalRefusal =
  | "merchant_not_found"
  | "send_amount_not_positive"
  | SendableRefusal
  | DestinationRefusal
  | "refunded_not_found"
  | "refunded_not_failed"
  | "refunded_already"
  | "payment_link_not_found"
  | RefundAmountRefusal
  | LimitRefusal
  | BookRefusal
  | "insufficient_balance"
  | "idempotency_key_reused";

const DAY_MS = 86_400_000;

/** The merchant and environment of a request. */
type Place = Pick<Act, "merchantId" | "env">;

/** A request that passed every check that needs no lock. `to` is canonical. */
export interface CheckedWithdrawal {
  readonly request: WithdrawalRequest;
  readonly merchant: Merchant;
  readonly env: Env;
  readonly network: NetworkCode;
  readonly to: string;
  /** Ledger units. The balance pays it and the amount. */
  readonly fee: bigint;
}

type Refused = { readonly ok: false; readonly reason: CreateWithdrawalRefusal };
type Checked = { readonly ok: true; readonly withdrawal: CheckedWithdrawal } | Refused;

const refused = (reason: CreateWithdrawalRefusal): Refused => ({ ok: false, reason });

/**
 * Creates a withdrawal in the send queue: inserts it and reserves amount and fee from the merchant's balance (docs/decisions.md, Withdrawals).
 * A refusal is kept as a refused attempt in the merchant's history. The same request again, with its idempotency key, returns the
 * withdrawal that it created. A refund can name its amount by a word, which means what is left under the link's lock.
 */
export const createWithdrawal = defineVerb(
  "withdrawal.create",
  async (
    act,
    {
      networks,
      ...given
    }: Omit<WithdrawalRequest, "amount"> & {
      readonly amount: RefundAmount;
      readonly networks: NetworkRegistry;
    },
  ) => {
    const resolved = await resolveAmount(act, given);
    if (!resolved.ok) return refuse(resolved.reason);
    const { request } = resolved;
    const made = await attempt(act, { networks, request, requestedBy: nameActor(act.actor) });
    if (made.ok) return done({ withdrawal: made.withdrawal }, made.entry);
    const { reason } = made;
    return refuseAndKeep(reason, (db) => recordRefusedWithdrawal(db, act, { request, reason }));
  },
);

/** A request, and who counts as the person who asks, as the audit log names them. */
interface Asked {
  readonly networks: NetworkRegistry;
  readonly request: WithdrawalRequest;
  readonly requestedBy: string;
}

/** Creates a withdrawal as a part of another verb, which is undone if this is refused. Records it for who asks. */
export async function attemptWithdrawal(
  act: Pick<Act, "tx" | "now" | "merchantId" | "env">,
  asked: Asked,
): Promise<{ readonly ok: true; readonly withdrawal: WithdrawalRow } | Refused> {
  const made = await attempt(act, asked);
  if (!made.ok) return made;
  const { withdrawal, entry } = made;
  const { merchantId } = act;
  const action = "withdrawal.create" satisfies VerbName;
  const by = { actor: asked.requestedBy, byPayer: asked.request.claim !== undefined };
  if (entry !== null) await recordDecision(act.tx, { ...entry, merchantId, ...by, action }, act.now);
  return { ok: true, withdrawal };
}

/** Makes all checks of a withdrawal that need no lock, and computes its fee. The balance is not checked. Writes nothing. */
export async function checkWithdrawal(
  { db, networks }: WithdrawalDeps,
  place: Place,
  given: WithdrawalRequest,
  now: Date,
): Promise<Checked> {
  const checked = await checkRequest({ db, networks }, place, given);
  if (!checked.ok) return checked;
  const { withdrawal } = checked;
  const refusal = (await refuseRefund(db, withdrawal, now)) ?? (await refuseByRules(db, withdrawal, now));
  return refusal === null ? checked : refused(refusal);
}

/** The request with its amount in ledger units. A word of a repeated request means what it meant first. */
async function resolveAmount(
  { tx, now, merchantId, env }: Act,
  given: Omit<WithdrawalRequest, "amount"> & { readonly amount: RefundAmount },
): Promise<{ readonly ok: true; readonly request: WithdrawalRequest } | Refused> {
  const { amount, paymentLink, network, token, idempotencyKey } = given;
  if (typeof amount === "bigint") return { ok: true, request: { ...given, amount } };
  const owner = { merchantId, env };
  if (paymentLink === null || (await lockOwnLink(tx, paymentLink, owner)) === null)
    return refused("payment_link_not_found");
  const made = await findWithdrawalByKey(tx, { ...owner, idempotencyKey });
  if (made !== null) return { ok: true, request: { ...given, amount: made.amount } };
  const resolved = await resolveRefundAmount(tx, { amount, paymentLink, owner, network, token }, now);
  return resolved.ok ? { ok: true, request: { ...given, amount: resolved.amount } } : resolved;
}

/**
 * The request with the payment link of the failed withdrawal that it replaces: what replaces the refund of a payment refunds
 * the payment. On another network or in another token it does not, because the link was not paid so.
 */
async function inheritLink(
  db: Db | Tx,
  place: Place,
  request: WithdrawalRequest,
): Promise<WithdrawalRequest> {
  const { network, token, refundOf, paymentLink } = request;
  if (refundOf === null || paymentLink !== null) return request;
  const failed = await findWithdrawalByRefid(db, { ...place, refid: refundOf });
  if (failed === null || failed.paymentLinkId === null) return request;
  if (failed.network !== network || failed.token !== token) return request;
  return { ...request, paymentLink: await getLinkRefid(db, failed.paymentLinkId) };
}

/** Records in the merchant's history that a withdrawal was refused. A request without an amount, or of no merchant, is not recorded. */
async function recordRefusedWithdrawal(
  db: Db,
  { merchantId, env, now }: Omit<Act, "tx">,
  { request, reason }: { readonly request: WithdrawalRequest; readonly reason: CreateWithdrawalRefusal },
): Promise<void> {
  if (reason === "merchant_not_found" || reason === "send_amount_not_positive") return;
  const { token, amount } = request;
  const accounts = await listLedgerAccounts(db, env, merchantId);
  const account = accounts.find((one) => one.code === `merchant:${merchantId}` && one.token === token);
  const balance = account?.balance ?? 0n;
  const tried = { env, merchantId, token, amount, balance, reason, direction: "debit" } as const;
  await recordRefusedAttempt(db, tried, now);
}

async function checkRequest(
  { db, networks }: { readonly db: Db | Tx; readonly networks: NetworkRegistry },
  place: Place,
  given: WithdrawalRequest,
): Promise<Checked> {
  const merchant = await findMerchant(db, place.merchantId);
  if (merchant === null || merchant.status === "removed") return refused("merchant_not_found");
  if (given.amount <= 0n) return refused("send_amount_not_positive");
  const request = await inheritLink(db, place, given);
  const { env } = place;
  const sendable = await checkSendable(db, networks, merchant, { ...request, env });
  if (!sendable.ok) return sendable;
  const { adapter, tokenSettings } = sendable;
  const destination = await checkDestination(db, adapter, request.to);
  if (!destination.ok) return destination;
  const fee = feeWithMinimum(request.amount, merchant.feePercentage, tokenSettings.sendFee);
  const { network } = adapter;
  return { ok: true, withdrawal: { request, merchant, env, network, to: destination.address, fee } };
}

/** Checks a request, then reserves what it asks for. `entry` is for the audit log: null if the request was made before. */
async function attempt(
  { tx, now, merchantId, env }: Pick<Act, "tx" | "now" | "merchantId" | "env">,
  { networks, request, requestedBy }: Asked,
): Promise<
  { readonly ok: true; readonly withdrawal: WithdrawalRow; readonly entry: Entry | null } | Refused
> {
  const checked = await checkRequest({ db: tx, networks }, { merchantId, env }, request);
  if (!checked.ok) return checked;
  return reserve({ tx, networks, requestedBy }, checked.withdrawal, now);
}

/** Inserts the withdrawal, and reserves amount and fee. */
async function reserve(
  { tx, networks, requestedBy }: Omit<Asked, "request"> & { readonly tx: Tx },
  checked: CheckedWithdrawal,
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow; entry: Entry | null } | Refused> {
  const { request, merchant, env, network, to, fee } = checked;
  const { token, amount } = request;
  const link = await lockPaymentLink(tx, checked);
  const repeated = await findRepeated(tx, checked, link);
  if (repeated !== null) return repeated;
  const refund = await refuseRefund(tx, checked, now);
  if (refund !== null) return refused(refund);
  const refunded = await lockRefunded(tx, checked);
  if (!refunded.ok) return refunded;
  await lockLimits(tx, { merchantId: merchant.id, env, token }, now);
  const byRules = await refuseByRules(tx, checked, now);
  if (byRules !== null) return refused(byRules);
  const values = {
    env,
    merchantId: merchant.id,
    token,
    network,
    toAddress: to,
    amount,
    fee,
    refundOf: refunded.id,
    paymentLinkId: link,
    reason: reasonOf(request),
    requestedBy,
    needsApproval: await needsApproval(tx, checked, requestedBy, now),
    checked: true,
    idempotencyKey: request.idempotencyKey,
  };
  const row = await insertNamed(tx, values, request.source ?? request.idempotencyKey, now);
  if (row === null) return (await findRepeated(tx, checked, link)) ?? refused("idempotency_key_reused");
  const from = `merchant:${merchant.id}` as const;
  const transfer = { env, token, from, to: `reserved:${row.id}`, amount: amount + fee } as const;
  const posted = await postTransfer(tx, { ...transfer, cause: withdrawalCauses(row).reserve }, now);
  if (!posted.posted) return refused("insufficient_balance");
  if (link !== null) await wakeLink(tx, link, now);
  const withdrawal = { ...row, email: merchant.email };
  if (waitsForApproval(row))
    await emitWithdrawalEvent(tx, networks, { row: withdrawal, type: "withdrawal_approval_needed" }, now);
  return { ok: true, withdrawal, entry: entryOf(row, checked) };
}

/** The creator of a claim may have its link, and enter an own address long after they have left or their key has ended. */
async function needsApproval(
  tx: Tx,
  { request, merchant: { id: merchantId }, env }: CheckedWithdrawal,
  requestedBy: string,
  now: Date,
): Promise<boolean> {
  if (await needsSecondPerson(tx, merchantId)) return true;
  return request.claim !== undefined && !(await mayStillClaim(tx, { merchantId, env }, requestedBy, now));
}

function entryOf(
  { refid }: Withdrawal,
  { request, merchant, env, network, to, fee }: CheckedWithdrawal,
): Entry {
  const { token, amount, refundOf, paymentLink, claim } = request;
  const reason = reasonOf(request);
  const format = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
  const details = {
    env,
    merchant: merchant.email,
    network,
    token,
    to,
    amount: format(amount),
    fee: format(fee),
    refund_of: refundOf,
    payment_link: paymentLink,
    ...(claim !== undefined && { refund_claim: claim }),
    ...(reason !== null && { reason }),
  };
  return { subject: `withdrawal:${refid}`, details };
}

/**
 * Returns the id of the failed withdrawal that the request refunds, or null when it names none. Locks its row, so that
 * only one withdrawal can refund it.
 */
async function lockRefunded(
  tx: Tx,
  { request: { token, refundOf }, merchant, env }: CheckedWithdrawal,
): Promise<{ ok: true; id: number | null } | Refused> {
  if (refundOf === null) return { ok: true, id: null };
  const found = await findWithdrawalByRefid(tx, { env, refid: refundOf, merchantId: merchant.id });
  const failed = found && (await lockWithdrawal(tx, found.id));
  if (!failed || failed.token !== token) return refused("refunded_not_found");
  if (failed.status !== "failed") return refused("refunded_not_failed");
  if (await isRefunded(tx, failed.id)) return refused("refunded_already");
  return { ok: true, id: failed.id };
}

/** The id of the payment link that the request refunds, locked: one refund at a time. null: none, or not this merchant's. */
async function lockPaymentLink(
  tx: Tx,
  { request: { paymentLink }, merchant: { id: merchantId }, env }: CheckedWithdrawal,
): Promise<number | null> {
  if (paymentLink === null) return null;
  return (await lockOwnLink(tx, paymentLink, { merchantId, env }))?.link.id ?? null;
}

/** Why the request may not refund its payment link; null: it may, or it refunds none. */
async function refuseRefund(
  db: Db | Tx,
  { request, merchant: { id: merchantId }, env }: CheckedWithdrawal,
  now: Date,
): Promise<"payment_link_not_found" | RefundRefusal | null> {
  const { paymentLink, claim = null } = request;
  if (paymentLink === null) return null;
  const found = await findLink(db, paymentLink, { merchantId, env });
  if (found === null) return "payment_link_not_found";
  return refundRefusal(await listRefundables(db, found.link.id, now, claim), request);
}

/**
 * Why the merchant's own rules refuse a withdrawal; null: they do not. Its limits count refunds. Its address book does not hold customers'
 * addresses, so refunds may go to any.
 */
async function refuseByRules(
  db: Db | Tx,
  { request, merchant, env, network, to }: CheckedWithdrawal,
  now: Date,
): Promise<LimitRefusal | BookRefusal | null> {
  const { token, amount } = request;
  const key = { merchantId: merchant.id, env, token };
  const limits = await findLimits(db, key);
  const since = new Date(now.getTime() - DAY_MS);
  const recent = limits.perDay === null ? 0n : await sumAskedSince(db, key, since);
  const aboveLimit = limitRefusal(limits, { amount, recent });
  if (aboveLimit !== null || isRefund(request) || !(await usesAddressBook(db, merchant.id)))
    return aboveLimit;
  return bookRefusal(await findBookEntry(db, { merchantId: merchant.id, env, network, address: to }), now);
}

/** The withdrawal that this request created before; null: none. Refused if another request had its idempotency key. */
async function findRepeated(
  tx: Tx,
  { request, merchant, env, network, to }: CheckedWithdrawal,
  link: number | null,
): Promise<{ ok: true; withdrawal: WithdrawalRow; entry: null } | Refused | null> {
  const { token, amount, idempotencyKey } = request;
  const found = await findWithdrawalByKey(tx, { merchantId: merchant.id, env, idempotencyKey });
  if (found === null) return null;
  const isSame =
    found.token === token &&
    found.network === network &&
    found.toAddress === to &&
    found.amount === amount &&
    found.paymentLinkId === link &&
    found.reason === reasonOf(request);
  return isSame ? { ok: true, withdrawal: found, entry: null } : refused("idempotency_key_reused");
}
