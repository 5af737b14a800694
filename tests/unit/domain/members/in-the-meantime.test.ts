/** A person is reset or removed while a request of theirs is on its way: the request changes nothing any more. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { changePassword, nextTotpSecret } from "#lib/domain/members/change-password.ts";
import { addPasskey } from "#lib/domain/members/passkeys.ts";
import { countRecoveryCodes, getUser, listPasskeys } from "#lib/domain/members/queries.ts";
import { issueRecoveryCodes } from "#lib/domain/members/recovery-codes.ts";
import { resetPerson } from "#lib/domain/members/reset-person.ts";
import { findSignedIn, startSession } from "#lib/domain/members/sessions.ts";
import { insertUser } from "#lib/domain/members/store.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { appCode } from "#tests/support/console.ts";
import { testDatabase } from "#tests/support/database.ts";

const { db, close } = await testDatabase();
after(close);
const NOW = new Date("2026-11-24T12:00:00Z");
const secrets = openSecrets("a secret key for tests, at least 32 long");
const browser = { ip: "192.0.2.1", userAgent: "test" };

/** A person with passkeys alone, who is signed in. */
async function aPerson() {
  const email = `${randomUUID()}@example.com`;
  const user = await db.transaction((tx) => insertUser(tx, { handle: randomUUID(), email, name: "A" }));
  assert.ok(user);
  const token = await db.transaction((tx) => startSession(tx, user.id, browser, NOW));
  const signedIn = await findSignedIn(db, token, NOW);
  assert.ok(signedIn);
  return { user, signedIn };
}
const reset = (email: string) => db.transaction((tx) => resetPerson(tx, email, NOW));

test("a stranger whose password is hashed while the operator resets the person has no password", async () => {
  const { user, signedIn } = await aPerson();
  const code = appCode(nextTotpSecret(secrets, user), NOW);
  const changing = changePassword(
    { db, secrets },
    { signedIn, password: "the stranger's password", code },
    NOW,
  );
  await reset(user.email);
  assert.deepEqual(await changing, { ok: false, reason: "wrong_code" });
  assert.equal((await getUser(db, user.id)).passwordHash, null);
});

test("a stranger adds no passkey and gets no recovery codes after the operator has reset the person", async () => {
  const { user, signedIn } = await aPerson();
  await reset(user.email);
  const { userId, sessionId } = signedIn;
  const passkey = { credentialId: randomUUID(), publicKey: Buffer.from("k"), counter: 0, transports: [] };
  const expiresAt = NOW.getTime() + 1_000;
  const challenge = { challenge: randomUUID(), purpose: "register", handle: user.handle, expiresAt } as const;
  const given = { userId, sessionId, name: "p", passkey, challenge };
  assert.equal(await db.transaction((tx) => addPasskey(tx, given, NOW)), false);
  assert.deepEqual(await listPasskeys(db, userId), []);
  assert.equal(await db.transaction((tx) => issueRecoveryCodes(tx, signedIn, NOW)), null);
  assert.equal(await countRecoveryCodes(db, userId), 0);
});
