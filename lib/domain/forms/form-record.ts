import type { WriteNumber } from "#lib/domain/payment-links/view/link-record.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import type { FormView } from "./types.ts";

/** A form as the API and the command show it. */
export function formRecord<Number>(form: FormView, number: WriteNumber<Number>) {
  const write = (units: bigint) => number(formatAmount(units, CURRENCIES[form.currency]));
  const writeOrNull = (units: bigint | null) => (units === null ? null : write(units));
  return {
    form: form.code,
    form_url: form.url,
    title: form.title,
    description: form.description,
    picture_url: form.picture === null ? null : new URL(`/buy/picture/${form.picture}.webp`, form.url).href,
    amount: writeOrNull(form.amount),
    amount_currency: form.currency,
    minimum_amount: writeOrNull(form.minimumAmount),
    maximum_amount: writeOrNull(form.maximumAmount),
    suggested_amounts: form.suggestedAmounts.map(number),
    ask: form.ask,
    fields: form.fields,
    max_quantity: form.maxQuantity,
    stock: form.stock,
    total_limit: writeOrNull(form.totalLimit),
    taken_quantity: form.taken.quantity,
    taken_amount: write(form.taken.amount),
    payment_reference: form.paymentReference,
    success_url: form.successUrl,
    cancel_url: form.cancelUrl,
    expires_at: form.expiresAt,
    archived_at: form.archivedAt,
    created_at: form.createdAt,
    updated_at: form.updatedAt,
  };
}
