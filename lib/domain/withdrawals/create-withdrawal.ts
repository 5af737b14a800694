import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { feeWithMinimum } from "#lib/domain/ledger/fee-rules.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { recordRefusedAttempt } from "#lib/domain/ledger/record-refused-attempt.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { findLink, getLinkRefid, lockOwnLink } from "#lib/domain/payment-links/queries.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { waitsForApproval } from "./approval-rules.ts";
import {
  checkDestination,
  checkSendable,
  type DestinationRefusal,
  type SendableRefusal,
} from "./check-request.ts";
import { findBookEntry, findLimits, sumAskedSince, usesAddressBook } from "./limit-queries.ts";
import { type BookRefusal, bookRefusal, type LimitRefusal, limitRefusal } from "./limit-rules.ts";
import { lockLimits } from "./limit-store.ts";
import { makeRefid } from "./make-refid.ts";
import { findWithdrawalByKey, findWithdrawalByRefid, listRefundables, needsSecondPerson } from "./queries.ts";
import { type RefundRefusal, refundRefusal } from "./refund-rules.ts";
import { withdrawalCauses } from "./rules.ts";
import { insertWithdrawal, isRefunded, isTakenByOther, lockWithdrawal, type NewWithdrawal } from "./store.ts";
import type { Withdrawal, WithdrawalRequest, WithdrawalRow } from "./types.ts";
import { emitWithdrawalEvent } from "./withdrawal-record.ts";

export type CreateWithdrawalRefusal =
  | "merchant_not_found"
  | "send_amount_not_positive"
  | SendableRefusal
  | DestinationRefusal
  | "refunded_not_found"
  | "refunded_not_failed"
  | "refunded_already"
  | "payment_link_not_found"
  | RefundRefusal
  | LimitRefusal
  | BookRefusal
  | "insufficient_balance"
  | "idempotency_key_reused";

const DAY_MS = 86_400_000;

export interface WithdrawalDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
}

/** A request that passed every check that needs no lock. `to` is canonical. */
export interface CheckedWithdrawal {
  readonly request: WithdrawalRequest;
  readonly merchant: Merchant;
  readonly network: NetworkCode;
  readonly to: string;
  /** Ledger units. The balance pays it and the amount. */
  readonly fee: bigint;
}

type Refusal = { readonly ok: false; readonly reason: CreateWithdrawalRefusal };

const refuse = (reason: CreateWithdrawalRefusal): Refusal => ({ ok: false, reason });

/**
 * Creates a withdrawal in the send queue. Checks address, limits and settings. Then, in one transaction, it inserts the
 * withdrawal and reserves amount and fee from the merchant's balance (docs/decisions.md, Withdrawals). A refusal is
 * recorded as a refused attempt in the merchant's history. `actor` is who asked, for the audit log.
 *
 * The same request again, with its idempotency key, returns the withdrawal that it created.
 */
export async function createWithdrawal(
  deps: WithdrawalDeps,
  request: WithdrawalRequest,
  actor: string,
  now: Date,
): Promise<CreateWithdrawalResult> {
  const result = await attemptWithdrawal(deps, request, actor, now);
  if (!result.ok) await recordRefusedWithdrawal(deps.db, request, result.reason, now);
  return result;
}

type CreateWithdrawalResult = { readonly ok: true; readonly withdrawal: WithdrawalRow } | Refusal;

/** The same in a transaction of the caller, who records a refusal after it: recordRefusedWithdrawal. */
export async function attemptWithdrawal(
  { db, networks }: Pick<WithdrawalDeps, "networks"> & { readonly db: Db | Tx },
  given: WithdrawalRequest,
  actor: string,
  now: Date,
): Promise<CreateWithdrawalResult> {
  const asked = await findAsker(db, given);
  if (!asked.ok) return asked;
  const request = await inheritLink(db, asked.merchant, given);
  const checked = await checkRequest(db, networks, asked.merchant, request);
  return checked.ok
    ? inTransaction(db, (tx) => reserve({ tx, networks }, checked.withdrawal, actor, now))
    : checked;
}

/** Makes all checks of a withdrawal that need no lock, and computes its fee. The balance is not checked. Writes nothing. */
export async function checkWithdrawal(
  { db, networks }: WithdrawalDeps,
  given: WithdrawalRequest,
  now: Date,
): Promise<{ ok: true; withdrawal: CheckedWithdrawal } | Refusal> {
  const asked = await findAsker(db, given);
  if (!asked.ok) return asked;
  const request = await inheritLink(db, asked.merchant, given);
  const checked = await checkRequest(db, networks, asked.merchant, request);
  if (!checked.ok) return checked;
  const refusal =
    (await refuseRefund(db, asked.merchant, request, now)) ??
    (await refuseByRules(db, checked.withdrawal, now));
  return refusal === null ? checked : refuse(refusal);
}

