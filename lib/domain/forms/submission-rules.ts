import { CUSTOMER_EMAIL, MAX_CUSTOMER_TEXT } from "#lib/domain/merchants/customer-rules.ts";
import type { CustomerDetails } from "#lib/domain/payment-links/types.ts";
import { parseCurrencyAmount } from "#lib/platform/money/currency-amount.ts";
import { isFilledLine } from "#lib/platform/plain-text.ts";
import type { FormQuestion } from "./question-rules.ts";
import { isInRange, isParagraph } from "./rules.ts";
import type { FormTerms, SubmittedFields } from "./types.ts";

export const MAX_NOTE = 500;
export const MAX_ANSWER = 200;
export const MAX_PHONE = 40;

/** A submission that the form's rules accept. */
export interface Submission {
  readonly quantity: number;
  /** For all units, in the smallest unit of the currency. */
  readonly amount: bigint;
  readonly customer: CustomerDetails;
  /** JSON of the link: the form, the quantity and every answer. */
  readonly metadata: string;
}

export type SubmissionProblem = "amount_not_possible" | "answers_malformed";

type AskedTerms = Pick<
  FormTerms,
  "currency" | "amount" | "minimumAmount" | "maximumAmount" | "maxQuantity" | "ask" | "fields"
> & { readonly code: string };

type Read<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly reason: SubmissionProblem };
type Quantity = Pick<Submission, "quantity" | "amount">;

/** Checks the answers of a payer. Answers that the form does not ask for are ignored. */
export function readSubmission(form: AskedTerms, given: SubmittedFields): Read<Submission> {
  const read = readQuantity(form, given);
  if (!read.ok) return read;
  const answers = readAnswers(form, given);
  if (answers === null) return { ok: false, reason: "answers_malformed" };
  const { email, first_name: firstName, last_name: lastName, phone } = answers;
  const guest = composeGuest(form);
  return {
    ...read,
    customer: {
      email: email ?? guest.email,
      firstName: firstName ?? guest.firstName,
      lastName: lastName ?? guest.lastName,
      phone: phone ?? null,
    },
    metadata: JSON.stringify({ form: form.code, quantity: read.quantity, ...answers }),
  };
}

/** Checks what a device of the merchant sells, called `device`. The payer is asked nothing. */
export function readSale(
  form: AskedTerms,
  given: Pick<SubmittedFields, "amount" | "quantity">,
  device: string,
): Read<Submission> {
  const read = readQuantity(form, given);
  if (!read.ok) return read;
  const metadata = JSON.stringify({ form: form.code, quantity: read.quantity, device });
  return { ...read, customer: composeGuest(form), metadata };
}

function readQuantity(form: AskedTerms, given: Pick<SubmittedFields, "amount" | "quantity">): Read<Quantity> {
  const quantity = form.maxQuantity === 1 ? 1 : Number(/^[1-9][0-9]{0,3}$/.exec(given.quantity)?.[0] ?? 0);
  if (quantity < 1 || quantity > form.maxQuantity) return { ok: false, reason: "answers_malformed" };
  const each = form.amount ?? parseCurrencyAmount(given.amount.trim(), form.currency);
  if (each === null || !isInRange(each, form.minimumAmount, form.maximumAmount))
    return { ok: false, reason: "amount_not_possible" };
  return { ok: true, quantity, amount: each * BigInt(quantity) };
}

/** A link has a customer. A customer who is not asked for an address is the form's guest: mail to .invalid goes nowhere. */
function composeGuest({ code }: AskedTerms): CustomerDetails {
  return { email: `guest@${code.toLowerCase()}.invalid`, firstName: "Guest", lastName: "-", phone: null };
}

interface Answers {
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly phone?: string;
  readonly note?: string;
  /** By the merchant's labels. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Returns null if an answer is missing or malformed. */
function readAnswers({ ask, fields: labels }: AskedTerms, given: SubmittedFields): Answers | null {
  const asks = (question: FormQuestion) => ask.includes(question);
  const email = given.email.trim();
  const [firstName, lastName, phone, note] = [given.firstName, given.lastName, given.phone, given.note].map(
    (text) => text.trim(),
  ) as [string, string, string, string];
  const answers = labels.map((label, i) => [label, given.fields[i]?.trim() ?? ""] as const);
  const wrong =
    (asks("email") && !(CUSTOMER_EMAIL.test(email) && email.length <= MAX_CUSTOMER_TEXT)) ||
    (asks("name") && ![firstName, lastName].every((name) => isFilledLine(name, MAX_ANSWER))) ||
    (asks("phone") && !isFilledLine(phone, MAX_PHONE)) ||
    (asks("note") && note !== "" && !isParagraph(note, MAX_NOTE)) ||
    !answers.every(([, answer]) => isFilledLine(answer, MAX_ANSWER));
  if (wrong) return null;
  return {
    ...(asks("email") && { email }),
    ...(asks("name") && { first_name: firstName, last_name: lastName }),
    ...(asks("phone") && { phone }),
    ...(asks("note") && note !== "" && { note }),
    ...(labels.length > 0 && { fields: Object.fromEntries(answers) }),
  };
}
