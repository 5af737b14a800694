import type { Env } from "#lib/chains/network-data.ts";
import { isRedirectUrl, MAX_REDIRECT_URL } from "#lib/domain/payment-links/redirect-url-rules.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { parseCurrencyAmount } from "#lib/platform/money/currency-amount.ts";
import { isFilledLine } from "#lib/platform/plain-text.ts";
import { FORM_QUESTIONS, type FormQuestion } from "./question-rules.ts";
import type { FormClosed, FormInput, FormRow, FormTaken, FormTerms } from "./types.ts";

export const MAX_TITLE = 100;
export const MAX_DESCRIPTION = 1_000;
export const MAX_LABEL = 60;
export const MAX_FIELDS = 3;
export const MAX_SUGGESTIONS = 6;
export const MAX_QUANTITY = 1_000;
/** The links that take from the stock are added up at each submission. */
export const MAX_STOCK = 100_000;
const REFERENCE = /^[A-Za-z0-9]{1,20}$/;

export type FormProblem =
  | "form_title_malformed"
  | "form_description_malformed"
  | "form_currency_unknown"
  | "form_amount_malformed"
  | "form_amounts_contradict"
  | "form_ask_unknown"
  | "form_fields_malformed"
  | "form_quantity_out_of_range"
  | "form_stock_out_of_range"
  | "form_reference_malformed"
  | "form_url_not_https"
  | "form_expires_at_past"
  | "form_expires_at_far";

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** As isFilledLine, with line breaks. */
export function isParagraph(text: string, most: number): boolean {
  return isFilledLine(text.replace(/[\r\n\t]/g, " "), most);
}

/** Days of the console have four digits, in every time zone. */
const LAST_END = new Date("2100-01-01T00:00:00Z");

function findEndProblem(expiresAt: Date | null, now: Date): FormProblem | null {
  if (expiresAt !== null && expiresAt <= now) return "form_expires_at_past";
  return expiresAt !== null && expiresAt >= LAST_END ? "form_expires_at_far" : null;
}

/** Checks what a merchant says of a form, and reads its amounts. `changed` are the members that this request gives. */
export function parseFormTerms(
  input: FormInput,
  changed: ReadonlySet<keyof FormInput>,
  { env, now }: { readonly env: Env; readonly now: Date },
): { readonly ok: true; readonly terms: FormTerms } | { readonly ok: false; readonly reason: FormProblem } {
  const { currency, expiresAt } = input;
  if (!isCurrencyCode(currency)) return { ok: false, reason: "form_currency_unknown" };
  const amounts = parseAmounts(input, currency);
  const end = changed.has("expiresAt") ? findEndProblem(expiresAt, now) : null;
  const problem = findTextProblem(input, env) ?? end;
  if (problem !== null) return { ok: false, reason: problem };
  if (amounts === null) return { ok: false, reason: "form_amount_malformed" };
  if (contradict(amounts)) return { ok: false, reason: "form_amounts_contradict" };
  const ask = FORM_QUESTIONS.filter((question) => input.ask.includes(question));
  const suggestedAmounts = amounts.suggested.map((units) => formatAmount(units, CURRENCIES[currency]));
  return {
    ok: true,
    terms: {
      ...input,
      currency,
      ask,
      suggestedAmounts,
      amount: amounts.amount,
      minimumAmount: amounts.minimum,
      maximumAmount: amounts.maximum,
      totalLimit: amounts.limit,
    },
  };
}

function findTextProblem(input: FormInput, env: Env): FormProblem | null {
  const { title, description, ask, fields, maxQuantity, stock, paymentReference } = input;
  if (!isFilledLine(title, MAX_TITLE)) return "form_title_malformed";
  if (description !== null && !isParagraph(description, MAX_DESCRIPTION)) return "form_description_malformed";
  if (!ask.every((one) => FORM_QUESTIONS.includes(one as FormQuestion))) return "form_ask_unknown";
  const labels = new Set(fields);
  if (fields.length > MAX_FIELDS || labels.size < fields.length) return "form_fields_malformed";
  if (!fields.every((label) => isFilledLine(label, MAX_LABEL))) return "form_fields_malformed";
  if (!isWholeNumber(maxQuantity, 1, MAX_QUANTITY)) return "form_quantity_out_of_range";
  if (stock !== null && !isWholeNumber(stock, 0, MAX_STOCK)) return "form_stock_out_of_range";
  if (paymentReference !== null && !REFERENCE.test(paymentReference)) return "form_reference_malformed";
  const urls = [input.successUrl, input.cancelUrl].flatMap((url) => url ?? []);
  if (!urls.every((url) => url.length <= MAX_REDIRECT_URL && isRedirectUrl(url, env)))
    return "form_url_not_https";
  return null;
}

