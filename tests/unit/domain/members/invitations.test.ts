/** An invitation lives no longer than its inviter's right to invite, and belongs to the person whose mailbox it reaches. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import type { Role } from "#lib/domain/authority/types.ts";
import { mails } from "#lib/domain/mail/tables.ts";
import { changeMember } from "#lib/domain/members/change-member.ts";
import { inviteMember } from "#lib/domain/members/invite.ts";
import { invitationTotpSecret, joinSignedIn, joinWithPassword } from "#lib/domain/members/join.ts";
import { addOperator, removeOperator, resetPerson } from "#lib/domain/members/operators.ts";
import { findInvitation, getUser, listInvitations, listMembers } from "#lib/domain/members/queries.ts";
import { INVITATION_LIFETIME_MS } from "#lib/domain/members/rules.ts";
import { findSignedIn } from "#lib/domain/members/sessions.ts";
import { signInWithPassword } from "#lib/domain/members/sign-in.ts";
import { insertMember, insertUser, updateUser } from "#lib/domain/members/store.ts";
import { passkeys } from "#lib/domain/members/tables.ts";
import type { SignedIn } from "#lib/domain/members/types.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { actOf, hereBy, personOf } from "#tests/support/acts.ts";
import { appCode } from "#tests/support/console.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const { db } = await databaseOfFile();
const NOW = new Date("2026-11-24T12:00:00Z");
const secrets = openSecrets("a secret key for tests, at least 32 long");
const merchantId = await aMerchant(db, "shop@example.com");
const browser = { ip: "192.0.2.1", userAgent: "test" };

async function aPerson(role: Role | "operator", email = `${randomUUID()}@example.com`): Promise<number> {
  return db.transaction(async (tx) => {
    const isOperator = role === "operator";
    const user = await insertUser(tx, { handle: randomUUID(), email, name: role, isOperator });
    assert.ok(user);
    if (!isOperator) await insertMember(tx, { merchantId, userId: user.id, role });
    return user.id;
  });
}
const actBy = (tx: Tx, userId: number, at = merchantId) =>
  actOf(tx, at, { actor: personOf(userId, "owner", NOW), now: NOW });
const reset = (email: string) => db.transaction((tx) => resetPerson(hereBy(tx, NOW), { email }));
const inviteBy = async (userId: number, email: string, mailSealer: typeof secrets | null = null) => {
  const person = { email, role: "owner", mailSealer } as const;
  return db.transaction((tx) => inviteMember(actBy(tx, userId), person));
};
const tokenBy = async (userId: number, email: string) => {
  const invited = await inviteBy(userId, email);
  assert.ok(invited.ok);
  return invited.token;
};
const changeTo = (memberId: number, role: Role | null) =>
  db.transaction((tx) => changeMember(actBy(tx, keeper), { memberId, role }));
const keeper = await aPerson("owner");
const signUp = (invitation: string, password = "correct horse battery", now = NOW) => {
  const code = appCode(invitationTotpSecret(secrets, invitation), now);
  return joinWithPassword({ db, secrets }, { invitation, name: "Ada", browser, password, code }, now);
};
const ended = { ok: false, reason: "invitation_ended" };

for (const role of [null, "manager", "cashier"] as const) {
  test(`an owner who becomes ${role ?? "nobody"} does not return with an invitation that they made`, async () => {
    const owner = await aPerson("owner");
    const [me, friend] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    const [own, friends] = [await tokenBy(owner, me), await tokenBy(owner, friend)];
    const other = await tokenBy(keeper, `${randomUUID()}@example.com`);
    await changeTo(owner, role);
    assert.equal(await findInvitation(db, own, NOW), null);
    assert.deepEqual(await signUp(own), ended);
    const userId = await db.transaction((tx) =>
      insertUser(tx, { handle: randomUUID(), email: friend, name: "F" }),
    );
    const signedIn = { userId: userId?.id, email: friend } as SignedIn;
    assert.deepEqual(await joinSignedIn(db, { invitation: friends, signedIn }, NOW), ended);
    assert.ok(
      (await listInvitations(db, merchantId, NOW)).every(({ email }) => email !== me && email !== friend),
    );
    assert.ok((await signUp(other)).ok);
  });
}

test("invitations of an operator end with their rights, those of the command do not", async () => {
  const email = `${randomUUID()}@example.com`;
  const operator = await aPerson("operator", email);
  const token = await tokenBy(operator, `${randomUUID()}@example.com`);
  assert.notEqual(await findInvitation(db, token, NOW), null);
  assert.ok((await remove(email)).ok);
  assert.equal(await findInvitation(db, token, NOW), null);
});

/** The token of an invitation to run the installation. */
const operatorToken = async (email: string) => {
  const added = await db.transaction((tx) => addOperator(hereBy(tx, NOW), { email }));
  assert.ok(added.ok);
  return added.token;
};
const remove = (email: string, now = NOW) =>
  db.transaction((tx) => removeOperator(hereBy(tx, now), { email }));
