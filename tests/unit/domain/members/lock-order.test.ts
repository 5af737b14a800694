/** Transactions of one person wait in one order: none of two waits for the other, and nothing else waits for a sign-in. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { draftInvitation } from "#lib/domain/members/invite.ts";
import { invitationTotpSecret, joinWithPassword } from "#lib/domain/members/join.ts";
import { resetPerson } from "#lib/domain/members/operators.ts";
import { addPasskey } from "#lib/domain/members/passkeys.ts";
import { findInvitation, hashToken, listPasskeys } from "#lib/domain/members/queries.ts";
import { findSignedIn, startSession } from "#lib/domain/members/sessions.ts";
import { insertInvitation, lockUser, spendChallenge } from "#lib/domain/members/store.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { hereBy, ownActOf } from "#tests/support/acts.ts";
import { appCode } from "#tests/support/console.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";
import { aPerson } from "./a-person.ts";

const { db } = await databaseOfFile();
const NOW = new Date("2026-11-24T12:00:00Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);
const secrets = openSecrets("a secret key for tests, at least 32 long");
const browser = { ip: "192.0.2.1", userAgent: "test" };

const WAITING = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const untilOneWaits = () =>
  until("a transaction waits", async () => (await db.execute(WAITING)).rows.length > 0);

test("a locked person is no obstacle to rows that name them: an approval's passkey row is locked before", async () => {
  const { id } = await aPerson(db);
  await db.transaction(async (tx) => {
    await lockUser(tx, id);
    // The foreign key of an inserted row takes this lock.
    await db.execute(sql`select from users where id = ${id} for key share nowait`);
    await assert.rejects(db.execute(sql`select from users where id = ${id} for no key update nowait`));
  });
});

test("a passkey is added while the person signs in with another", async () => {
  const { id: userId, handle } = await aPerson(db);
  const token = await db.transaction((tx) => startSession(tx, userId, browser, NOW));
  const signedIn = await findSignedIn(db, token, NOW);
  assert.ok(signedIn);
  await db.transaction((tx) => spendChallenge(tx, "expired", later(-1), NOW));
  const passkey = { credentialId: randomUUID(), publicKey: Buffer.from("k"), counter: 0, transports: [] };
  const expiresAt = later(1_000).getTime();
  const challenge = { challenge: "registration", purpose: "register", handle, expiresAt } as const;
  const given = { name: "p", passkey, challenge };
  const { adding } = await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const adding = db.transaction((tx) => addPasskey(ownActOf(tx, signedIn, NOW), given));
    await untilOneWaits();
    assert.ok(await spendChallenge(tx, "sign-in", later(1_000), NOW));
    return { adding };
  });
  assert.deepEqual(await adding, { ok: true });
  assert.equal((await listPasskeys(db, userId)).length, 1);
});

test("a person signs up again while the operator resets them once more: the second reset wins", async () => {
  const { id, email } = await aPerson(db);
  const reset = await db.transaction((tx) => resetPerson(hereBy(tx, NOW), { email }));
  assert.ok(reset.ok);
  const { token: invitation } = reset;
  const code = appCode(invitationTotpSecret(secrets, invitation), NOW);
  const given = { invitation, name: "A", browser, password: "correct horse battery", code };
  const { joining } = await db.transaction(async (tx) => {
    await lockUser(tx, id);
    const joining = joinWithPassword({ db, secrets }, given, NOW);
    await untilOneWaits();
    assert.ok((await resetPerson(hereBy(tx, NOW), { email })).ok);
    return { joining };
  });
  assert.deepEqual(await joining, { ok: false, reason: "invitation_ended" });
});

/** Two invitations of a new person, to a merchant or to run the installation. */
async function inviteTwice(merchantId: number | null) {
  const email = `${randomUUID()}@example.com`;
  const role = merchantId === null ? null : ("cashier" as const);
  const draft = () => draftInvitation({ merchantId, role, email }, NOW);
  const drafts = [draft(), draft()] as const;
  for (const { row } of drafts) await db.transaction((tx) => insertInvitation(tx, row));
  return drafts.map(({ token }) => token) as [string, string];
}

for (const place of ["a merchant", "the installation"] as const) {
  test(`an invitation to ${place} is accepted after what holds the merchant or another invitation of the person`, async () => {
    const merchantId = place === "a merchant" ? await aMerchant(db, `${randomUUID()}@example.com`) : null;
    const [first, second] = await inviteTwice(merchantId);
    const lock = (tx: Tx, token: string) =>
      tx.execute(sql`select from invitations where token_hash = ${hashToken(token)} for update nowait`);
    const code = appCode(invitationTotpSecret(secrets, second), NOW);
    const given = { invitation: second, name: "A", browser, password: "correct horse battery", code };
    const { joining } = await db.transaction(async (tx) => {
      if (merchantId === null) await lock(tx, first);
      else await lockMerchant(tx, merchantId);
      const joining = joinWithPassword({ db, secrets }, given, NOW);
      await untilOneWaits();
      await lock(tx, second);
      return { joining };
    });
    assert.ok((await joining).ok);
    assert.equal(await findInvitation(db, first, NOW), null);
  });
}
