import { and, eq, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { Role } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { isBacked, isOpen } from "./queries.ts";
import { FORMER_TOKEN_MS, IDLE_MS, LOCK_MS, MAX_FAILURES, SESSION_LIFETIME_MS } from "./rules.ts";
import { invitations, members, passkeys, recoveryCodes, sessions, spentChallenges, users } from "./tables.ts";
import type { InvitationRow, PasskeyRow, SignedIn, UserRow } from "./types.ts";

/** Returns null if somebody has signed up with the e-mail address. */
export async function insertUser(tx: Tx, user: typeof users.$inferInsert): Promise<UserRow | null> {
  const [row] = await tx.insert(users).values(user).onConflictDoNothing().returning();
  return row ?? null;
}

export async function updateUser(
  tx: Tx,
  id: number,
  changes: Partial<Omit<UserRow, "id" | "email" | "createdAt">>,
): Promise<void> {
  await tx.update(users).set(changes).where(eq(users.id, id));
}

/** Counts a wrong password or code, and locks the account at the last one. The same work for an id that does not exist. */
export async function countFailure(tx: Tx, id: number, now: Date): Promise<void> {
  const failures = sql`${users.failures} + 1`;
  const until = new Date(now.getTime() + LOCK_MS).toISOString();
  await tx
    .update(users)
    .set({
      failures: sql`case when ${failures} >= ${MAX_FAILURES} then 0 else ${failures} end`,
      lockedUntil: sql`case when ${failures} >= ${MAX_FAILURES} then ${until}::timestamptz else ${users.lockedUntil} end`,
    })
    .where(eq(users.id, id));
}

/**
 * The person, locked until the transaction ends. null if there is no such person. Rows that refer to the person can still be inserted. Everything
 * else of a person is locked after this: the other way around, two transactions could wait for each other.
 */
export async function findAndLockUser(tx: Tx, id: number): Promise<UserRow | null> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for("no key update");
  return user ?? null;
}

/** The person, locked until the transaction ends. */
export async function lockUser(tx: Tx, id: number): Promise<UserRow> {
  const user = await findAndLockUser(tx, id);
  if (user === null) throw new Error(`no user has the id ${id}`);
  return user;
}

/**
 * The signed-in person, locked until the transaction ends. null if their session has ended since the request began: the operator has reset
 * the person, or the person has ended the session elsewhere.
 */
export async function lockSignedIn(
  tx: Tx,
  { userId, sessionId }: Pick<SignedIn, "userId" | "sessionId">,
): Promise<UserRow | null> {
  const user = await lockUser(tx, userId);
  const open = await tx.$count(sessions, and(eq(sessions.id, sessionId), eq(sessions.userId, userId)));
  return open > 0 ? user : null;
}

/** Forgets the wrong passwords and codes of a locked person, and marks a time step's code as used. */
export async function clearFailures(tx: Tx, id: number, totpStep: number | null): Promise<void> {
  await tx.update(users).set({ failures: 0, lockedUntil: null, totpStep }).where(eq(users.id, id));
}

/** Uses a recovery code up. False if the person has no such code. */
export async function deleteRecoveryCode(tx: Tx, userId: number, codeHash: Buffer): Promise<boolean> {
  const used = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ userId: recoveryCodes.userId });
  return used.length > 0;
}

export async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

export async function replaceRecoveryCodes(tx: Tx, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })));
}

/** False if the passkey is registered already. */
export async function insertPasskey(tx: Tx, passkey: typeof passkeys.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(passkeys)
    .values(passkey)
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  return inserted.length > 0;
}

/** Stores a use of a passkey. False if it is gone, or if its counter has advanced in the meantime (a cloned authenticator). */
export async function updatePasskeyUse(
  tx: Tx,
  { id, counter: before }: PasskeyRow,
  counter: number,
  now: Date,
): Promise<boolean> {
  const used = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(and(eq(passkeys.id, id), eq(passkeys.counter, before)))
    .returning({ id: passkeys.id });
  return used.length > 0;
}

/** Deletes a passkey of a locked person. */
export async function deletePasskey(tx: Tx, userId: number, id: number): Promise<PasskeyRow> {
  const [row] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning();
  if (row === undefined) throw new Error(`the person ${userId} has no passkey ${id}`);
  return row;
}

