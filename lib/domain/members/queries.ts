import { createHash } from "node:crypto";
import { and, asc, count, desc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { may, ROLES } from "#lib/domain/authority/role-rules.ts";
import type { Role } from "#lib/domain/authority/types.ts";
import { MERCHANT_COLUMNS } from "#lib/domain/merchants/columns.ts";
import { apiKeys, merchants } from "#lib/domain/merchants/tables.ts";
import type { ApiCaller, ApiKey } from "#lib/domain/merchants/types.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { arrayParameter, namedQuery, sqlArray } from "#lib/platform/db/statements.ts";
import { hasEnded } from "./rules.ts";
import { invitations, members, passkeys, recoveryCodes, sessions, users } from "./tables.ts";
import type { Browser, Invitation, PasskeyRow, SignedIn, UserRow, Workplace } from "./types.ts";

/** How tokens and codes are stored. They are random, so that a hash without salt is enough. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export async function findUserByEmail(db: Db | Tx, email: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(sql`lower(${users.email}) = lower(${email})`);
  return user ?? null;
}

export async function getUser(db: Db | Tx, id: number): Promise<UserRow> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (user === undefined) throw new Error(`no user has the id ${id}`);
  return user;
}

/** The installation's operators, oldest first. Few: the command adds them one by one. */
export function listOperators(db: Db) {
  const { email, name, createdAt } = users;
  return db
    .select({ email, name, createdAt })
    .from(users)
    .where(eq(users.isOperator, true))
    .orderBy(asc(users.id));
}

/** The session with this token, if it has not ended. */
export async function findSession(
  db: Db | Tx,
  token: string,
  now: Date,
): Promise<(SignedIn & { readonly lastSeenAt: Date }) | null> {
  const hash = hashToken(token);
  const [row] = await db
    .select({
      tokenHash: sessions.tokenHash,
      formerUntil: sessions.formerUntil,
      sessionId: sessions.id,
      userId: users.id,
      name: users.name,
      email: users.email,
      isOperator: users.isOperator,
      verifiedAt: sessions.verifiedAt,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(or(eq(sessions.tokenHash, hash), eq(sessions.formerHash, hash)));
  if (row === undefined || hasEnded(row, now)) return null;
  const { createdAt: _, tokenHash, formerUntil, ...session } = row;
  const isFormer = !hash.equals(tokenHash);
  if (!isFormer) return { ...session, isFormer };
  return formerUntil !== null && formerUntil > now ? { ...session, isFormer, verifiedAt: new Date(0) } : null;
}

/** A session as its person sees it. */
export interface ListedSession extends Browser {
  readonly id: number;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** A person's sessions that have not ended, the newest use first. At most MAX_SESSIONS are stored. */
export async function listSessions(db: Db, userId: number, now: Date): Promise<ListedSession[]> {
  const { id, ip, userAgent, createdAt, lastSeenAt } = sessions;
  const rows = await db
    .select({ id, ip, userAgent, createdAt, lastSeenAt })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(lastSeenAt));
  return rows.filter((row) => !hasEnded(row, now));
}

/** A person's passkeys, oldest first. At most MAX_PASSKEYS. */
export function listPasskeys(db: Db | Tx, userId: number): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id));
}

export async function findPasskey(db: Db | Tx, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row ?? null;
}

export function countRecoveryCodes(db: Db | Tx, userId: number): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
}

const PLACE = {
  merchantId: merchants.id,
  code: merchants.code,
  name: merchants.name,
  timeZone: merchants.timeZone,
  displayCurrency: merchants.displayCurrency,
};
/** A merchant's staff is bounded, but a person may work for many, and the operator for all. */
const MAX_WORKPLACES = 200;

/** The merchants whose console a person may open, by name; at most MAX_WORKPLACES. The operator may open every one. */
export async function listWorkplaces(db: Db, { userId, isOperator }: SignedIn): Promise<Workplace[]> {
  const own = await db
    .select({ ...PLACE, role: members.role })
    .from(members)
    .innerJoin(merchants, eq(merchants.id, members.merchantId))
    .where(eq(members.userId, userId))
    .orderBy(asc(merchants.name), asc(merchants.id))
    .limit(MAX_WORKPLACES);
  if (!isOperator) return own;
  const all = await db
    .select(PLACE)
    .from(merchants)
    .orderBy(asc(merchants.name), asc(merchants.id))
    .limit(MAX_WORKPLACES);
  const roles = new Map(own.map(({ merchantId, role }) => [merchantId, role]));
  return all.map((place) => ({ ...place, role: roles.get(place.merchantId) ?? "operator" }));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The merchant with this code, if the person may open its console. null otherwise, as for a code that nobody has. */
export async function findWorkplace(
  db: Db | Tx,
  { userId, isOperator }: Pick<SignedIn, "userId" | "isOperator">,
  code: string,
): Promise<Workplace | null> {
  if (!UUID.test(code)) return null;
  const [row] = await db
    .select({ ...PLACE, role: members.role })
    .from(merchants)
    .leftJoin(members, and(eq(members.merchantId, merchants.id), eq(members.userId, userId)))
    .where(eq(merchants.code, code));
  if (row === undefined) return null;
  const role = row.role ?? (isOperator ? "operator" : null);
  return role === null ? null : { ...row, role };
}

/** The role of a person at a merchant. null: they do not work there. */
export async function findRole(
  db: Db | Tx,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
): Promise<Role | null> {
  const [row] = await db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.merchantId, merchantId), eq(members.userId, userId)));
  return row?.role ?? null;
}

