import { randomBytes } from "node:crypto";
import { logoPath } from "#components/checkout/checkout-model.ts";
import { priceText } from "#components/checkout/money-text.ts";
import type { FormQuestion } from "#lib/domain/forms/question-rules.ts";
import type { FormClosed, FormRow } from "#lib/domain/forms/types.ts";
import type { MerchantBranding } from "#lib/domain/payment-links/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";

/** An amount as a browser's number field takes it, and for reading. */
interface FormAmount {
  readonly value: string;
  readonly text: string;
}

/** The content of a form's page. */
export interface FormModel {
  readonly code: string;
  /** Identifies this visit, so that pressing the button twice creates one link. */
  readonly visit: string;
  readonly test: boolean;
  readonly merchantName: string;
  readonly logo: string | null;
  readonly title: string;
  readonly description: string | null;
  /** Path of the picture. */
  readonly picture: string | null;
  /** The fixed price. Null: the payer chooses the amount. */
  readonly price: string | null;
  /** Upper case. */
  readonly currency: string;
  readonly minimum: FormAmount | null;
  readonly maximum: FormAmount | null;
  /** The smallest unit of the currency, such as "0.01". */
  readonly step: string;
  readonly suggestions: readonly string[];
  readonly ask: readonly FormQuestion[];
  readonly fields: readonly string[];
  readonly maxQuantity: number;
  readonly closed: FormClosed | null;
  readonly lang: string | null;
  /** A form has no pair. The language switch keeps it for links. */
  readonly pair: null;
  readonly widgetParams: Readonly<Record<string, string>>;
}

interface FormContext {
  readonly merchant: MerchantBranding & { readonly name: string };
  readonly closed: FormClosed | null;
  readonly paymentUrl: string;
  readonly locale: string;
  readonly lang: string | null;
  readonly widgetParams: Readonly<Record<string, string>>;
}

export function buildFormModel(form: FormRow, context: FormContext): FormModel {
  const { merchant, closed, paymentUrl, locale, lang, widgetParams } = context;
  const { currency } = form;
  const decimals = CURRENCIES[currency];
  const show = (units: bigint | null): FormAmount | null =>
    units === null
      ? null
      : { value: formatAmount(units, decimals), text: priceText(units, currency, locale) };
  return {
    code: form.code,
    visit: randomBytes(16).toString("hex"),
    test: form.env === "test",
    merchantName: merchant.name,
    logo: logoPath({ branding: merchant, paymentLink: `${paymentUrl}/` }),
    title: form.title,
    description: form.description,
    picture: form.picture === null ? null : `/buy/picture/${form.picture}.webp`,
    price: show(form.amount)?.text ?? null,
    currency: currency.toUpperCase(),
    minimum: show(form.minimumAmount),
    maximum: show(form.maximumAmount),
    step: formatAmount(1n, decimals),
    suggestions: form.suggestedAmounts,
    ask: form.ask,
    fields: form.fields,
    maxQuantity: form.maxQuantity,
    closed,
    lang,
    pair: null,
    widgetParams,
  };
}
