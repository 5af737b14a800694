/** Refund links of people and keys that could make none any more: the customer's address is taken, and an owner or manager decides. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import type { Actor, Role } from "#lib/domain/authority/types.ts";
import { changeMember } from "#lib/domain/members/change-member.ts";
import { insertMember } from "#lib/domain/members/store.ts";
import { passkeys } from "#lib/domain/members/tables.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { revokeKey } from "#lib/domain/merchants/end-key.ts";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { approvalChallenge } from "#lib/domain/withdrawals/approve/approval-challenge.ts";
import { waitsForApproval } from "#lib/domain/withdrawals/approve/approval-rules.ts";
import { approveWithdrawal } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { setSecondPerson } from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import { countToApprove, listPayable, listRefunds } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { OPERATOR, performAs, personOf, programOf } from "#tests/support/acts.ts";
import { PASSKEY_SITE, softwarePasskey } from "#tests/support/software-passkey.ts";
import { answerAsPayer, fund } from "#tests/support/withdrawals.ts";
import { aPerson } from "../members/a-person.ts";
import { aWorld, usdt, type World } from "../payment-links/world.ts";

const secrets = openSecrets("a secret key for tests, at least 32 long");
let world: World;
let keeper: number;

before(async () => {
  world = await aWorld();
  await fund(world.db, world.adapter, world.owner.merchantId, usdt("10000"));
  keeper = await aMember("owner");
});
after(() => world.close());

const by = (actor: Actor) => ({ ...world.owner, actor });
const ownerOf = (userId: number) => by(personOf(userId, "owner", new Date()));

async function aMember(role: Role): Promise<number> {
  const { id: userId } = await aPerson(world.db);
  const { merchantId } = world.owner;
  await world.db.transaction((tx) => insertMember(tx, { merchantId, userId, role }));
  return userId;
}
const change = async (memberId: number, role: Role | null) =>
  assert.ok((await performAs(world.db, ownerOf(keeper), changeMember, { memberId, role })).ok);

/** A key of the operator, or of a person. */
async function aKey(maker: Actor = OPERATOR) {
  const made = await performAs(world.db, by(maker), createKey, { scope: "withdrawals", expiresAt: null });
  assert.ok(made.ok);
  return made.key;
}
const keyOf = (userId: number) => aKey(personOf(userId, "owner", new Date()));
const revoke = async (id: number, at: Date | null = null) =>
  assert.ok((await performAs(world.db, by(OPERATOR), revokeKey, { id, at })).ok);

/** Makes the refund link of a payment, then returns what becomes of it when the customer enters an address. */
async function aClaimBy(actor: Actor): Promise<() => Promise<WithdrawalRow>> {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("20"), status: "credited" });
  const { networks, settings } = world.deps;
  const made = await performAs(world.db, by(actor), createClaim, {
    ...{ networks, secrets, settings, paymentLink: refid, network: "bep20", token: "usdt" },
    ...{ amount: usdt("2"), note: null, mail: false, idempotencyKey: null },
  });
  assert.ok(made.ok);
  return async () => {
    const secret = made.url?.split("/").at(-1) ?? "";
    assert.ok((await answerAsPayer(world.deps, { secret })).ok);
    const [row] = await listRefunds(world.db, made.claim.paymentLinkId, 1);
    assert.ok(row);
    return row;
  };
}
const isPaid = async ({ id }: WithdrawalRow) => {
  const queue = { env: "test", network: "bep20" } as const;
  return (await listPayable(world.db, queue, { after: id - 1, limit: 1 })).some((row) => row.id === id);
};

