import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { isPaid } from "../rules.ts";
import type { PaymentLinkView, TokenAmount } from "../types.ts";

/** The content of a receipt (docs/integrate/receipts.md), without data of the payer. Amounts are decimal texts. */
export interface Receipt {
  /** Origin of the payment pages that issued it. */
  readonly issuer: string;
  readonly environment: "live" | "test";
  readonly refid: string;
  readonly merchant: string;
  /** The merchant's number at the issuer: two merchants may have one name. Absent in receipts of earlier versions. */
  readonly merchant_id?: number;
  readonly amount: string;
  /** Lower case. */
  readonly currency: string;
  /** ISO 8601, UTC. */
  readonly completed_at: string;
  /** All payments of the link. */
  readonly payment_count: number;
  /** The amounts refunded or promised to the payer until the receipt was made. Receipts of former versions do not say it. */
  readonly refunded?: readonly {
    readonly network: string;
    readonly token: string;
    readonly amount: string;
  }[];
  /** The credited ones of its newest 20, oldest first. */
  readonly transactions: readonly {
    readonly network: string;
    readonly token: string;
    readonly amount: string;
    readonly tx_hash: string;
  }[];
}

/** The receipt of a paid link. Null for a link that is not paid, or not any more. */
export function composeReceipt(view: PaymentLinkView): Receipt | null {
  if (!isPaid(view.state) || view.completedAt === null) return null;
  return {
    issuer: new URL(view.paymentLink).origin,
    environment: view.env,
    refid: view.refid,
    merchant: view.merchantName,
    merchant_id: view.merchantId,
    amount: formatAmount(view.amount, CURRENCIES[view.currency]),
    currency: view.currency,
    completed_at: view.completedAt.toISOString(),
    payment_count: view.paymentCount,
    refunded: view.refunded.map(toText),
    transactions: view.payments
      .filter(({ status }) => status === "credited")
      .map((payment) => ({ ...toText(payment), tx_hash: payment.txHash })),
  };
}

const toText = ({ network, token, amount }: TokenAmount) => ({
  network,
  token,
  amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
});

/** The purpose that the keys of receipts are derived for. */
export const RECEIPT_PURPOSE = "receipt signatures";
