/** Ways to sign in, and their limits, hold when 20 ask at the same time (docs/operate/security.md). */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { addPasskey, removePasskey } from "#lib/domain/members/passkeys.ts";
import { issueRecoveryCodes } from "#lib/domain/members/password.ts";
import { getUser, hashToken, listPasskeys } from "#lib/domain/members/queries.ts";
import { LOCK_MS, MAX_PASSKEYS, MAX_SESSIONS, RECOVERY_CODES } from "#lib/domain/members/rules.ts";
import { startSession } from "#lib/domain/members/sessions.ts";
import { confirmWithCode, signInWithPassword } from "#lib/domain/members/sign-in.ts";
import { insertUser } from "#lib/domain/members/store.ts";
import { passkeys, recoveryCodes, sessions } from "#lib/domain/members/tables.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { ownActOf } from "#tests/support/acts.ts";
import {
  browser,
  countOk,
  NOW,
  numbers,
  openCrowd,
  PASSWORD,
  passwordCost,
  SECRET,
  secrets,
} from "#tests/support/at-once.ts";
import { appCode } from "#tests/support/console.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

const { db } = await databaseOfFile();
const { aPerson, aSignedIn, atOnce } = await openCrowd(db);

test("sign-ins: twenty wrong tries at once lock the account, also for the right code", async () => {
  const userId = await aPerson();
  const { email } = await getUser(db, userId);
  const signIn = (code: string, now = NOW) =>
    signInWithPassword({ db, secrets, passwordCost }, { email, password: PASSWORD, code, browser }, now);
  const wrong = await Promise.all(numbers(20).map((i) => signIn(String(i).padStart(6, "0"))));
  assert.deepEqual(
    wrong.filter((token) => token !== null),
    [],
  );
  const unlocked = new Date(NOW.getTime() + LOCK_MS);
  assert.deepEqual((await getUser(db, userId)).lockedUntil, unlocked);
  assert.equal(await signIn(appCode(SECRET, NOW)), null);
  assert.notEqual(await signIn(appCode(SECRET, unlocked), unlocked), null);
});

test("codes: a signed-in person proves nothing with the eleventh of twenty tries at once", async () => {
  const signedIn = await aSignedIn();
  const confirm = (code: string) => confirmWithCode({ db, secrets }, { signedIn, code }, NOW);
  const wrong = numbers(19).map((i) => confirm(String(i).padStart(6, "0")));
  const tried = await Promise.all([...wrong, confirm(appCode(SECRET, NOW))]);
  assert.deepEqual(
    tried.filter((token) => token !== null),
    [],
  );
});

test("recovery codes: those of the last request alone work, and one works once", async () => {
  const signedIn = await aSignedIn();
  const issued = await atOnce((tx) => issueRecoveryCodes(ownActOf(tx, signedIn, NOW), null));
  const stored = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, signedIn.userId));
  assert.equal(stored.length, RECOVERY_CODES);
  const hashOf = (code: string) => hashToken(code.replaceAll("-", "")).toString("hex");
  const working = new Set(stored.map(({ codeHash }) => codeHash.toString("hex")));
  const last = issued
    .flatMap((done) => (done.ok ? [done.codes] : []))
    .find((codes) => codes.every((code) => working.has(hashOf(code))));
  assert.ok(last);
  const proved = await Promise.all(
    numbers(20).map(() => confirmWithCode({ db, secrets }, { signedIn, code: last[0]! }, NOW)),
  );
  assert.equal(proved.filter((token) => token !== null).length, 1);
});

test("sessions and passkeys: twenty of each are stored", async () => {
  const userId = await aPerson();
  for (const _ of numbers(2)) await atOnce((tx) => startSession(tx, userId, browser, NOW));
  assert.equal(await db.$count(sessions, eq(sessions.userId, userId)), MAX_SESSIONS);
  const person = await aSignedIn();
  const { handle } = await getUser(db, person.userId);
  const add = (tx: Tx, id: string) => {
    const passkey = { credentialId: id, publicKey: Buffer.from("k"), counter: 0, transports: [] };
    const expiresAt = NOW.getTime() + 1_000;
    const challenge = { challenge: id, purpose: "register", handle, expiresAt } as const;
    return addPasskey(ownActOf(tx, person, NOW), { name: "p", passkey, challenge });
  };
  await db.transaction((tx) => add(tx, "first"));
  const added = await atOnce((tx, i) => add(tx, `p${i}`));
  assert.equal(countOk(added), MAX_PASSKEYS - 1);
  assert.equal((await listPasskeys(db, person.userId)).length, MAX_PASSKEYS);
});

test("passkeys: of twenty removals of the only ways to sign in, one stays", async () => {
  const person = await db.transaction((tx) =>
    insertUser(tx, { handle: randomUUID(), email: "passkeys@example.com", name: "Ada" }),
  );
  const userId = person?.id ?? 0;
  const stored = numbers(20).map((i) => ({
    ...{ userId, name: "p", credentialId: `last${i}`, publicKey: Buffer.from("k") },
    ...{ counter: 0, transports: [] },
  }));
  const rows = await db.insert(passkeys).values(stored).returning({ id: passkeys.id });
  const removed = await atOnce((tx, i) =>
    removePasskey(ownActOf(tx, { userId, sessionId: 0 }, NOW), { id: rows[i]?.id ?? 0 }),
  );
  assert.deepEqual([countOk(removed), (await listPasskeys(db, userId)).length], [19, 1]);
});