for (const role of ["owner", "manager", "developer", "cashier", null] as const) {
  const waits = role !== "owner" && role !== "manager";
  test(`a manager is ${role ?? "nobody"} now: their refund link ${waits ? "waits for an approval" : "pays"}`, async () => {
    const person = await aMember("manager");
    const answer = await aClaimBy(personOf(person, "manager", new Date()));
    await change(person, role);
    const before = await countToApprove(world.db, { ...world.owner, limit: 100 });
    const row = await answer();
    assert.deepEqual([waitsForApproval(row), row.requestedBy], [waits, `user:${person}`]);
    assert.equal(await isPaid(row), !waits);
    const waiting = await countToApprove(world.db, { ...world.owner, limit: 100 });
    assert.equal(waiting - before, waits ? 1 : 0);
  });
}

test("the refund link of a key waits for an approval once the key has ended, or its maker could not make it", async () => {
  const soon = new Date(Date.now() + 3_600_000);
  const steps: readonly (readonly [
    waits: boolean,
    step: (key: number, maker: number) => Promise<unknown>,
  ])[] = [
    [false, async () => {}],
    [false, (key) => revoke(key, soon)],
    [true, (key) => revoke(key)],
    [true, (key) => world.db.update(apiKeys).set({ expiresAt: new Date() }).where(eq(apiKeys.id, key))],
    [true, (_, maker) => change(maker, "developer")],
    [true, (_, maker) => change(maker, null)],
  ];
  for (const [at, [waits, step]] of steps.entries()) {
    const maker = await aMember("owner");
    const { id } = await keyOf(maker);
    const answer = await aClaimBy(programOf(id, { madeBy: maker, makerRole: "owner" }));
    await step(id, maker);
    assert.equal(waitsForApproval(await answer()), waits, String(at));
  }
  const [first, second] = [await aKey(), await aKey()];
  const [lives, ended] = [await aClaimBy(programOf(first.id)), await aClaimBy(programOf(second.id))];
  await revoke(second.id);
  assert.deepEqual(
    [waitsForApproval(await lives()), waitsForApproval(await ended())],
    [false, true],
    "keys of the operator",
  );
});

async function approver(role: Role) {
  const userId = await aMember(role);
  const passkey = softwarePasskey();
  const row = { userId, name: role, credentialId: passkey.id, publicKey: passkey.publicKey };
  await world.db.insert(passkeys).values({ ...row, counter: 0, transports: [] });
  const approve = (row: WithdrawalRow) =>
    performAs(world.db, by(personOf(userId, role, new Date())), approveWithdrawal, {
      site: { origin: PASSKEY_SITE.origin },
      refid: row.refid,
      answer: passkey.answer(approvalChallenge(row)),
    });
  return { userId, approve };
}

test("an owner or manager approves it; without a demand for a second person also the maker of the ended key", async () => {
  const [one, other] = [await approver("owner"), await approver("manager")];
  const leaver = await aMember("manager");
  const left = await aClaimBy(personOf(leaver, "manager", new Date()));
  await change(leaver, null);
  const ofLeaver = await left();
  assert.ok((await other.approve(ofLeaver)).ok);
  assert.ok(await isPaid(ofLeaver));

  const ofEndedKey = async () => {
    const { id } = await keyOf(one.userId);
    const answer = await aClaimBy(programOf(id, { madeBy: one.userId, makerRole: "owner" }));
    await revoke(id);
    return answer;
  };
  const [first, second, third] = [await ofEndedKey(), await ofEndedKey(), await ofEndedKey()];
  const own = await first();
  assert.ok((await one.approve(own)).ok, "a merchant of one person could never pay it");
  assert.ok(await isPaid(own));

  const demand = (secondPerson: boolean) =>
    performAs(world.db, by(OPERATOR), setSecondPerson, { secondPerson });
  const undecided = await second();
  assert.ok((await demand(true)).ok);
  const byAsker = { ok: false, reason: "approval_by_asker" };
  const demanded = await third();
  for (const row of [undecided, demanded]) assert.deepEqual(await one.approve(row), byAsker);
  // The end of the demand lets nobody alone decide about what waits already.
  assert.ok((await demand(false)).ok);
  for (const row of [undecided, demanded]) {
    assert.deepEqual(await one.approve(row), byAsker);
    assert.ok((await other.approve(row)).ok);
  }
});
