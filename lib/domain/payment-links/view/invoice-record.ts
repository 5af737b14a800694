import { displayPosition } from "#lib/chains/transfers.ts";
import { JsonText, type JsonValue } from "#lib/platform/json-text.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { PaymentView } from "../types.ts";

/** The parts of a payment that its record needs. The address is in the form that wallets display. */
export type InvoicePayment = Pick<
  PaymentView,
  "address" | "txHash" | "position" | "amount" | "token" | "firstSeenAt" | "status"
>;

const STATUSES = { seen: "Processing", credited: "Settled", dropped: "Invalid" } as const;

/**
 * A payment of an invoice, as answers and events show it to plugins of shops for BTCPay Server. Amounts are decimal texts, times whole
 * seconds.
 */
export function invoicePaymentRecord(payment: InvoicePayment) {
  const { txHash, token, amount, status, address, firstSeenAt } = payment;
  const position = displayPosition(payment.position);
  return {
    id: position === null ? txHash : `${txHash}-${position}`,
    receivedDate: Math.floor(firstSeenAt.getTime() / 1_000),
    value: formatAmount(amount, TOKENS[token].ledgerDecimals),
    fee: "0",
    status: STATUSES[status],
    destination: address,
  };
}

/** The metadata of an invoice: as it was submitted, or the reference of a link that has none. */
export function invoiceMetadata(link: {
  readonly metadata: string | null;
  readonly paymentReference: string;
}): JsonValue {
  return link.metadata === null ? { orderId: link.paymentReference } : new JsonText(link.metadata);
}
