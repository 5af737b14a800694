/** A person is reset or removed while a request of theirs is on its way: the request changes nothing any more. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { changeMember } from "#lib/domain/members/change-member.ts";
import { resetPerson } from "#lib/domain/members/operators.ts";
import { addPasskey } from "#lib/domain/members/passkeys.ts";
import {
  changePassword,
  issueRecoveryCodes,
  nextTotpSecret,
  preparePassword,
} from "#lib/domain/members/password.ts";
import { countRecoveryCodes, getUser, listPasskeys } from "#lib/domain/members/queries.ts";
import { findSignedIn, startSession } from "#lib/domain/members/sessions.ts";
import { insertMember } from "#lib/domain/members/store.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { rotateKey } from "#lib/domain/merchants/end-key.ts";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { actOf, hereBy, ownActOf, personOf } from "#tests/support/acts.ts";
import { appCode } from "#tests/support/console.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";
import { aPerson } from "./a-person.ts";

const { db } = await databaseOfFile();
const NOW = new Date("2026-11-24T12:00:00Z");
const secrets = openSecrets("a secret key for tests, at least 32 long");
const browser = { ip: "192.0.2.1", userAgent: "test" };

/** A person with passkeys alone, who is signed in. */
async function aSignedIn() {
  const user = await aPerson(db);
  const token = await db.transaction((tx) => startSession(tx, user.id, browser, NOW));
  const signedIn = await findSignedIn(db, token, NOW);
  assert.ok(signedIn);
  return { user, signedIn };
}
const reset = (email: string) => db.transaction((tx) => resetPerson(hereBy(tx, NOW), { email }));

const merchantId = await aMerchant(db, "shop@example.com");
async function anOwner(): Promise<number> {
  const { id } = (await aSignedIn()).user;
  await db.transaction((tx) => insertMember(tx, { merchantId, userId: id, role: "owner" }));
  return id;
}
const keeper = await anOwner();
const remove = (memberId: number) =>
  db.transaction((tx) =>
    changeMember(actOf(tx, merchantId, { actor: personOf(keeper, "owner", NOW), now: NOW }), {
      memberId,
      role: null,
    }),
  );
const createOf = (madeBy: number) => {
  const by = { actor: personOf(madeBy, "owner", NOW), now: NOW };
  return db.transaction((tx) => createKey(actOf(tx, merchantId, by), { scope: "full", expiresAt: null }));
};
const SECOND_BEFORE = new Date(NOW.getTime() - 1_000);
const HOUR_LATER = { oldUntil: new Date(NOW.getTime() + 3_600_000), expiresAt: null };

const ended = { ok: false, reason: "session_ended" };

test("a stranger whose password is hashed while the operator resets the person has no password", async () => {
  const { user, signedIn } = await aSignedIn();
  const code = appCode(nextTotpSecret(secrets, user), NOW);
  const given = { userId: user.id, password: "the stranger's password", code };
  const preparing = preparePassword({ db, secrets }, given, NOW);
  await reset(user.email);
  const ready = await preparing;
  assert.ok(ready.ok);
  const change = db.transaction((tx) => changePassword(ownActOf(tx, signedIn, NOW), ready.prepared));
  assert.deepEqual(await change, ended);
  assert.equal((await getUser(db, user.id)).passwordHash, null);
});

test("of two passwords that are hashed at once, one is stored: the code of the app counts once", async () => {
  const { user, signedIn } = await aSignedIn();
  const code = appCode(nextTotpSecret(secrets, user), NOW);
  const [first, second] = await Promise.all(
    ["seven green bicycles", "nine blue tractors"].map((password) =>
      preparePassword({ db, secrets }, { userId: user.id, password, code }, NOW),
    ),
  );
  assert.ok(first?.ok && second?.ok);
  const change = (prepared: typeof first.prepared) =>
    db.transaction((tx) => changePassword(ownActOf(tx, signedIn, NOW), prepared));
  assert.deepEqual(await change(first.prepared), { ok: true });
  assert.deepEqual(await change(second.prepared), { ok: false, reason: "wrong_code" });
  assert.equal((await getUser(db, user.id)).passwordHash, first.prepared.passwordHash);
});

test("a stranger adds no passkey and gets no recovery codes after the operator has reset the person", async () => {
  const { user, signedIn } = await aSignedIn();
  await reset(user.email);
  const passkey = { credentialId: randomUUID(), publicKey: Buffer.from("k"), counter: 0, transports: [] };
  const expiresAt = NOW.getTime() + 1_000;
  const challenge = { challenge: randomUUID(), purpose: "register", handle: user.handle, expiresAt } as const;
  const add = db.transaction((tx) =>
    addPasskey(ownActOf(tx, signedIn, NOW), { name: "p", passkey, challenge }),
  );
  assert.deepEqual(await add, ended);
  assert.deepEqual(await listPasskeys(db, user.id), []);
  const issue = db.transaction((tx) => issueRecoveryCodes(ownActOf(tx, signedIn, NOW), null));
  assert.deepEqual(await issue, ended);
  assert.equal(await countRecoveryCodes(db, user.id), 0);
});

test("a person makes no key after they were removed, and none of theirs is rotated", async () => {
  const person = await anOwner();
  const before = await createOf(person);
  assert.ok(before.ok);
  assert.ok((await remove(person)).ok);
  assert.deepEqual(await createOf(person), { ok: false, reason: "maker_removed" });
  // The rotation began before the removal, and waited for it.
  const rotated = await db.transaction((tx) =>
    rotateKey(actOf(tx, merchantId, { now: SECOND_BEFORE }), { id: before.key.id, ...HOUR_LATER }),
  );
  assert.deepEqual(rotated, { ok: false, reason: "key_ended" });
  assert.equal(await db.$count(apiKeys, eq(apiKeys.madeBy, person)), 1);
});

test("a removal waits for the rotation of a key, and ends the new one too", async () => {
  const person = await anOwner();
  const before = await createOf(person);
  assert.ok(before.ok);
  const removing = await db.transaction(async (tx) => {
    assert.ok(
      (await rotateKey(actOf(tx, merchantId, { now: NOW }), { id: before.key.id, ...HOUR_LATER })).ok,
    );
    const removal = remove(person);
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until("the removal waits", async () => (await db.execute(waiting)).rows.length > 0);
    return { removal };
  });
  assert.ok((await removing.removal).ok);
  const keys = await db.select().from(apiKeys).where(eq(apiKeys.madeBy, person));
  assert.deepEqual(
    keys.map(({ revokedAt }) => revokedAt),
    [NOW, NOW],
  );
});