/**
 * The request with the payment link of the failed withdrawal that it replaces: what replaces the refund of a payment refunds
 * the payment. On another network or in another token it does not, because the link was not paid so.
 */
async function inheritLink(
  db: Db | Tx,
  { id }: Merchant,
  request: WithdrawalRequest,
): Promise<WithdrawalRequest> {
  const { env, network, token, refundOf, paymentLink } = request;
  if (refundOf === null || paymentLink !== null) return request;
  const failed = await findWithdrawalByRefid(db, { env, refid: refundOf, merchantId: id });
  if (failed === null || failed.paymentLinkId === null) return request;
  if (failed.network !== network || failed.token !== token) return request;
  return { ...request, paymentLink: await getLinkRefid(db, failed.paymentLinkId) };
}

async function findAsker(
  db: Db | Tx,
  { email, amount }: WithdrawalRequest,
): Promise<{ ok: true; merchant: Merchant } | Refusal> {
  const merchant = await findMerchantByEmail(db, email);
  if (merchant === null || merchant.status === "removed") return refuse("merchant_not_found");
  return amount <= 0n ? refuse("send_amount_not_positive") : { ok: true, merchant };
}

/** Records in the merchant's history that a withdrawal was refused. What is no amount is not recorded. */
export async function recordRefusedWithdrawal(
  db: Db,
  request: WithdrawalRequest,
  reason: CreateWithdrawalRefusal,
  now: Date,
): Promise<void> {
  const asked = await findAsker(db, request);
  if (!asked.ok) return;
  const { id: merchantId } = asked.merchant;
  const { env, token, amount } = request;
  const accounts = await listLedgerAccounts(db, env, merchantId);
  const account = accounts.find((one) => one.code === `merchant:${merchantId}` && one.token === token);
  const attempt = { env, merchantId, token, amount, balance: account?.balance ?? 0n, reason };
  await recordRefusedAttempt(db, { ...attempt, direction: "debit" }, now);
}

async function checkRequest(
  db: Db | Tx,
  networks: NetworkRegistry,
  merchant: Merchant,
  request: WithdrawalRequest,
): Promise<{ ok: true; withdrawal: CheckedWithdrawal } | Refusal> {
  const sendable = await checkSendable(db, networks, merchant, request);
  if (!sendable.ok) return sendable;
  const { adapter, tokenSettings } = sendable;
  const destination = await checkDestination(db, adapter, request.to);
  if (!destination.ok) return destination;
  const fee = feeWithMinimum(request.amount, merchant.feePercentage, tokenSettings.sendFee);
  const { network } = adapter;
  return { ok: true, withdrawal: { request, merchant, network, to: destination.address, fee } };
}

/** Inserts the withdrawal, reserves amount and fee, and writes the audit log. */
async function reserve(
  { tx, networks }: { readonly tx: Tx; readonly networks: NetworkRegistry },
  { request, merchant, network, to, fee }: CheckedWithdrawal,
  actor: string,
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | Refusal> {
  const { env, token, amount } = request;
  const link = await lockPaymentLink(tx, merchant, request);
  const repeated = await findRepeated(tx, { request, merchant, network, to, fee }, link);
  if (repeated !== null) return repeated;
  const refund = await refuseRefund(tx, merchant, request, now);
  if (refund !== null) return refuse(refund);
  const refunded = await lockRefunded(tx, merchant, request);
  if (!refunded.ok) return refunded;
  await lockLimits(tx, { merchantId: merchant.id, env, token }, now);
  const byRules = await refuseByRules(tx, { request, merchant, network, to, fee }, now);
  if (byRules !== null) return refuse(byRules);
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
    requestedBy: actor,
    needsApproval: await needsSecondPerson(tx, merchant.id),
    checked: true,
    idempotencyKey: request.idempotencyKey,
  };
  const row = await insertNamed(tx, values, request.source ?? request.idempotencyKey, now);
  if (row === null)
    return (
      (await findRepeated(tx, { request, merchant, network, to, fee }, link)) ??
      refuse("idempotency_key_reused")
    );
  const from = `merchant:${merchant.id}` as const;
  const transfer = { env, token, from, to: `reserved:${row.id}`, amount: amount + fee } as const;
  const posted = await postTransfer(tx, { ...transfer, cause: withdrawalCauses(row).reserve }, now);
  if (!posted.posted) return refuse("insufficient_balance");
  const format = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
  const details = {
    env,
    merchant: merchant.email,
    network,
    token,
    to,
    amount: format(amount),
    fee: format(fee),
    refund_of: request.refundOf,
    payment_link: request.paymentLink,
    ...(request.claim !== undefined && { refund_claim: request.claim }),
  };
  if (link !== null) await wakeLink(tx, link, now);
  const entry = { actor, action: "withdrawal.create", subject: `withdrawal:${row.refid}` };
  await recordDecision(tx, { ...entry, merchantId: merchant.id, details }, now);
  const withdrawal = { ...row, email: merchant.email };
  if (waitsForApproval(row))
    await emitWithdrawalEvent(tx, networks, { row: withdrawal, type: "withdrawal_approval_needed" }, now);
  return { ok: true, withdrawal };
}

