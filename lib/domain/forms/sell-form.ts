import { findCustomerByEmail } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { findLink } from "#lib/domain/payment-links/queries.ts";
import { isRefid, newRefid } from "#lib/domain/payment-links/refid.ts";
import { isPaid } from "#lib/domain/payment-links/rules.ts";
import type { CustomerDetails, LinkServices, PaymentLinkRow } from "#lib/domain/payment-links/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { getTakenOfLimits } from "./queries.ts";
import { findFormClosed, fits } from "./rules.ts";
import { findVisit, lockForm, upsertVisit } from "./store.ts";
import type { Submission } from "./submission-rules.ts";
import type { FormClosed, FormRow } from "./types.ts";
import { formUrl } from "./view-form.ts";

/** One sale of a form. */
export interface FormSale<Refusal> {
  readonly code: string;
  /** SHA-256 of the visit's key and of all that was sent. */
  readonly visit: Buffer;
  /** Keyed hash of the payer's address. null: the sale does not count against a visitor's limit. */
  readonly visitor: Buffer | null;
  /** Whether a link of the same visit is the answer, by its state and amount and by the form as it is now. */
  readonly isRepeat: (link: Pick<PaymentLinkRow, "state" | "amount">, form: FormRow) => boolean;
  /** Reads what is sold from the form while that is locked: the merchant may have changed it. */
  readonly read: (
    form: FormRow,
  ) => Promise<({ readonly ok: true } & Submission) | { readonly ok: false; readonly reason: Refusal }>;
  /** The device that sells, and its page. null: the payer does on the form's page. */
  readonly device: { readonly id: number; readonly page: string } | null;
}

type SaleRefusal = FormClosed | "not_found" | "too_few_left" | "amount_not_possible";

/**
 * Creates the payment link of a sale. Stock and limit are taken in this transaction, while the form is locked, so that
 * nothing is sold twice.
 */
export async function sellForm<Refusal>(
  tx: Tx,
  deps: LinkServices,
  sale: FormSale<Refusal>,
  now: Date,
): Promise<
  | { readonly ok: true; readonly refid: string }
  | { readonly ok: false; readonly reason: SaleRefusal | Refusal }
> {
  const locked = await lockForm(tx, sale.code);
  if (locked === null) return { ok: false, reason: "not_found" };
  const { form, merchant } = locked;
  const before = await findRepeat(tx, form, sale);
  if (before !== null) return { ok: true, refid: before };
  const submission = await sale.read(form);
  if (!submission.ok) return submission;
  const taken = await getTakenOfLimits(tx, form);
  const closed = findFormClosed(form, { taken, merchantActive: merchant.status === "active", now });
  if (closed !== null) return { ok: false, reason: closed };
  if (!fits(form, taken, submission)) return { ok: false, reason: "too_few_left" };
  const created = await createLink(tx, deps, { form, merchant, submission, device: sale.device }, now);
  // The only refusal without wallets: no network can receive as little.
  if (!created.ok) return { ok: false, reason: "amount_not_possible" };
  const { refid } = created.link;
  const { visit, visitor } = sale;
  await upsertVisit(tx, { formId: form.id, visit, refid, visitor, createdAt: now });
  return { ok: true, refid };
}

/** The link of the same visit, if it is the answer to this sale. */
export async function findRepeat(
  db: Db | Tx,
  form: FormRow,
  { visit, isRepeat }: Pick<FormSale<never>, "visit" | "isRepeat">,
): Promise<string | null> {
  const refid = await findVisit(db, form.id, visit);
  const found = refid === null ? null : await findLink(db, refid);
  return found !== null && isRepeat(found.link, form) ? refid : null;
}

async function createLink(
  tx: Tx,
  deps: LinkServices,
  sale: {
    readonly form: FormRow;
    readonly merchant: Merchant;
    readonly submission: Submission;
    readonly device: FormSale<never>["device"];
  },
  now: Date,
) {
  const { form, merchant, submission, device } = sale;
  const { env } = form;
  const page = formUrl(deps.settings, form.code);
  const refid = newRefid();
  const input = {
    refid,
    amount: submission.amount,
    currency: form.currency,
    customer: await keepKnownDetails(tx, form, submission.customer),
    paymentReference: form.paymentReference,
    successUrl: device?.page ?? form.successUrl ?? paidUrl(page, refid),
    cancelUrl: device?.page ?? form.cancelUrl ?? page,
    expiresAt: null,
    metadata: submission.metadata,
    wallets: [],
    form: { id: form.id, quantity: submission.quantity, deviceId: device?.id ?? null },
  };
  return createPaymentLink(tx, deps, { owner: { merchant, env }, input }, now);
}

/** The page of a form after the payment of a link. It says so only if isPaidSale finds it paid: anyone can write such an address. */
function paidUrl(page: string, refid: string): string {
  return `${page}?paid=${refid}`;
}

/** True if this link of the form is paid. */
export async function isPaidSale(db: Db, form: Pick<FormRow, "id">, refid: string): Promise<boolean> {
  const found = isRefid(refid) ? await findLink(db, refid) : null;
  return found !== null && found.link.formId === form.id && isPaid(found.link.state);
}

/**
 * Anyone can submit a form with anyone's e-mail address. So a submission never changes the stored details of a customer
 * whom the merchant knows. The submitted details are in the link's metadata.
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