function isWholeNumber(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

interface Amounts {
  readonly amount: bigint | null;
  readonly minimum: bigint | null;
  readonly maximum: bigint | null;
  readonly limit: bigint | null;
  readonly suggested: readonly bigint[];
}

/** Returns null if one of the texts is not an amount of the currency above 0. */
function parseAmounts(input: FormInput, currency: CurrencyCode): Amounts | null {
  const read = (text: string | null): Parsed<bigint | null> => {
    if (text === null) return { ok: true, value: null };
    const units = parseCurrencyAmount(text, currency);
    return units === null ? { ok: false } : { ok: true, value: units };
  };
  const amount = read(input.amount);
  const minimum = read(input.minimumAmount);
  const maximum = read(input.maximumAmount);
  const limit = read(input.totalLimit);
  const suggested = input.suggestedAmounts.flatMap((text) => parseCurrencyAmount(text, currency) ?? []);
  if (!amount.ok || !minimum.ok || !maximum.ok || !limit.ok) return null;
  if (suggested.length < input.suggestedAmounts.length) return null;
  return {
    amount: amount.value,
    minimum: minimum.value,
    maximum: maximum.value,
    limit: limit.value,
    suggested,
  };
}

/** True if a fixed amount comes with what belongs to an open one, or if no amount would be possible. */
function contradict({ amount, minimum, maximum, suggested }: Amounts): boolean {
  if (amount !== null) return minimum !== null || maximum !== null || suggested.length > 0;
  if (minimum !== null && maximum !== null && minimum > maximum) return true;
  if (suggested.length > MAX_SUGGESTIONS || new Set(suggested).size < suggested.length) return true;
  return suggested.some((units) => !isInRange(units, minimum, maximum));
}

/** True if the amount is at least the minimum and at most the maximum, where there is one. */
export function isInRange(units: bigint, minimum: bigint | null, maximum: bigint | null): boolean {
  return (minimum === null || units >= minimum) && (maximum === null || units <= maximum);
}

/** The stored terms as the texts of a request, so that a change is checked with everything else. */
export function toFormInput(form: FormTerms): FormInput {
  const write = (units: bigint | null) =>
    units === null ? null : formatAmount(units, CURRENCIES[form.currency]);
  return {
    title: form.title,
    description: form.description,
    currency: form.currency,
    amount: write(form.amount),
    minimumAmount: write(form.minimumAmount),
    maximumAmount: write(form.maximumAmount),
    suggestedAmounts: form.suggestedAmounts,
    ask: form.ask,
    fields: form.fields,
    maxQuantity: form.maxQuantity,
    stock: form.stock,
    totalLimit: write(form.totalLimit),
    paymentReference: form.paymentReference,
    successUrl: form.successUrl,
    cancelUrl: form.cancelUrl,
    expiresAt: form.expiresAt,
  };
}

/** Why a form accepts nothing now, or null. A disabled merchant's forms are closed. */
export function findFormClosed(
  form: Pick<FormRow, "archivedAt" | "expiresAt" | "stock" | "totalLimit" | "amount" | "minimumAmount">,
  { taken, merchantActive, now }: { taken: FormTaken; merchantActive: boolean; now: Date },
): FormClosed | null {
  const over = form.expiresAt !== null && now >= form.expiresAt;
  if (form.archivedAt !== null || over || !merchantActive) return "closed";
  const least = form.amount ?? form.minimumAmount ?? 1n;
  return fits(form, taken, { quantity: 1, amount: least }) ? null : "sold_out";
}

/** True if stock and total limit leave room for this. */
export function fits(
  { stock, totalLimit }: Pick<FormRow, "stock" | "totalLimit">,
  taken: FormTaken,
  { quantity, amount }: FormTaken,
): boolean {
  if (stock !== null && taken.quantity + quantity > stock) return false;
  return totalLimit === null || taken.amount + amount <= totalLimit;
}