/**
 * Inserts the withdrawal with the reference of what asked for it, or with a random one if another merchant has that: it can be computed, so
 * somebody could take it first. null if the merchant has one with this idempotency key.
 */
async function insertNamed(
  tx: Tx,
  values: Omit<NewWithdrawal, "refid">,
  source: string | null,
  now: Date,
): Promise<Withdrawal | null> {
  const { env, merchantId } = values;
  const refid = makeRefid({ env, merchantId, source });
  const row = await insertWithdrawal(tx, { ...values, refid }, now);
  if (row !== null || !(await isTakenByOther(tx, { refid, merchantId }))) return row;
  return insertWithdrawal(tx, { ...values, refid: makeRefid({ env, merchantId, source: null }) }, now);
}

/**
 * Returns the id of the failed withdrawal that the request refunds, or null when it names none. Locks its row, so that
 * only one withdrawal can refund it.
 */
async function lockRefunded(
  tx: Tx,
  merchant: Merchant,
  { env, token, refundOf }: WithdrawalRequest,
): Promise<{ ok: true; id: number | null } | Refusal> {
  if (refundOf === null) return { ok: true, id: null };
  const found = await findWithdrawalByRefid(tx, { env, refid: refundOf, merchantId: merchant.id });
  const failed = found && (await lockWithdrawal(tx, found.id));
  if (!failed || failed.token !== token) return refuse("refunded_not_found");
  if (failed.status !== 2) return refuse("refunded_not_failed");
  if (await isRefunded(tx, failed.id)) return refuse("refunded_already");
  return { ok: true, id: failed.id };
}

/** The id of the payment link that the request refunds, locked: one refund at a time. null: none, or not this merchant's. */
async function lockPaymentLink(
  tx: Tx,
  { id }: Merchant,
  { env, paymentLink }: WithdrawalRequest,
): Promise<number | null> {
  if (paymentLink === null) return null;
  return (await lockOwnLink(tx, paymentLink, { merchantId: id, env }))?.link.id ?? null;
}

/** Why the request may not refund its payment link; null: it may, or it refunds none. */
async function refuseRefund(
  db: Db | Tx,
  { id }: Merchant,
  request: WithdrawalRequest,
  now: Date,
): Promise<"payment_link_not_found" | RefundRefusal | null> {
  const { env, paymentLink, claim = null } = request;
  if (paymentLink === null) return null;
  const found = await findLink(db, paymentLink, { merchantId: id, env });
  if (found === null) return "payment_link_not_found";
  return refundRefusal(await listRefundables(db, found.link.id, now, claim), request);
}

/**
 * Why the merchant's own rules refuse a withdrawal; null: they do not. Its limits count refunds. Its address book does not hold customers'
 * addresses, so refunds may go to any.
 */
async function refuseByRules(
  db: Db | Tx,
  { request, merchant, network, to }: CheckedWithdrawal,
  now: Date,
): Promise<LimitRefusal | BookRefusal | null> {
  const { env, token, amount, paymentLink, toCustomer = paymentLink !== null } = request;
  const key = { merchantId: merchant.id, env, token };
  const limits = await findLimits(db, key);
  const since = new Date(now.getTime() - DAY_MS);
  const recent = limits.perDay === null ? 0n : await sumAskedSince(db, key, since);
  const aboveLimit = limitRefusal(limits, { amount, recent });
  if (aboveLimit !== null || toCustomer || !(await usesAddressBook(db, merchant.id))) return aboveLimit;
  return bookRefusal(await findBookEntry(db, { merchantId: merchant.id, env, network, address: to }), now);
}

/** The withdrawal that this request created before; null: none. Refused if another request had its idempotency key. */
async function findRepeated(
  tx: Tx,
  { request, merchant, network, to }: CheckedWithdrawal,
  link: number | null,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | Refusal | null> {
  const { env, token, amount, idempotencyKey } = request;
  const found = await findWithdrawalByKey(tx, { merchantId: merchant.id, env, idempotencyKey });
  if (found === null) return null;
  const isSame =
    found.token === token &&
    found.network === network &&
    found.toAddress === to &&
    found.amount === amount &&
    found.paymentLinkId === link;
  return isSame ? { ok: true, withdrawal: found } : refuse("idempotency_key_reused");
}
