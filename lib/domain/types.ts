/** States of a payment link in the order of docs/decisions.md, Payment links, State. Its events carry them too. */
export const LINK_STATES = [
  "open",
  "awaiting",
  "partial",
  "detected",
  "completed",
  "overpaid",
  "failed",
  "expired",
] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** Why a link failed or expired. */
export const LINK_REASONS = ["underpaid", "unconfirmed", "expired", "canceled"] as const;
export type LinkReason = (typeof LINK_REASONS)[number];

/**
 * Which event has reported a payment. `completed`: it was counted in a completion. `extra`: it came on top of one.
 * `failed`: it was there or pending when the link failed. `late`: it came after that. null: no event yet.
 */
export type PaymentAnnouncement = "completed" | "extra" | "failed" | "late";
/** The last event of a payment that shops received: it was seen, or it is final. */
export type ReportedPayment = "received" | "settled";
/** The statuses of a deposit, with their numbers in the database and in the API's fields. deposit-status.ts has the column. */
export const DEPOSIT_STATUS_NUMBERS = { seen: 0, credited: 1, dropped: 2, held: 3 } as const;
/**
 * A seen deposit waits for confirmations. A dropped one is in no block and in no mempool. A held one is confirmed and in the ledger as
 * unmatched: it has no merchant until somebody resolves it.
 */
export type DepositStatus = keyof typeof DEPOSIT_STATUS_NUMBERS;
