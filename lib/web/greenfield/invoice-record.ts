import { findLinkPair, isSamePair, type PaymentPair } from "#lib/chains/networks.ts";
import { paymentMethodId } from "#lib/chains/payment-method.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { merchantPairs } from "#lib/domain/payment-links/availability-rules.ts";
import { toInvoiceStatus } from "#lib/domain/payment-links/invoice-rules.ts";
import { isUnpaid } from "#lib/domain/payment-links/rules.ts";
import type { PaymentLinkView, PaymentView, TokenAmount } from "#lib/domain/payment-links/types.ts";
import type { PaymentLinkRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import { invoiceMetadata, invoicePaymentRecord } from "#lib/domain/payment-links/view/invoice-record.ts";
import { formatAmount, parseAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { toSeconds } from "./answers.ts";
import { SPEED_POLICY } from "./store-record.ts";

/** Decimals of a payment's worth, the part of the link that it pays. */
export const WORTH_DECIMALS = 18;

export interface InvoicePlace {
  readonly merchant: Merchant;
  readonly storeId: string;
  readonly publicUrl: string;
  readonly confirmGraceHours: number;
}

const minutesBetween = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / 60_000);

/** A link as an invoice. */
export function invoiceRecord(link: PaymentLinkRecord, place: InvoicePlace) {
  const { status, additionalStatus } = toInvoiceStatus(link, link.coverage);
  const { refid, currency, createdAt, expiresAt, paymentLink, successUrl } = link;
  const graceMinutes = place.confirmGraceHours * 60;
  return {
    id: refid,
    storeId: place.storeId,
    amount: formatAmount(link.amount, CURRENCIES[currency]),
    paidAmount: formatAmount(paidAmount(link), CURRENCIES[currency]),
    currency: currency.toUpperCase(),
    type: "Standard",
    checkoutLink: `${place.publicUrl}/i/${refid}`,
    createdTime: toSeconds(createdAt),
    expirationTime: toSeconds(expiresAt),
    monitoringExpiration: toSeconds(expiresAt) + graceMinutes * 60,
    status,
    additionalStatus,
    // Books follow the chain: nobody marks a link as paid.
    availableStatusesForManualMarking: isMarkable(link) ? ["Invalid"] : [],
    archived: link.isArchived,
    metadata: invoiceMetadata(link),
    checkout: {
      speedPolicy: SPEED_POLICY,
      paymentMethods: offeredPairs(link, place.merchant).map(paymentMethodId),
      defaultPaymentMethod: null,
      lazyPaymentMethods: true,
      expirationMinutes: minutesBetween(createdAt, expiresAt),
      monitoringMinutes: graceMinutes,
      paymentTolerance: place.merchant.toleranceUnderBps / 100,
      redirectURL: successUrl === paymentLink ? null : successUrl,
      redirectAutomatically: true,
      defaultLanguage: link.language,
    },
    receipt: { enabled: true, showQR: null, showPayments: null },
  };
}

/** True while a link can be marked as invalid: nobody has paid it. */
export const isMarkable = ({ state }: Pick<PaymentLinkRecord, "state">) =>
  state === "open" || state === "awaiting";

/** The pairs that the link can be paid with: its own, else its merchant's. */
export function offeredPairs(
  { pairs }: Pick<PaymentLinkRecord, "pairs">,
  merchant: Merchant,
): readonly PaymentPair[] {
  return pairs === null ? merchantPairs(merchant) : pairs.flatMap((code) => findLinkPair(code) ?? []);
}

/** The part of a link that payments pay, in units of 10^-18. */
export const paidShareOf = (payments: readonly PaymentView[]): bigint =>
  payments.reduce((sum, payment) => sum + worthOf(payment), 0n);

/** The part of the link that is paid, in the same units. */
const paidShare = ({ payments }: Pick<PaymentLinkRecord, "payments">): bigint =>
  paidShareOf(payments.filter(({ status }) => status !== "dropped"));

function worthOf({ worth }: PaymentView): bigint {
  const parsed = worth === null ? null : parseAmount(worth, WORTH_DECIMALS);
  return parsed?.ok ? parsed.units : 0n;
}

/** The amount that was paid, in the smallest unit of the link's currency. */
function paidAmount(link: Pick<PaymentLinkRecord, "payments" | "amount">): bigint {
  return (link.amount * paidShare(link)) / 10n ** BigInt(WORTH_DECIMALS);
}

/** A method of an invoice: what is asked in its token, and what was paid. */
interface MethodAmounts extends PaymentPair {
  readonly destination: string;
  readonly rate: string;
  /** Ledger units that pay the whole link. */
  readonly amount: bigint;
  readonly activated: boolean;
}

/**
 * The methods of an invoice. Once it is paid, only those that paid it: a shop may be unable to keep two currencies. Before, those that the
 * customer selected have an address, the others have estimates.
 */
export function methodRecords(link: PaymentLinkView) {
  const selected = link.wallets.flatMap((wallet): MethodAmounts[] => {
    const quote = link.quotes.find((one) => isSamePair(one, wallet));
    const { network, token, address } = wallet;
    return quote === undefined
      ? []
      : [{ network, token, destination: address, rate: quote.rate, amount: quote.amount, activated: true }];
  });
  const isPaidWith = (pair: PaymentPair) => link.payments.some((one) => isSamePair(one, pair));
  const paying = selected.filter(isPaidWith);
  if (!isUnpaid(link.state) && paying.length > 0) return paying.map((method) => methodRecord(link, method));
  const others = link.estimates.filter((one) => !selected.some((method) => isSamePair(method, one)));
  return [...selected, ...others.map((one) => estimateOf(link, one))].map((method) =>
    methodRecord(link, method),
  );
}

/** A method that nobody selected: its rate follows from the estimate. */
function estimateOf({ amount: whole, currency }: PaymentLinkView, estimate: TokenAmount): MethodAmounts {
  const { network, token, amount } = estimate;
  const RATE_DECIMALS = 8;
  const units = whole * 10n ** BigInt(TOKENS[token].ledgerDecimals + RATE_DECIMALS);
  const rate = amount === 0n ? 0n : units / (amount * 10n ** BigInt(CURRENCIES[currency]));
  return {
    network,
    token,
    destination: "",
    rate: formatAmount(rate, RATE_DECIMALS),
    amount,
    activated: false,
  };
}

/** A share of an amount, rounded to the decimals in which the token is quoted: a share of 18 decimals is not exact. */
function sharedAmount(amount: bigint, share: bigint, token: TokenCode): bigint {
  const { ledgerDecimals, quoteDecimals } = TOKENS[token];
  const step = 10n ** BigInt(ledgerDecimals - quoteDecimals);
  const exact = (amount * share) / 10n ** BigInt(WORTH_DECIMALS);
  return ((exact + step / 2n) / step) * step;
}

function methodRecord(link: PaymentLinkView, method: MethodAmounts) {
  const { network, token, destination, rate, amount, activated } = method;
  const text = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
  const own = link.payments.filter((payment) => isSamePair(payment, method));
  const counting = own.filter(({ status }) => status !== "dropped");
  const totalPaid = sharedAmount(amount, paidShare(link), token);
  return {
    paymentMethodId: paymentMethodId({ network, token }),
    currency: token.toUpperCase(),
    destination,
    paymentLink: null,
    rate,
    paymentMethodPaid: text(counting.reduce((sum, payment) => sum + payment.amount, 0n)),
    totalPaid: text(totalPaid),
    due: text(amount - totalPaid),
    amount: text(amount),
    paymentMethodFee: "0",
    payments: own.map(invoicePaymentRecord),
    activated,
    additionalData: {},
  };
}
