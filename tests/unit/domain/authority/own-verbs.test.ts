/** Every verb of a person's own account as every actor, and what another person has. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { ROLES } from "#lib/domain/authority/role-rules.ts";
import { type Actor, KEY_SCOPES, type OwnAct } from "#lib/domain/authority/types.ts";
import { type OwnVerbName, RECENT_MS, VERBS } from "#lib/domain/authority/verb-rules.ts";
import { addPasskey, removePasskey } from "#lib/domain/members/passkeys.ts";
import { changePassword, issueRecoveryCodes } from "#lib/domain/members/password.ts";
import { removeView, saveView } from "#lib/domain/members/save-view.ts";
import { endOtherSessions, endSession, startSession } from "#lib/domain/members/sessions.ts";
import { insertMember, insertUser } from "#lib/domain/members/store.ts";
import { passkeys, savedViews, sessions } from "#lib/domain/members/tables.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { OPERATOR, personOf, programOf } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const { db } = await databaseOfFile();
const NOW = new Date("2026-11-24T12:00:00Z");
const STALE = new Date(NOW.getTime() - RECENT_MS);

/** A person who has a password, works nowhere and is signed in. */
async function aSignedIn(email: string) {
  return db.transaction(async (tx) => {
    const fields = { handle: randomUUID(), email, name: "A", passwordHash: "x" };
    const user = await insertUser(tx, fields);
    assert.ok(user);
    await startSession(tx, user.id, { ip: "192.0.2.1", userAgent: "test" }, NOW);
    const [session] = await tx.select().from(sessions).where(eq(sessions.userId, user.id));
    assert.ok(session);
    return { ...user, sessionId: session.id };
  });
}
const [me, another] = [await aSignedIn("me@example.com"), await aSignedIn("another@example.com")];

/** A verb of a person's own account, with what it needs. */
interface TriedOwn {
  readonly attempt: (act: OwnAct, id: number) => Promise<object>;
  /** Makes what the verb is about, for a person. */
  readonly prepare?: (tx: Tx, userId: number) => Promise<number>;
  /** The refusal of what another person has. Absent: the verb names nothing that exists. */
  readonly notFound?: string;
}
/** A merchant at which the person works. */
async function aWorkplace(tx: Tx, userId: number): Promise<number> {
  const merchantId = await aMerchant(tx as never, `${randomUUID()}@example.com`);
  await insertMember(tx, { merchantId, userId, role: "cashier" });
  return merchantId;
}
async function aView(tx: Tx, userId: number): Promise<number> {
  const merchantId = await aWorkplace(tx, userId);
  const view = { merchantId, userId, env: "test", name: "v", query: "state=failed" } as const;
  const [row] = await tx.insert(savedViews).values(view).returning();
  return row?.id ?? 0;
}
const newPasskey = (credentialId: string) => ({
  credentialId,
  publicKey: Buffer.from("k"),
  counter: 0,
  transports: [],
});
async function aPasskey(tx: Tx, userId: number): Promise<number> {
  const [row] = await tx
    .insert(passkeys)
    .values({ ...newPasskey("stored"), userId, name: "p" })
    .returning();
  return row?.id ?? 0;
}
async function aSession(tx: Tx, userId: number): Promise<number> {
  await startSession(tx, userId, { ip: "192.0.2.1", userAgent: "test" }, NOW);
  const rows = await tx.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(sessions.id);
  return rows.at(-1)?.id ?? 0;
}
const TRIED: Readonly<Record<OwnVerbName, TriedOwn>> = {
  "password.change": {
    attempt: (act) =>
      changePassword(act, { formerHash: "x", passwordHash: "y", totpSecret: Buffer.from("s"), totpStep: 1 }),
  },
  "recovery-codes.issue": { attempt: (act) => issueRecoveryCodes(act, null) },
  "passkey.add": {
    attempt: (act) => {
      const expiresAt = NOW.getTime() + 1_000;
      const challenge = { challenge: "c", purpose: "register", handle: me.handle, expiresAt } as const;
      return addPasskey(act, { name: "p", passkey: newPasskey("added"), challenge });
    },
  },
  "passkey.remove": {
    attempt: (act, id) => removePasskey(act, { id }),
    prepare: aPasskey,
    notFound: "passkey_not_found",
  },
  "session.end": {
    attempt: (act, id) => endSession(act, { id }),
    prepare: aSession,
    notFound: "session_not_found",
  },
  "view.save": {
    attempt: (act, merchantId) =>
      saveView(act, { merchantId, env: "test", name: "Failed", query: "state=failed" }),
    prepare: aWorkplace,
    notFound: "not_a_member",
  },
  "view.remove": {
    attempt: (act, id) => removeView(act, { id }),
    prepare: aView,
    notFound: "view_not_found",
  },
  "session.end-others": { attempt: (act) => endOtherSessions(act, null), prepare: aSession },
};
const ACTORS: readonly Actor[] = [
  ...[...ROLES, "operator" as const, null].flatMap((role) => [
    personOf(me.id, role, NOW),
    personOf(me.id, role, STALE),
  ]),
  OPERATOR,
  ...KEY_SCOPES.map((scope) => programOf(1, { scope })),
  ...ROLES.map((makerRole) => programOf(1, { madeBy: me.id, makerRole })),
];

class Undone extends Error {}

/** Tries a verb of a person's own account in a transaction that is undone. The person has what the verb is about, or another has. */
async function tryOwnVerb(verb: OwnVerbName, actor: Actor, owner = me) {
  const { attempt, prepare } = TRIED[verb];
  const seen: { answer?: object; entries?: (typeof auditLog.$inferSelect)[] } = {};
  const work = db.transaction(async (tx) => {
    const id = (await prepare?.(tx, owner.id)) ?? 0;
    seen.answer = await attempt({ tx, now: NOW, actor, sessionId: me.sessionId } as OwnAct, id);
    seen.entries = (await tx.select().from(auditLog).orderBy(auditLog.id)).slice(-1);
    throw new Undone();
  });
  await assert.rejects(work, Undone);
  return { ok: false, ...seen.answer, entry: seen.entries?.[0] };
}

for (const verb of Object.keys(TRIED) as OwnVerbName[]) {
  test(`${verb}: each person may, for themself, and nobody else; it is recorded`, async () => {
    for (const actor of ACTORS) {
      const { ok, entry, ...answer } = await tryOwnVerb(verb, actor);
      const barred = "barred" in answer ? answer.barred : null;
      const expected = actor.kind === "person" && (!VERBS[verb].proof || actor.verifiedAt === NOW);
      assert.deepEqual([ok, barred === null], [expected, expected], JSON.stringify({ actor, ...answer }));
      const person = `user:${me.id}`;
      if (ok) assert.deepEqual([entry?.action, entry?.actor, entry?.subject], [verb, person, person]);
    }
  });

  const { notFound } = TRIED[verb];
  if (notFound !== undefined)
    test(`${verb}: what another person has does not exist`, async () => {
      const { ok, entry: _, ...answer } = await tryOwnVerb(verb, personOf(me.id, null, NOW), another);
      assert.deepEqual({ ok, ...answer }, { ok: false, reason: notFound });
    });
}