/** Marks a challenge as answered. False if it was before. Deletes those that have expired. */
export async function spendChallenge(
  tx: Tx,
  challenge: string,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  await tx.delete(spentChallenges).where(lt(spentChallenges.expiresAt, now));
  const spent = await tx
    .insert(spentChallenges)
    .values({ challenge, expiresAt })
    .onConflictDoNothing()
    .returning({ challenge: spentChallenges.challenge });
  return spent.length > 0;
}

export async function insertSession(tx: Tx, session: typeof sessions.$inferInsert): Promise<number> {
  const [row] = await tx.insert(sessions).values(session).returning({ id: sessions.id });
  if (row === undefined) throw new Error("an inserted session was not returned");
  return row.id;
}

/** Deletes the sessions that have ended, and a person's oldest ones above `keep`. */
export async function deleteOldSessions(tx: Tx, userId: number, keep: number, now: Date): Promise<void> {
  const newest = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(sql`${sessions.lastSeenAt} desc`)
    .limit(keep);
  await tx
    .delete(sessions)
    .where(
      or(
        lt(sessions.lastSeenAt, new Date(now.getTime() - IDLE_MS)),
        lt(sessions.createdAt, new Date(now.getTime() - SESSION_LIFETIME_MS)),
        and(eq(sessions.userId, userId), sql`${sessions.id} not in ${newest}`),
      ),
    );
}

export async function setLastSeen(db: Db, id: number, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, now)));
}

/**
 * Gives a session another token after its person has proved who they are. The browser's own token becomes the former one. With
 * `isFormer` it was that already: the token after it never reached the browser.
 */
export async function renewSession(
  tx: Tx,
  {
    id,
    tokenHash,
    isFormer,
  }: { readonly id: number; readonly tokenHash: Buffer; readonly isFormer: boolean },
  now: Date,
): Promise<void> {
  const formerUntil = new Date(now.getTime() + FORMER_TOKEN_MS);
  const former = isFormer ? { formerUntil } : { formerUntil, formerHash: sql`${sessions.tokenHash}` };
  await tx
    .update(sessions)
    .set({ tokenHash, ...former, verifiedAt: now, lastSeenAt: now })
    .where(eq(sessions.id, id));
}

/** Ends a session of a person. False if they have no such session. */
export async function deleteSession(tx: Tx, userId: number, id: number): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

/** Ends a person's sessions, except one. */
export async function deleteOtherSessions(tx: Tx, userId: number, except: number | null): Promise<void> {
  await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except === null ? undefined : sql`${sessions.id} <> ${except}`));
}

export async function insertInvitation(tx: Tx, row: typeof invitations.$inferInsert): Promise<InvitationRow> {
  const [invitation] = await tx.insert(invitations).values(row).returning();
  if (invitation === undefined) throw new Error("an inserted invitation was not returned");
  return invitation;
}

/** Locks the person whom the operator has reset and who has the link with this token, if it is such a link: before the invitation's row. */
async function lockResetUser(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(invitations, eq(invitations.resetsUserId, users.id))
    .where(eq(invitations.tokenHash, tokenHash))
    .for("no key update", { of: users });
}

/** A merchant, or null for the installation, and the e-mail address of a person who is invited there. */
interface Invited {
  readonly merchantId: number | null;
  readonly email: string;
}

/** A person's invitations to a place, however its address is written. Not those with which a person who was reset signs up again. */
const areOf = ({ merchantId, email }: Invited) =>
  and(
    merchantId === null ? isNull(invitations.merchantId) : eq(invitations.merchantId, merchantId),
    isNull(invitations.resetsUserId),
    sql`lower(${invitations.email}) = lower(${email})`,
  );

const isUnused = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));

/** Locks a person's invitations to a place, by ascending id: two of them that are accepted at the same time end each other. */
async function lockInvitations(tx: Tx, invited: Invited): Promise<void> {
  await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(areOf(invited))
    .orderBy(invitations.id)
    .for("update");
}

/**
 * Locks what the acceptance of an invitation changes, in the order of all locks: the person whom the operator has reset, the merchant, then the
 * person's invitations there.
 */
