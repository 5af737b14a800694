import { isPlainLine } from "#lib/platform/plain-text.ts";
import type { Withdrawal } from "../types.ts";
import type { ClaimState, RefundClaim } from "./types.ts";

/** How long a payer can enter an address. */
export const CLAIM_LIFETIME_MS = 30 * 86_400_000;
/** How long a request with the same fingerprint means the same claim: a program repeats it, or a person presses again, after a timeout. */
export const REPEAT_MS = 10 * 60_000;
/** Characters of a note. */
export const MAX_NOTE = 300;

/** Source of a regular expression that matches the secret of a claim: 128 bits in hexadecimal. */
const CLAIM_SECRET_PATTERN = "[0-9a-f]{32}";
const SECRET = new RegExp(`^${CLAIM_SECRET_PATTERN}$`);

export function isClaimSecret(text: unknown): text is string {
  return typeof text === "string" && SECRET.test(text);
}

/** The address of a claim's page. It is the permission to name where the money goes. */
export function claimUrl(paymentUrl: string, secret: string): string {
  return new URL(`/refund/${secret}`, paymentUrl).href;
}

export function claimState(
  { withdrawalId, revokedAt, expiresAt }: Pick<RefundClaim, "withdrawalId" | "revokedAt" | "expiresAt">,
  now: Date,
): ClaimState {
  if (withdrawalId !== null) return "used";
  if (revokedAt !== null) return "revoked";
  return now < expiresAt ? "open" : "expired";
}

/**
 * A number that is another one after every change that the page of a claim shows. It may be smaller: the signer's host writes the times
 * of a withdrawal with its own clock.
 */
export function claimVersion({
  claim,
  withdrawal,
}: {
  readonly claim: Pick<RefundClaim, "updatedAt">;
  readonly withdrawal: Pick<Withdrawal, "updatedAt"> | null;
}): number {
  return claim.updatedAt.getTime() + (withdrawal?.updatedAt.getTime() ?? 0);
}

/** A note to the payer: plain text of at most MAX_NOTE characters. "" is no note. Null if it is malformed. */
export function readNote(text: string): string | null {
  const note = text.trim();
  return isPlainLine(note) && note.length <= MAX_NOTE ? note : null;
}
