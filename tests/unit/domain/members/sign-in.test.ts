import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { isRecent } from "#lib/domain/authority/verb-rules.ts";
import { findSignedIn } from "#lib/domain/members/sessions.ts";
import { confirmWithCode, signInWithPassword } from "#lib/domain/members/sign-in.ts";
import { insertUser } from "#lib/domain/members/store.ts";
import { totpSecretFrom } from "#lib/platform/one-time-codes.ts";
import { hashPassword } from "#lib/platform/passwords.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { appCode } from "#tests/support/console.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

const database = await databaseOfFile();
const { db } = database;
const secrets = openSecrets("a secret key for tests, at least 32 long");
const SECRET = totpSecretFrom(Buffer.from("12345678901234567890"));
const PASSWORD = "correct horse battery staple";
const NOW = new Date("2026-11-24T12:00:00Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const browser = { ip: "192.0.2.1", userAgent: "test" };

/** The default takes a second on a busy machine: tests/unit/platform/passwords.test.ts. */
const passwordCost = { N: 2, r: 1, p: 1 };
const passwordHash = await hashPassword(PASSWORD, passwordCost);
async function aPerson(email: string): Promise<number> {
  const user = { handle: randomUUID(), email, name: "Ada", passwordHash, totpSecret: secrets.seal(SECRET) };
  const row = await db.transaction((tx) => insertUser(tx, user));
  return row?.id ?? 0;
}
const signIn = (email: string, now: Date, { password = PASSWORD, code = appCode(SECRET, now) } = {}) =>
  signInWithPassword({ db, secrets, passwordCost }, { email, password, code, browser }, now);

test("a code signs in once, and its session ends by itself", async () => {
  await aPerson("once@example.com");
  const token = await signIn("Once@example.com", NOW);
  assert.ok(token !== null);
  assert.equal(await signIn("once@example.com", NOW), null, "the code was used");
  assert.equal(await signIn("once@example.com", later(30), { code: appCode(SECRET, NOW) }), null);
  assert.ok((await signIn("once@example.com", later(30))) !== null);
  assert.equal((await findSignedIn(db, token, later(60)))?.email, "once@example.com");
  assert.equal(await findSignedIn(db, token, later(60 + 12 * 3_600)), null, "nobody used it for 12 hours");
  for (let hour = 0; hour < 168; hour += 11) await findSignedIn(db, token, later(hour * 3_600));
  assert.equal(await findSignedIn(db, token, later(168 * 3_600)), null, "it is a week old");
  assert.equal(await findSignedIn(db, "", NOW), null);
});

test("what is no e-mail address or no code signs nobody in", async () => {
  await aPerson("odd@example.com");
  for (const email of ["", "\0", "odd@example.com\0", "odd", "x".repeat(300)])
    assert.equal(await signIn(email, NOW), null);
  for (const code of ["", "\0", "x".repeat(40)])
    assert.equal(await signIn("odd@example.com", NOW, { code }), null);
});

test("ten wrong tries lock an account for 15 minutes, and a right one forgets the ones before", async () => {
  await aPerson("lock@example.com");
  const wrong = () => signIn("lock@example.com", NOW, { code: "000000" });
  for (let i = 0; i < 9; i++) assert.equal(await wrong(), null);
  assert.ok((await signIn("lock@example.com", NOW)) !== null, "nine are forgiven");
  for (let i = 0; i < 10; i++) await signIn("lock@example.com", NOW, { password: "wrong" });
  assert.equal(await signIn("lock@example.com", later(14 * 60)), null, "locked");
  assert.ok((await signIn("lock@example.com", later(15 * 60))) !== null);
});

test("people prove again who they are with a code, and get another token", async () => {
  await aPerson("step@example.com");
  const token = (await signIn("step@example.com", NOW)) ?? "";
  const signedIn = await findSignedIn(db, token, NOW);
  assert.ok(signedIn !== null);
  assert.equal(await confirmWithCode({ db, secrets }, { signedIn, code: "000000" }, later(400)), null);
  const renewed = await confirmWithCode(
    { db, secrets },
    { signedIn, code: appCode(SECRET, later(400)) },
    later(400),
  );
  assert.ok(renewed !== null && renewed !== token);
  assert.deepEqual((await findSignedIn(db, renewed, later(400)))?.verifiedAt, later(400));
  assert.equal(await findSignedIn(db, token, later(700)), null, "the former token is worth nothing");
});

test("an answer that is lost signs nobody out: the former token still works for five minutes, and proves nothing", async () => {
  await aPerson("lost@example.com");
  const token = (await signIn("lost@example.com", NOW)) ?? "";
  const confirm = async (seconds: number) => {
    const signedIn = await findSignedIn(db, token, later(seconds));
    assert.ok(signedIn !== null);
    const code = appCode(SECRET, later(seconds));
    return (await confirmWithCode({ db, secrets }, { signedIn, code }, later(seconds))) ?? "";
  };
  const lost = await confirm(400);
  const former = await findSignedIn(db, token, later(401));
  assert.ok(former !== null && !isRecent(former, later(401)));
  const arrived = await confirm(460);
  assert.equal(await findSignedIn(db, lost, later(460)), null, "a token that was replaced ends");
  assert.deepEqual((await findSignedIn(db, arrived, later(460)))?.verifiedAt, later(460));
  assert.ok((await findSignedIn(db, token, later(460 + 299))) !== null);
  assert.equal(await findSignedIn(db, token, later(460 + 300)), null);
});
