import { readDay } from "#app/console/m/read-day.ts";
import { FORM_QUESTIONS } from "#lib/domain/forms/question-rules.ts";
import type { FormProblem } from "#lib/domain/forms/rules.ts";
import type { FormInput, FormView } from "#lib/domain/forms/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { readTypedAmount } from "#lib/platform/money/typed-amount.ts";
import { dayAfter, dayIn, startOfDay, timeOfDay } from "#lib/platform/time-zone.ts";

/** The fields of the editor as text. A box that is ticked is "yes". */
export type FormValues = Readonly<Record<string, string>>;

export interface FormFieldProblem {
  readonly field: string;
  readonly text: string;
}

const about = (field: string, text: string): FormFieldProblem => ({ field, text });

export const FORM_PROBLEMS: Readonly<
  Record<FormProblem | "form_not_found" | "form_archived", FormFieldProblem>
> = {
  form_title_malformed: about("title", "Enter a title of 1 to 100 characters."),
  form_description_malformed: about("description", "Enter at most 1,000 characters."),
  form_currency_unknown: about("currency", "Choose a currency."),
  form_amount_malformed: about("amount", "Enter amounts above 0, such as 25.50."),
  form_amounts_contradict: about(
    "amount",
    "With a fixed amount there is no smallest, largest or suggested one. Suggestions, at most six, lie between the two.",
  ),
  form_ask_unknown: about("ask", "Choose what to ask."),
  form_fields_malformed: about("fields", "Ask at most three questions of your own, of 60 characters each."),
  form_quantity_out_of_range: about("maxQuantity", "Enter a number from 1 to 1,000."),
  form_stock_out_of_range: about("stock", "Enter a number from 0 to 100,000."),
  form_reference_malformed: about("paymentReference", "Enter 1 to 20 letters and digits."),
  form_url_not_https: about("successUrl", "Enter an address that begins with https://."),
  form_expires_at_far: about("expiresAt", "Choose a day before 2100."),
  form_expires_at_past: about("expiresAt", "Choose a day in the future."),
  form_not_found: about("title", "There is no such form."),
  form_archived: about("title", "The form is closed. Make a new one."),
};

const SECOND_MS = 1_000;

/** The fields of the editor for a form. Without a form they are those of a new one. */
export function showForm(form: FormView | null, timeZone: string): FormValues {
  if (form === null) return { currency: "ngn", "ask:email": "yes", "ask:name": "yes", maxQuantity: "1" };
  const amount = (units: bigint | null) =>
    units === null ? "" : formatAmount(units, CURRENCIES[form.currency]);
  return {
    title: form.title,
    description: form.description ?? "",
    currency: form.currency,
    amount: amount(form.amount),
    minimumAmount: amount(form.minimumAmount),
    maximumAmount: amount(form.maximumAmount),
    suggestedAmounts: form.suggestedAmounts.join(" "),
    ...Object.fromEntries(form.ask.map((question) => [`ask:${question}`, "yes"])),
    fields: form.fields.join("\n"),
    maxQuantity: String(form.maxQuantity),
    stock: form.stock === null ? "" : String(form.stock),
    totalLimit: amount(form.totalLimit),
    paymentReference: form.paymentReference,
    successUrl: form.successUrl ?? "",
    expiresAt: form.expiresAt === null ? "" : dayIn(timeZone, form.expiresAt),
    end:
      form.expiresAt === null
        ? ""
        : `${dayIn(timeZone, form.expiresAt)} ${timeOfDay(timeZone, form.expiresAt)}`,
  };
}

/**
 * A posted editor asks for this. The rules of each field are the form's (lib/domain/forms/rules.ts). `before` is the form that is
 * changed: the editor shows only the day of its end, so that the same day means the same end, and it has a currency already.
 */
export function readForm(
  read: (name: string) => string,
  before: { readonly expiresAt: Date | null; readonly currency: CurrencyCode } | null,
  timeZone: string,
): Omit<FormInput, "currency" | "cancelUrl"> & { readonly currency?: string } {
  const text = (name: string) => read(name).trim();
  const orNull = (name: string) => text(name) || null;
  const currency = before?.currency ?? text("currency");
  const decimals = isCurrencyCode(currency) ? CURRENCIES[currency] : 0;
  const readTyped = (typed: string) => readTypedAmount(typed, decimals);
  const amount = (name: string) => readTyped(read(name)) || null;
  const wholeNumber = (name: string) => (/^[0-9]{1,9}$/.test(text(name)) ? Number(text(name)) : Number.NaN);
  const day = readDay(text("expiresAt"));
  const kept = before?.expiresAt ?? null;
  const isKept = kept !== null && day === dayIn(timeZone, kept);
  const typed = day === null ? null : new Date(startOfDay(timeZone, dayAfter(day)).getTime() - SECOND_MS);
  return {
    title: text("title"),
    description: orNull("description")?.replaceAll("\r\n", "\n") ?? null,
    ...(text("currency") !== "" && { currency: text("currency") }),
    amount: amount("amount"),
    minimumAmount: amount("minimumAmount"),
    maximumAmount: amount("maximumAmount"),
    suggestedAmounts: text("suggestedAmounts").split(/\s+/).filter(Boolean).map(readTyped),
    ask: FORM_QUESTIONS.filter((question) => read(`ask:${question}`) === "yes"),
    fields: read("fields")
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
    maxQuantity: wholeNumber("maxQuantity"),
    stock: text("stock") === "" ? null : wholeNumber("stock"),
    totalLimit: amount("totalLimit"),
    paymentReference: orNull("paymentReference"),
    successUrl: orNull("successUrl"),
    expiresAt: isKept ? kept : typed,
  };
}
