import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { RefundAmount } from "../create/refund-rules.ts";
import type { refundClaims } from "./tables.ts";

/** A stored refund claim. `amount` is in ledger units. */
export type RefundClaim = typeof refundClaims.$inferSelect;

/** open: the payer can still enter an address. used: it became a withdrawal. */
export const CLAIM_STATES = ["open", "used", "revoked", "expired"] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/** A request for a refund claim. */
export interface ClaimRequest {
  /** The refid of the payment link. */
  readonly paymentLink: string;
  /** Any network code. A network that is off is refused. */
  readonly network: string;
  readonly token: TokenCode;
  readonly amount: RefundAmount;
  /** The message of the merchant to the payer. Null if the merchant wrote nothing. */
  readonly note: string | null;
  /** Why staff refund (readReason): for the merchant's people alone. Absent: they wrote nothing. */
  readonly reason?: string | null;
  /** A mail brings the address to the link's customer. */
  readonly mail: boolean;
  /** As of a withdrawal. */
  readonly idempotencyKey: string | null;
  /**
   * The request of a program without an idempotency key. Absent: it does not matter. The same again within REPEAT_MS, while the claim is open, is
   * the same claim.
   */
  readonly fingerprint?: string;
}
