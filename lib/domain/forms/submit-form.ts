import { createHash } from "node:crypto";
import { findCustomerByEmail } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { hashVisitor } from "#lib/domain/payment-links/create/allocate-address.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { findLink } from "#lib/domain/payment-links/queries.ts";
import { hasFailed } from "#lib/domain/payment-links/rules.ts";
import type { CustomerDetails, PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import { VISITOR_LIMIT, VISITOR_WINDOW_MS } from "#lib/domain/payment-links/visitor-rules.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { findForm, getTaken } from "./queries.ts";
import { findFormClosed, fits } from "./rules.ts";
import { countVisits, deleteVisitsBefore, findVisit, lockForm, lockVisitor, upsertVisit } from "./store.ts";
import { readSubmission, type Submission, type SubmissionProblem } from "./submission-rules.ts";
import type { FormClosed, FormRow, SubmittedFields } from "./types.ts";
import { formUrl } from "./view-form.ts";

/** How long a repeated submission gets its link again. */
const VISIT_LIFETIME_MS = 24 * 3_600_000;

export type SubmitRefusal =
  | FormClosed
  | SubmissionProblem
  | "not_found"
  | "too_few_left"
  | "too_many_submissions";
type SubmitResult =
  | { readonly ok: true; readonly refid: string }
  | { readonly ok: false; readonly reason: SubmitRefusal };

interface SubmitRequest {
  readonly code: string;
  readonly given: SubmittedFields;
  /** The key that the page has for this visit. */
  readonly visit: string;
  /** IP address of the visitor. */
  readonly ip: string;
}

/**
 * Creates a payment link from a payer's answers. Stock and limit are taken in the transaction that creates it, while the
 * form is locked, so that nothing is sold twice. The same submission of the same visit gets the same link, unless that
 * one has failed. A visitor can create VISITOR_LIMIT links within VISITOR_WINDOW_MS, of all forms.
 */
export async function submitForm(
  deps: PaymentLinkDeps,
  request: SubmitRequest,
  now: Date,
): Promise<SubmitResult> {
  const { code, given } = request;
  const found = await findForm(deps.db, code);
  if (found === null) return { ok: false, reason: "not_found" };
  const read = readSubmission(found.form, given);
  const visitor = hashVisitor(deps.settings, request.ip);
  const visit = createHash("sha256")
    .update(JSON.stringify([request.visit, given]))
    .digest();
  const earlier = await findPayableVisit(deps.db, found.form.id, visit);
  if (earlier !== null) return { ok: true, refid: earlier };
  // Before any lock: a flood from one address waits for nothing and keeps no connection.
  if (await isOverLimit(deps.db, visitor, now)) return { ok: false, reason: "too_many_submissions" };
  if (!read.ok) return read;
  return deps.db.transaction(async (tx) => {
    await lockVisitor(tx, visitor);
    const locked = await lockForm(tx, code);
    if (locked === null) return { ok: false, reason: "not_found" };
    const { form, merchant } = locked;
    const before = await findPayableVisit(tx, form.id, visit);
    if (before !== null) return { ok: true, refid: before };
    if (await isOverLimit(tx, visitor, now)) return { ok: false, reason: "too_many_submissions" };
    // Again: the merchant may have changed the form.
    const submission = readSubmission(form, given);
    if (!submission.ok) return submission;
    const taken = await getTaken(tx, form.id);
    const closed = findFormClosed(form, { taken, merchantActive: merchant.status === "active", now });
    if (closed !== null) return { ok: false, reason: closed };
    if (!fits(form, taken, submission)) return { ok: false, reason: "too_few_left" };
    const created = await createLink(tx, deps, { form, merchant, submission }, now);
    // The only refusal without wallets: no network can receive as little.
    if (!created.ok) return { ok: false, reason: "amount_not_possible" };
    const { refid } = created.link;
    await upsertVisit(tx, { formId: form.id, visit, refid, visitor, createdAt: now });
    return { ok: true, refid };
  });
}

async function isOverLimit(db: Db | Tx, visitor: Buffer, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - VISITOR_WINDOW_MS);
  return (await countVisits(db, visitor, since)) >= VISITOR_LIMIT;
}

async function findPayableVisit(db: Db | Tx, formId: number, visit: Buffer): Promise<string | null> {
  const refid = await findVisit(db, formId, visit);
  const found = refid === null ? null : await findLink(db, refid);
  return found === null || hasFailed(found.link.state) ? null : refid;
}

async function createLink(
  tx: Tx,
  deps: PaymentLinkDeps,
  request: { readonly form: FormRow; readonly merchant: Merchant; readonly submission: Submission },
  now: Date,
) {
  const { form, merchant, submission } = request;
  const { env } = form;
  const page = formUrl(deps.settings, form.code);
  const input = {
    amount: submission.amount,
    currency: form.currency,
    customer: await keepKnownDetails(tx, form, submission.customer),
    paymentReference: form.paymentReference,
    successUrl: form.successUrl ?? `${page}?paid=1`,
    cancelUrl: form.cancelUrl ?? page,
    expiresAt: null,
    metadata: submission.metadata,
    wallets: [],
    form: { id: form.id, quantity: submission.quantity },
  };
  return createPaymentLink(tx, deps, { owner: { merchant, env }, input }, now);
}

/**
 * Anyone can submit a form with anyone's e-mail address. So a submission never changes the stored details of a customer
 * whom the merchant knows. What was submitted is in the link's metadata.
 */
async function keepKnownDetails(
  tx: Tx,
  { env, merchantId }: FormRow,
  given: CustomerDetails,
): Promise<CustomerDetails> {
  const known = await findCustomerByEmail(tx, { env, merchantId }, given.email);
  if (known === null) return given;
  const { firstName, lastName, phone } = known;
  return { email: given.email, firstName, lastName, phone };
}

/** Forgets submissions that are older than a day, and the visitors of those that no longer count. */
export async function forgetVisits(db: Db, now: Date): Promise<void> {
  await deleteVisitsBefore(db, {
    visits: new Date(now.getTime() - VISIT_LIFETIME_MS),
    visitors: new Date(now.getTime() - VISITOR_WINDOW_MS),
  });
}