export async function lockForJoin(tx: Tx, tokenHash: Buffer): Promise<void> {
  await lockResetUser(tx, tokenHash);
  const { merchantId, email } = invitations;
  const [invited] = await tx
    .select({ merchantId, email })
    .from(invitations)
    .where(eq(invitations.tokenHash, tokenHash));
  if (invited === undefined) return;
  if (invited.merchantId !== null) await lockMerchant(tx, invited.merchantId);
  await lockInvitations(tx, invited);
}

/** Withdraws a person's invitations to a place. Returns how many were open. */
export async function revokeInvitationsOf(tx: Tx, invited: Invited, now: Date): Promise<number> {
  await lockInvitations(tx, invited);
  return await revokeUnused(tx, areOf(invited), now);
}

/**
 * Expired ones too, which are not counted: a request that began before the end may accept one after this transaction. Its clock is its own.
 */
async function revokeUnused(tx: Tx, which: SQL | undefined, now: Date): Promise<number> {
  const revoked = await tx
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(which, isUnused))
    .returning({ expiresAt: invitations.expiresAt });
  return revoked.filter(({ expiresAt }) => expiresAt > now).length;
}

/** Withdraws the invitations that a person made at a merchant, if they may no longer invite: so they stay ended when the person may again. */
export async function revokeUnbacked(
  tx: Tx,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
  now: Date,
): Promise<number> {
  const isTheirs = and(eq(invitations.merchantId, merchantId), eq(invitations.invitedBy, userId));
  return await revokeUnused(tx, and(isTheirs, not(isBacked)), now);
}

/** Uses up the invitation with this token. null if there is none that is open. */
export async function acceptInvitationRow(
  tx: Tx,
  tokenHash: Buffer,
  now: Date,
): Promise<InvitationRow | null> {
  const [row] = await tx
    .update(invitations)
    .set({ acceptedAt: now })
    .where(and(eq(invitations.tokenHash, tokenHash), isOpen(now)))
    .returning();
  return row ?? null;
}

/** Withdraws an open invitation of a merchant. null if there is no such invitation. */
export async function revokeInvitationRow(
  tx: Tx,
  { merchantId, id }: { readonly merchantId: number; readonly id: number },
  now: Date,
): Promise<InvitationRow | null> {
  const [row] = await tx
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.id, id), eq(invitations.merchantId, merchantId), isUnused))
    .returning();
  return row ?? null;
}

/** Withdraws the open invitations with which a person who was reset could sign up again. */
export async function revokeResets(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.resetsUserId, userId), isUnused));
}

/** Deletes every way in which a person can sign in, and their sessions. */
export async function deleteCredentials(tx: Tx, userId: number): Promise<void> {
  await deleteOtherSessions(tx, userId, null);
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await deleteRecoveryCodes(tx, userId);
  const nothing = { passwordHash: null, totpSecret: null, totpStep: null, failures: 0, lockedUntil: null };
  await updateUser(tx, userId, nothing);
}

/** Adds a member. False if the person works for the merchant already. */
export async function insertMember(
  tx: Tx,
  member: { readonly merchantId: number; readonly userId: number; readonly role: Role },
): Promise<boolean> {
  const inserted = await tx
    .insert(members)
    .values(member)
    .onConflictDoNothing()
    .returning({ id: members.userId });
  return inserted.length > 0;
}

export async function updateMemberRole(
  tx: Tx,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
  role: Role,
): Promise<void> {
  await tx
    .update(members)
    .set({ role })
    .where(and(eq(members.merchantId, merchantId), eq(members.userId, userId)));
}

export async function deleteMember(
  tx: Tx,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
): Promise<void> {
  await tx.delete(members).where(and(eq(members.merchantId, merchantId), eq(members.userId, userId)));
}

/** A merchant's members with their roles, locked until the transaction ends, by ascending user id. */
export async function lockMembers(tx: Tx, merchantId: number): Promise<{ userId: number; role: Role }[]> {
  return tx
    .select({ userId: members.userId, role: members.role })
    .from(members)
    .where(eq(members.merchantId, merchantId))
    .orderBy(members.userId)
    .for("update");
}
