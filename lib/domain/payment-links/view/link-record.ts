import { displayPosition } from "#lib/chains/transfers.ts";
import { DEPOSIT_STATUS_NUMBERS } from "#lib/domain/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { itemTexts } from "../order-rules.ts";
import type { PaymentLinkSummary, PaymentLinkView, PaymentView, TokenAmount } from "../types.ts";

/**
 * Writes decimal text as a number of the record. Events carry decimal text; the API carries exact JSON numbers.
 */
export type WriteNumber<Number> = (decimal: string) => Number;

/** The fields that identify a link, as the API and events show them. */
export function linkIdentityRecord(link: PaymentLinkSummary) {
  return {
    refid: link.refid,
    payment_reference: link.paymentReference,
    payment_link: link.paymentLink,
  };
}

/** The price and the deadline of a link. `expires_at` has no milliseconds. */
export function linkTermsRecord<Number>(link: PaymentLinkSummary, number: WriteNumber<Number>) {
  return {
    amount_required: number(formatAmount(link.amount, CURRENCIES[link.currency])),
    amount_currency: link.currency,
    expires_at: link.expiresAt.toISOString().replace(/\.\d{3}Z$/, "Z"),
  };
}

export function customerRecord({ customer }: PaymentLinkSummary) {
  return {
    email: customer.email,
    first_name: customer.firstName,
    last_name: customer.lastName,
    phone: customer.phone,
  };
}

/** The positions of the order. An amount is that of the whole quantity, in the link's currency. */
export function itemRecords<Number>(
  { items, currency }: Pick<PaymentLinkView, "items" | "currency">,
  number: WriteNumber<Number>,
) {
  return itemTexts(items, currency).map((item) => ({ ...item, amount: number(item.amount) }));
}

export function tokenAmountRecord<Number>(
  { network, token, amount }: TokenAmount,
  number: WriteNumber<Number>,
) {
  return { network, token, amount: number(formatAmount(amount, TOKENS[token].ledgerDecimals)) };
}

export function paymentRecord<Number>(payment: PaymentView, number: WriteNumber<Number>) {
  return {
    network: payment.network,
    token: payment.token,
    address: payment.address,
    tx_hash: payment.txHash,
    output_pos: displayPosition(payment.position),
    amount: tokenAmountRecord(payment, number).amount,
    worth: payment.worth === null ? null : number(payment.worth),
    confirmations: payment.confirmations,
    required_confirmations: payment.requiredConfirmations,
    status: DEPOSIT_STATUS_NUMBERS[payment.status],
    late: payment.late,
    first_seen_at: payment.firstSeenAt.toISOString(),
    confirmed_at: payment.confirmedAt?.toISOString() ?? null,
  };
}
