import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { Withdrawal } from "../types.ts";

export type ApprovalRefusal = "approval_not_needed" | "merchant_disabled" | "approval_by_asker";

type Waiting = Pick<Withdrawal, "status" | "needsApproval" | "approvedAt">;

/** The facts that decide who may approve a withdrawal. */
export interface Approvable extends Waiting {
  /** The actor that asked for it, as findAsker says. A person who asked with a key counts, not the key. */
  readonly asker: string | null;
  /** The merchant demands that another person than the asker approves it (isSecondDemanded). */
  readonly isSecondDemanded: boolean;
  /** False while the merchant is disabled. */
  readonly isMerchantActive: boolean;
}

/** True while a withdrawal waits for an approval. Nothing is sent for it. */
export function waitsForApproval({ status, needsApproval, approvedAt }: Waiting): boolean {
  return status === "pending" && needsApproval && approvedAt === null;
}

/**
 * Why a person may not approve a withdrawal. Null if they may. `actor`: as the audit log names them. `forSigner`: the approval is for the
 * policy of the signer, in addition to a second person of the merchant. The signer alone knows whom it believes.
 */
export function approvalRefusal(
  withdrawal: Approvable,
  actor: string,
  { forSigner }: { readonly forSigner: boolean },
): ApprovalRefusal | null {
  if (forSigner ? withdrawal.status !== "pending" : !waitsForApproval(withdrawal))
    return "approval_not_needed";
  const { asker, isSecondDemanded, isMerchantActive } = withdrawal;
  if (!isMerchantActive) return "merchant_disabled";
  return asker === actor && (forSigner || isSecondDemanded) ? "approval_by_asker" : null;
}

/**
 * Returns the text that approves a withdrawal. A passkey (approval-challenge.ts) or a key file of the signer's approvers signs it. The text
 * holds all that money depends on, so an approval is worth nothing for another withdrawal, or for this one with another destination or
 * amount.
 */
export function approvalText({
  env,
  refid,
  network,
  token,
  amount,
  toAddress,
}: Pick<Withdrawal, "env" | "refid" | "network" | "token" | "amount" | "toAddress">): string {
  const whole = formatAmount(amount, TOKENS[token].ledgerDecimals);
  return ["paylink withdrawal 1", env, refid, network, token, whole, toAddress].join("\n");
}
