/**
 * The event types of the format `btcpay`, with the names that BTCPay Server gives them. It has more types. A shop may subscribe to them, and
 * receives none.
 */
export const INVOICE_EVENT_TYPES = [
  "InvoiceCreated",
  "InvoiceReceivedPayment",
  "InvoiceProcessing",
  "InvoicePaymentSettled",
  "InvoiceSettled",
  "InvoiceExpired",
  "InvoiceInvalid",
] as const;
export type InvoiceEventType = (typeof INVOICE_EVENT_TYPES)[number];
