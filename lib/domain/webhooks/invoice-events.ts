/**
 * The event types of the format `btcpay`, with the names that BTCPay Server gives them. It has more types, of other things than invoices. A
 * shop may subscribe to them, and receives none.
 */
export const INVOICE_EVENT_TYPES = [
  "InvoiceCreated",
  "InvoiceReceivedPayment",
  "InvoiceProcessing",
  "InvoicePaymentSettled",
  "InvoiceSettled",
  "InvoiceExpired",
  "InvoiceInvalid",
  "InvoiceExpiredPaidPartial",
  "InvoicePaidAfterExpiration",
] as const;
export type InvoiceEventType = (typeof INVOICE_EVENT_TYPES)[number];
