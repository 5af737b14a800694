import { randomBytes } from "node:crypto";
import { defineOwnVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { formatTypedCode } from "#lib/platform/typed-codes.ts";
import { hashToken } from "./queries.ts";
import { RECOVERY_CODES } from "./rules.ts";
import { lockSignedIn, replaceRecoveryCodes } from "./store.ts";

/** Gives a person new recovery codes. They are returned only here; those before work no longer. */
export const issueRecoveryCodes = defineOwnVerb(
  "recovery-codes.issue",
  async ({ tx, actor: { userId }, sessionId }) => {
    if ((await lockSignedIn(tx, { userId, sessionId })) === null) return refuse("session_ended");
    const codes = Array.from({ length: RECOVERY_CODES }, () => formatTypedCode(randomBytes(12)));
    const hashes = codes.map((code) => hashToken(code.replaceAll("-", "")));
    await replaceRecoveryCodes(tx, userId, hashes);
    return done({ codes }, { subject: `user:${userId}`, details: {} });
  },
);
