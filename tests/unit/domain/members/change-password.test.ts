/** A person changes their password and their authenticator app. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import {
  changePassword,
  issueRecoveryCodes,
  nextTotpSecret,
  preparePassword,
} from "#lib/domain/members/password.ts";
import { countRecoveryCodes, getUser } from "#lib/domain/members/queries.ts";
import { findSignedIn, startSession } from "#lib/domain/members/sessions.ts";
import { signInWithPassword } from "#lib/domain/members/sign-in.ts";
import { insertUser } from "#lib/domain/members/store.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { ownActOf } from "#tests/support/acts.ts";
import { appCode, wrongCode } from "#tests/support/console.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

const { db } = await databaseOfFile();
const secrets = openSecrets("a secret key for tests, at least 32 long");
const NOW = new Date("2026-11-24T12:00:00Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const browser = { ip: "192.0.2.1", userAgent: "test" };
const email = "ada@example.com";
/** The codes of an app that are accepted at a time. */
const codesAt = (secret: string, at: Date) =>
  [-30, 0, 30].map((seconds) => appCode(secret, new Date(at.getTime() + seconds * 1_000)));

test("the new password and app sign in, the ones before do not; other sessions and recovery codes end", async () => {
  const user = await db.transaction((tx) => insertUser(tx, { handle: randomUUID(), email, name: "Ada" }));
  assert.ok(user);
  const start = () => db.transaction((tx) => startSession(tx, user.id, browser, NOW));
  const [own, other] = [await start(), await start()];
  const signedIn = await findSignedIn(db, own, NOW);
  assert.ok(signedIn !== null);
  const secretNow = async () => nextTotpSecret(secrets, await getUser(db, user.id));
  const change = async (password: string, code: string, at: Date) => {
    const ready = await preparePassword({ db, secrets }, { userId: user.id, password, code }, at);
    if (!ready.ok) return ready;
    return db.transaction((tx) => changePassword(ownActOf(tx, signedIn, at), ready.prepared));
  };
  const signIn = (password: string, secret: string, at: Date) =>
    signInWithPassword({ db, secrets }, { email, password, code: appCode(secret, at), browser }, at);

  const first = await secretNow();
  const wrong = wrongCode(first, NOW);
  for (const [password, code, reason] of [
    ["too short", appCode(first, NOW), "password_too_short"],
    ["password1234", appCode(first, NOW), "password_guessable"],
    ["seven green bicycles", wrong, "wrong_code"],
    // A wrong code is found first: an estimate takes long.
    ["password1234", wrong, "wrong_code"],
  ] as const)
    assert.deepEqual(await change(password, code, NOW), { ok: false, reason });
  assert.deepEqual(await change("seven green bicycles", appCode(first, NOW), NOW), { ok: true });
  assert.equal(await findSignedIn(db, other, NOW), null);
  assert.ok((await findSignedIn(db, own, NOW)) !== null);
  assert.equal(await signIn("seven green bicycles", first, NOW), null, "the code was used");
  assert.ok((await signIn("seven green bicycles", first, later(30))) !== null);

  await db.transaction((tx) => issueRecoveryCodes(ownActOf(tx, signedIn, NOW), null));
  const second = await secretNow();
  assert.notEqual(second, first);
  assert.deepEqual(await change("nine blue tractors", appCode(second, later(60)), later(60)), { ok: true });
  assert.equal(await countRecoveryCodes(db, user.id), 0);
  // By chance two apps can have the same code at a time.
  const end = [later(90), later(120)].find((at) => !codesAt(second, at).includes(appCode(first, at)))!;
  assert.equal(await signIn("seven green bicycles", second, end), null);
  assert.equal(await signIn("nine blue tractors", first, end), null);
  assert.ok((await signIn("nine blue tractors", second, end)) !== null);
});
