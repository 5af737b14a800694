import { randomBytes } from "node:crypto";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";
import { defineOwnVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { findSession, hashToken } from "./queries.ts";
import { MAX_SESSIONS, SEEN_EVERY_MS } from "./rules.ts";
import {
  deleteOldSessions,
  deleteOtherSessions,
  deleteSession,
  insertSession,
  lockUser,
  renewSession,
  setLastSeen,
} from "./store.ts";
import type { Browser, SignedIn } from "./types.ts";

const MAX_USER_AGENT = 300;

export const newToken = () => randomBytes(32).toString("base64url");

/** Signs a person in. Returns the token of the cookie, which is new at every sign-in and stored as a hash. */
export async function startSession(
  tx: Tx,
  userId: number,
  { ip, userAgent }: Browser,
  now: Date,
): Promise<string> {
  await lockUser(tx, userId);
  const token = newToken();
  await insertSession(tx, {
    userId,
    tokenHash: hashToken(token),
    ip,
    userAgent: userAgent.slice(0, MAX_USER_AGENT),
    createdAt: now,
    lastSeenAt: now,
    verifiedAt: now,
  });
  await deleteOldSessions(tx, userId, MAX_SESSIONS, now);
  return token;
}

/** The same for a person who has signed up before. It is recorded with what proved who they are. */
export async function recordSignIn(
  tx: Tx,
  given: { readonly userId: number; readonly proof: string; readonly browser: Browser },
  now: Date,
): Promise<string> {
  const { userId, proof, browser } = given;
  const person = actorOf(userId);
  await recordDecision(
    tx,
    { actor: person, action: "session.start", subject: person, details: { proof } },
    now,
  );
  return startSession(tx, userId, browser, now);
}

/** The person of a cookie's token. null once the session has ended. Stores the use, at most once a minute. */
export async function findSignedIn(db: Db, token: string, now: Date): Promise<SignedIn | null> {
  const session = token === "" ? null : await findSession(db, token, now);
  if (session === null) return null;
  const { lastSeenAt, ...signedIn } = session;
  if (now.getTime() - lastSeenAt.getTime() >= SEEN_EVERY_MS) await setLastSeen(db, signedIn.sessionId, now);
  return signedIn;
}

/** Gives a session another token after its person has proved who they are. The browser has the former one until the answer arrives. */
export async function renewToken(
  tx: Tx,
  { sessionId: id, isFormer }: Pick<SignedIn, "sessionId" | "isFormer">,
  now: Date,
): Promise<string> {
  const token = newToken();
  await renewSession(tx, { id, tokenHash: hashToken(token), isFormer }, now);
  return token;
}

/** Ends a session of the person, at once. */
export const endSession = defineOwnVerb(
  "session.end",
  async ({ tx, actor: { userId } }, { id }: { readonly id: number }) => {
    if (!(await deleteSession(tx, userId, id))) return refuse("session_not_found");
    return done({}, { subject: `user:${userId}`, details: { session: id } });
  },
);

/** Ends every session of the person but the one that asks. */
export const endOtherSessions = defineOwnVerb(
  "session.end-others",
  async ({ tx, actor: { userId }, sessionId }) => {
    await deleteOtherSessions(tx, userId, sessionId);
    return done({}, { subject: `user:${userId}`, details: {} });
  },
);
