import { randomBytes } from "node:crypto";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatTypedCode } from "#lib/platform/typed-codes.ts";
import { ownEntry } from "./own-entry.ts";
import { hashToken } from "./queries.ts";
import { RECOVERY_CODES } from "./rules.ts";
import { lockSignedIn, replaceRecoveryCodes } from "./store.ts";
import type { SignedIn } from "./types.ts";

/** Gives a signed-in person new recovery codes. They are returned only here; those before work no longer. null if the session has ended. */
export async function issueRecoveryCodes(
  tx: Tx,
  signedIn: Pick<SignedIn, "userId" | "sessionId">,
  now: Date,
): Promise<string[] | null> {
  const { userId } = signedIn;
  if ((await lockSignedIn(tx, signedIn)) === null) return null;
  const codes = Array.from({ length: RECOVERY_CODES }, () => formatTypedCode(randomBytes(12)));
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashToken(code.replaceAll("-", ""))),
  );
  await recordDecision(tx, ownEntry(userId, "recovery-codes.issue", {}), now);
  return codes;
}