const isOpen = async (token: string) => (await findInvitation(db, token, NOW)) !== null;
const joinAs = (userId: number, email: string, invitation: string) =>
  joinSignedIn(db, { invitation, signedIn: { userId, email } as SignedIn }, NOW);

test("a removed person does not return with another invitation, no matter by whom it was made; those elsewhere stay open", async () => {
  const email = `${randomUUID()}@example.com`;
  // Made before the person joined with one more.
  const [first, second] = [await tokenBy(keeper, email.toUpperCase()), await tokenBy(keeper, email)];
  const person = await aPerson("manager", email);
  const elsewhere = await aMerchant(db, "elsewhere@example.com");
  const host = await aPerson("operator");
  const there = await db.transaction((tx) =>
    inviteMember(actBy(tx, host, elsewhere), { email, role: "cashier", mailSealer: null }),
  );
  assert.ok(there.ok);
  const others = [
    there.token,
    await tokenBy(keeper, `${randomUUID()}@example.com`),
    await operatorToken(email),
  ];
  await changeTo(person, "cashier");
  assert.ok(await isOpen(first), "a change of the role ends no invitation to them");
  await changeTo(person, null);
  for (const token of [first, second]) {
    assert.equal(await isOpen(token), false);
    assert.deepEqual(await joinAs(person, email, token), ended);
  }
  for (const token of others) assert.ok(await isOpen(token));
  const again = await tokenBy(keeper, email);
  assert.ok((await joinAs(person, email, again)).ok, "a new invitation lets them return");
});

test("an invitation that is accepted ends the others to the same person and place", async () => {
  const email = `${randomUUID()}@example.com`;
  const [first, second] = [await tokenBy(keeper, email), await tokenBy(keeper, email.toUpperCase())];
  const operator = await operatorToken(email);
  assert.ok((await signUp(second)).ok);
  assert.deepEqual([await isOpen(first), await isOpen(operator)], [false, true]);

  const guest = `${randomUUID()}@example.com`;
  const tokens = [await operatorToken(guest), await operatorToken(guest)];
  const joined = await Promise.all(tokens.map((token) => signUp(token)));
  assert.equal(joined.filter(({ ok }) => ok).length, 1, "both at the same time");
  assert.deepEqual(await Promise.all(tokens.map(isOpen)), [false, false]);
});

test("an owner who may invite again does not have the invitations of before again", async () => {
  const owner = await aPerson("owner");
  const token = await tokenBy(owner, `${randomUUID()}@example.com`);
  await changeTo(owner, "cashier");
  await changeTo(owner, "owner");
  assert.equal(await isOpen(token), false);
});

test("a removed operator does not return with another invitation, and one who has not joined yet is removed, too", async () => {
  const email = `${randomUUID()}@example.com`;
  const operator = await aPerson("operator", email);
  const token = await operatorToken(email.toUpperCase());
  const link = await reset(email);
  assert.ok(link.ok);
  const removed = await remove(email);
  assert.deepEqual(removed.ok && [removed.user?.id, removed.endedInvitations], [operator, 1]);
  assert.deepEqual(await joinAs(operator, email, token), ended);
  assert.ok(await isOpen(link.token), "they stay a member elsewhere, and can sign up again");
  assert.equal((await getUser(db, operator)).isOperator, false);

  const guest = `${randomUUID()}@example.com`;
  const early = [await operatorToken(guest), await operatorToken(guest)];
  const withdrawn = await remove(guest.toUpperCase());
  assert.deepEqual(withdrawn.ok && [withdrawn.user, withdrawn.endedInvitations], [null, 2]);
  for (const one of early) assert.deepEqual(await signUp(one), ended);
  assert.deepEqual(await remove(guest), { ok: false, reason: "operator_not_found" });
});

test("a request that began before an invitation expired does not bring a removed operator back", async () => {
  const email = `${randomUUID()}@example.com`;
  const operator = await aPerson("operator", email);
  const token = await operatorToken(email);
  const removed = await remove(email, new Date(NOW.getTime() + INVITATION_LIFETIME_MS));
  assert.equal(removed.ok && removed.endedInvitations, 0, "it was not open any more");
  assert.deepEqual(await joinAs(operator, email, token), ended);
});

