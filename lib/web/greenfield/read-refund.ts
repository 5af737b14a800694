import { findNetworkToken } from "#lib/chains/network-data.ts";
import { isSamePair, type PaymentPair } from "#lib/chains/networks.ts";
import { findPaymentMethod } from "#lib/chains/payment-method.ts";
import { isPaid } from "#lib/domain/payment-links/rules.ts";
import type { PaymentLinkRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import { SHARE_PARTS, type ShopRefund } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { divCeil, parseAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { FieldProblem } from "./answers.ts";
import { paidShareOf, WORTH_DECIMALS } from "./invoice-record.ts";
import { readRounded } from "./read-amount.ts";
import type { Fields } from "./read-fields.ts";
import type { GreenfieldCall } from "./route.ts";

const WHOLE_LINK = 10n ** BigInt(WORTH_DECIMALS);
/** Decimals of a percentage. */
const PERCENT_DECIMALS = 10;

/** A link and the pair of its payments that is refunded. */
export interface RefundedLink {
  readonly link: PaymentLinkRecord;
  readonly pair: PaymentPair;
}

const isCredited = ({ status }: PaymentLinkRecord["payments"][number]) => status === "credited";

/** The pair of a refund: one of those that the plugin asks for and that paid, else the newest that paid. */
export function findPaidPair(link: PaymentLinkRecord, { fields }: GreenfieldCall): PaymentPair | null {
  const ids = [
    ...(fields.texts("payoutMethods") ?? []),
    ...(fields.texts("paymentMethods") ?? []),
    fields.text("payoutMethodId") ?? "",
    fields.text("paymentMethod") ?? "",
  ];
  const paid = link.payments.filter(isCredited);
  const asked = ids.flatMap((id) => findPaymentMethod(id) ?? []);
  const found = paid.find((payment) => asked.some((pair) => isSamePair(pair, payment))) ?? paid.at(-1);
  return found === undefined ? null : { network: found.network, token: found.token };
}

/** All that is left of what was received, or of what was paid too much. */
export function wholeRefund({ pair }: RefundedLink, of: "all" | "excess", call: GreenfieldCall): ShopRefund {
  return { of, forgiven: 0n, kept: 0n, step: stepOf(pair, call) };
}

/** Reads an amount of the link's currency, at the rate at which its payments count, or of the token itself. */
export function readRefund(
  { link, pair }: RefundedLink,
  { text, currency }: { readonly text: string | null; readonly currency: string | null },
  call: GreenfieldCall,
): ShopRefund | FieldProblem {
  const code = (currency || link.currency).toLowerCase();
  const step = stepOf(pair, call);
  const malformed = { path: "amount", message: "The amount is not a decimal number above 0." };
  if (code === pair.token) {
    const of = readRounded(text ?? "", TOKENS[pair.token].ledgerDecimals);
    return of === null ? malformed : { of, forgiven: 0n, kept: 0n, step };
  }
  if (code !== link.currency)
    return {
      path: "currency",
      message: "The currency is neither that of the invoice nor that of the payment.",
    };
  const units = readRounded(text ?? "", CURRENCIES[link.currency]);
  if (units === null) return malformed;
  const own = link.payments.filter((payment) => isCredited(payment) && isSamePair(payment, pair));
  const credited = own.reduce((sum, { amount }) => sum + amount, 0n);
  const share = paidShareOf(own);
  // A payment without a rate has no worth in the link's currency.
  if (share === 0n)
    return { path: "currency", message: "The payment has no rate yet. Say the amount in its token." };
  const missing = isPaid(link.state) ? WHOLE_LINK - paidShareOf(link.payments.filter(isCredited)) : 0n;
  const forgiven = missing > 0n ? divCeil(credited * missing, share) : 0n;
  return { of: (credited * WHOLE_LINK * units) / (share * link.amount), forgiven, kept: 0n, step };
}

/** Reads the percentage that the shop keeps. */
export function readKept(fields: Fields): bigint | FieldProblem {
  const text = fields.text("subtractPercentage");
  if (text === null || text === "") return 0n;
  const parsed = parseAmount(text, PERCENT_DECIMALS, 100n * 10n ** BigInt(PERCENT_DECIMALS));
  return parsed.ok && parsed.units >= 0n
    ? (parsed.units * SHARE_PARTS) / (100n * 10n ** BigInt(PERCENT_DECIMALS))
    : { path: "subtractPercentage", message: "The percentage is not a number from 0 to 100." };
}

/** Ledger units of the smallest amount of a pair that can be sent. */
function stepOf({ network, token }: PaymentPair, { api, caller }: GreenfieldCall): bigint {
  const data = api.networks.find(caller.env, network)?.data;
  const listed = data === undefined ? null : findNetworkToken(data, caller.env, token);
  const { ledgerDecimals } = TOKENS[token];
  return 10n ** BigInt(ledgerDecimals - (listed?.decimals ?? ledgerDecimals));
}
