/**
 * The kinds of work that can be set aside. `transaction`: its transfers could not be recorded. `blocks`: they were read without
 * their traces. `outgoing`: a transaction of the signer, whose fee could not be recorded.
 */
export const ATTENTION_KINDS = [
  "link",
  "deposit",
  "transaction",
  "blocks",
  "withdrawal",
  "outgoing",
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** A unit whose processing failed, for the log line of its caller. */
export interface SetAside {
  readonly subject: string;
  readonly error: unknown;
  readonly attempts: number;
  readonly retryAt: Date;
}