test("with mail, an invitation that no mail brings is not made", async () => {
  const email = `${randomUUID()}@example.com`;
  for (let i = 0; i < 5; i++) {
    const invited = await inviteBy(keeper, email, secrets);
    assert.ok(invited.ok);
  }
  const count = (await listInvitations(db, merchantId, NOW)).length;
  assert.deepEqual(await inviteBy(keeper, email, secrets), { ok: false, reason: "invitation_not_mailed" });
  assert.equal((await listInvitations(db, merchantId, NOW)).length, count);
  assert.equal(await db.$count(mails, eq(mails.recipient, email)), 5);
  assert.ok((await inviteBy(keeper, email)).ok);
  assert.equal(await db.$count(mails, eq(mails.recipient, email)), 5);
});

test("with mail, a disabled merchant invites nobody: it gets no mails", async () => {
  const [disabled, email] = [await aMerchant(db, "disabled@example.com"), `${randomUUID()}@example.com`];
  await db.update(merchants).set({ status: "disabled" }).where(eq(merchants.id, disabled));
  const operator = await aPerson("operator");
  const person = { email, role: "owner", mailSealer: secrets } as const;
  const invited = await db.transaction((tx) => inviteMember(actBy(tx, operator, disabled), person));
  assert.deepEqual(invited, { ok: false, reason: "merchant_disabled" });
  assert.deepEqual(await listInvitations(db, disabled, NOW), []);
  assert.equal(await db.$count(mails, eq(mails.recipient, email)), 0);
});

test("the operator resets a person whom a stranger signed up: the stranger is out, the person signs up again", async () => {
  const email = `${randomUUID()}@example.com`;
  const stranger = await signUp(await tokenBy(keeper, email), "the stranger's password");
  assert.ok(stranger.ok);
  const theirs = await findSignedIn(db, stranger.token, NOW);
  assert.ok(theirs !== null);
  await db.insert(passkeys).values({
    userId: theirs.userId,
    credentialId: randomUUID(),
    publicKey: Buffer.from("k"),
    counter: 0,
    transports: [],
    name: "p",
  });

  const done = await reset(email.toUpperCase());
  assert.ok(done.ok);
  assert.equal(await findSignedIn(db, stranger.token, NOW), null, "the session has ended");
  const later = new Date(NOW.getTime() + 60_000);
  const code = appCode(invitationTotpSecret(secrets, done.token), later);
  const given = { email, password: "the stranger's password", code, browser };
  assert.equal(await signInWithPassword({ db, secrets }, given, later), null);
  assert.equal(await db.$count(passkeys, eq(passkeys.userId, theirs.userId)), 0);

  // Nobody else takes the place: not who is signed in, and not with another invitation to this address.
  const signedIn = { userId: keeper, email } as SignedIn;
  assert.deepEqual(await joinSignedIn(db, { invitation: done.token, signedIn }, NOW), ended);
  assert.equal((await getUser(db, keeper)).isOperator, false);
  const elsewhere = await aMerchant(db, "other@example.com");
  const rival = await aPerson("operator");
  const person = { email, role: "owner", mailSealer: null } as const;
  const again = await db.transaction((tx) => inviteMember(actBy(tx, rival, elsewhere), person));
  assert.ok(again.ok);
  assert.deepEqual(await signUp(again.token), { ok: false, reason: "sign_in_first" });

  const offered = await findInvitation(db, done.token, NOW);
  assert.deepEqual([offered?.email, offered?.isReset, offered?.isKnownUser], [email, true, false]);
  const joined = await signUp(done.token);
  assert.ok(joined.ok);
  const known = await findSignedIn(db, joined.token, NOW);
  assert.deepEqual([known?.userId, known?.isOperator], [theirs.userId, false]);
  assert.ok((await listMembers(db, merchantId)).some(({ userId }) => userId === theirs.userId));
  assert.deepEqual(await signUp(done.token), ended, "the link works once");
});

test("a second reset ends the link of the first, and an unknown person is not reset", async () => {
  const email = `${randomUUID()}@example.com`;
  const userId = await aPerson("cashier", email);
  await db.transaction((tx) => updateUser(tx, userId, { isOperator: true }));
  const first = await reset(email);
  const second = await reset(email);
  assert.ok(first.ok && second.ok);
  assert.deepEqual(await signUp(first.token), ended);
  assert.ok((await signUp(second.token)).ok);
  assert.deepEqual(await reset("nobody@example.com"), { ok: false, reason: "person_not_found" });
});