/** A member of a merchant's staff. */
export interface ListedMember {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/** A merchant's members, by name. At most MAX_MEMBERS. */
export function listMembers(db: Db | Tx, merchantId: number): Promise<ListedMember[]> {
  return db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      role: members.role,
      createdAt: members.createdAt,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.merchantId, merchantId))
    .orderBy(asc(users.name), asc(users.id));
}

const mayInvite = (role: Role | "operator") => may(role, "members.invite");

/** The person who invited may still invite. */
export const isBacked = sql`(${invitations.invitedBy} is null
  or exists (select from ${users} u where u.id = ${invitations.invitedBy} and u.is_operator and ${mayInvite("operator")})
  or exists (select from ${members} m where m.merchant_id = ${invitations.merchantId} and m.user_id = ${invitations.invitedBy}
    and m.role = any(${sqlArray(ROLES.filter(mayInvite), "text")})))`;

/** An invitation was neither accepted nor withdrawn, has not expired, and its inviter may still invite. */
export const isOpen = (now: Date) =>
  and(
    isNull(invitations.acceptedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, now),
    isBacked,
  );

/** A merchant's open invitations, newest first. At most MAX_OPEN_INVITATIONS. */
export function listInvitations(db: Db | Tx, merchantId: number, now: Date) {
  const { id, email, role, expiresAt } = invitations;
  return db
    .select({ id, email, role, expiresAt })
    .from(invitations)
    .where(and(eq(invitations.merchantId, merchantId), isOpen(now)))
    .orderBy(desc(id));
}

export async function countOpenInvitations(db: Db | Tx, merchantId: number, now: Date): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(invitations)
    .where(and(eq(invitations.merchantId, merchantId), isOpen(now)));
  return row?.count ?? 0;
}

/** The open invitation with this token. */
export async function findInvitation(db: Db | Tx, token: string, now: Date): Promise<Invitation | null> {
  const [row] = await db
    .select({
      email: invitations.email,
      role: invitations.role,
      merchantName: merchants.name,
      resetsUserId: invitations.resetsUserId,
    })
    .from(invitations)
    .leftJoin(merchants, eq(merchants.id, invitations.merchantId))
    .where(and(eq(invitations.tokenHash, hashToken(token)), isOpen(now)));
  if (row === undefined) return null;
  const { resetsUserId, ...invitation } = row;
  const isReset = resetsUserId !== null;
  const isKnownUser = !isReset && (await findUserByEmail(db, row.email)) !== null;
  return { ...invitation, role: row.role ?? "operator", isKnownUser, isReset };
}

/** Names and e-mail addresses of people, by their number. */
export async function listPeople(
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly name: string; readonly email: string }>> {
  if (ids.length === 0) return new Map();
  const { id, name, email } = users;
  const rows = await db
    .select({ id, name, email })
    .from(users)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

type FoundCaller = ApiCaller & Pick<ApiKey, "expiresAt" | "revokedAt" | "lastUsedAt">;

/** Four at once: lookups on lost connections hold back no others. */
const LOOKUPS = { maxSize: 100, concurrency: 4 };

const callersByHash = namedQuery("callers_by_hash", (db) =>
  db
    .select({
      hash: apiKeys.hash,
      merchant: MERCHANT_COLUMNS,
      env: apiKeys.env,
      keyId: apiKeys.id,
      scope: apiKeys.scope,
      permissions: apiKeys.permissions,
      origin: apiKeys.origin,
      madeBy: apiKeys.madeBy,
      makerRole: members.role,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(merchants, eq(merchants.id, apiKeys.merchantId))
    .leftJoin(members, and(eq(members.merchantId, apiKeys.merchantId), eq(members.userId, apiKeys.madeBy)))
    .where(sql`${apiKeys.hash} = any(${arrayParameter("hashes", "bytea")})`),
);

/** The callers of the keys with these hashes, in hex. */
async function listCallers(db: Db | Tx, hashes: readonly string[]): Promise<(FoundCaller | null)[]> {
  const asked = [...new Set(hashes)].map((hash) => Buffer.from(hash, "hex"));
  const rows = await callersByHash(db, { hashes: asked });
  const found = new Map(rows.map(({ hash, ...caller }) => [hash.toString("hex"), caller]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

/**
 * Finds a caller by the hash of its key, in hex. Concurrent requests share a query, which starts after each of them, so that an end of a key
 * acts at once.
 */
const callerByHash = oncePerDatabase((db) =>
  createBatcher(LOOKUPS, (hashes: readonly string[]) => listCallers(db, hashes)),
);

/** The caller of the key with this hash, also of one that has ended. null: there is no such key. */
export function findKeyByHash(db: Db, hash: Buffer): Promise<FoundCaller | null> {
  return callerByHash(db)(hash.toString("hex"));
}
