import { createHash } from "node:crypto";
import { approvalText } from "./approval-rules.ts";

/** Returns the challenge that a passkey signs to approve a withdrawal: the SHA-256 of its text. */
export function approvalChallenge(withdrawal: Parameters<typeof approvalText>[0]): Buffer {
  return createHash("sha256").update(approvalText(withdrawal)).digest();
}
