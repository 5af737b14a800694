/** Approvals of withdrawals: the people who may, the text that they sign, and the rule that demands them. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import type { Actor, Role } from "#lib/domain/authority/types.ts";
import { insertMember, insertUser } from "#lib/domain/members/store.ts";
import { passkeys } from "#lib/domain/members/tables.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { setStatus } from "#lib/domain/merchants/update-merchant.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { approvalChallenge } from "#lib/domain/withdrawals/approve/approval-challenge.ts";
import {
  approvalRefusal,
  approvalText,
  waitsForApproval,
} from "#lib/domain/withdrawals/approve/approval-rules.ts";
import { approveWithdrawal, startApproval } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { setSecondPerson } from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import {
  countToApprove,
  listApprovals,
  listGivenApprovals,
  listPayable,
} from "#lib/domain/withdrawals/queries.ts";
import { withdrawalHolds, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { actOf, OPERATOR, performAs, personOf, programOf } from "#tests/support/acts.ts";
import { checkEventData } from "#tests/support/check-event-data.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { PASSKEY_SITE, softwarePasskey } from "#tests/support/software-passkey.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { aHash, askFor, aWithdrawal, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
// No node listens at this address.
const networks = bep20("http://127.0.0.1:9");
const NOW = new Date("2026-03-01T12:00:00Z");

const t = await databaseOfFile();
const merchantId = await aMerchant(t.db, EMAIL);
await fund(t.db, networks.find("test", "bep20")!, merchantId, 1_000n * USDT);

const deps = () => ({ db: t.db, networks });
const setTo = (secondPerson: boolean, actor: Actor = OPERATOR) =>
  performAs(t.db, { merchantId, actor, now: NOW }, setSecondPerson, { secondPerson });

function addPerson(name: string, role: Role | "operator"): Promise<number> {
  return t.db.transaction(async (tx) => {
    const user = await insertUser(tx, {
      handle: randomUUID(),
      email: `${name}@example.com`,
      name,
      isOperator: role === "operator",
    });
    assert.ok(user);
    if (role !== "operator") await insertMember(tx, { merchantId, userId: user.id, role });
    return user.id;
  });
}

test("a merchant demands it once two people can approve; a withdrawal then waits, and nothing is sent for it", async () => {
  await addPerson("ada", "owner");
  await addPerson("cashier", "cashier");
  const alone = await setTo(true);
  assert.deepEqual(
    alone,
    { ok: false, reason: "second_person_missing" },
    "one person alone could approve nothing",
  );
  assert.ok(!waitsForApproval(await aWithdrawal(deps(), EMAIL)), "nothing changed");
  const bisi = await addPerson("bisi", "manager");
  assert.ok((await setTo(true)).ok);
  const row = await aWithdrawal(deps(), EMAIL);
  assert.ok(waitsForApproval(row));
  const owner = { merchantId, env: "test", limit: 10 } as const;
  assert.equal(await countToApprove(t.db, owner), 1);
  const [event] = await t.db.select().from(webhookEvents);
  assert.equal(event?.type, "withdrawal_approval_needed");
  assert.equal(checkEventData("withdrawal_approval_needed", event.body).refid, row.refid);
  const { sent, fail } = operatorSteps(deps());
  assert.deepEqual(await sent(row.refid, aHash(), NOW), { ok: false, reason: "approval_missing" });

  // A text that is not the answer of a passkey approves nothing.
  const site = { origin: "https://pay.example.com" };
  const by = { merchantId, now: NOW, actor: personOf(bisi, "manager", NOW) };
  const given = { site, refid: row.refid, answer: "" };
  for (const answer of ["", "{}", '{"id":"AAAA"}', "null"])
    assert.deepEqual(await performAs(t.db, by, approveWithdrawal, { ...given, answer }), {
      ok: false,
      reason: "wrong_passkey",
    });
  for (const elsewhere of [{ merchantId: merchantId + 1 }, { env: "live" }] as const)
    assert.deepEqual(await performAs(t.db, { ...by, ...elsewhere }, approveWithdrawal, given), {
      ok: false,
      reason: "withdrawal_not_found",
    });
  assert.deepEqual(await listApprovals(t.db, row.id), []);

  // A requested withdrawal keeps waiting, also after the demand is switched off; it can be declined.
  const byOwner = personOf(bisi, "owner", NOW);
  assert.deepEqual(await setTo(false, byOwner), { ok: false, reason: "second_person_switched_off" });
  assert.ok((await setTo(false)).ok);
  assert.deepEqual(await sent(row.refid, aHash(), NOW), { ok: false, reason: "approval_missing" });
  const declined = await fail(row.refid, "declined", NOW);
  assert.equal(declined.ok && declined.withdrawal.status, "refund_queued");
  assert.equal(await countToApprove(t.db, owner), 0);
});

const MERCHANT = { forSigner: false };

test("nobody approves their own withdrawal, one that waits for nothing, or one that has ended", () => {
  const waiting = {
    ...({ status: "pending", needsApproval: true, approvedAt: null } as const),
    ...{ asker: "user:1", isSecondDemanded: true, isMerchantActive: true },
  };
  assert.equal(approvalRefusal(waiting, "user:2", MERCHANT), null);
  assert.equal(approvalRefusal(waiting, "user:1", MERCHANT), "approval_by_asker");
  const disabled = { ...waiting, isMerchantActive: false };
  for (const forSigner of [false, true])
    assert.equal(approvalRefusal(disabled, "user:2", { forSigner }), "merchant_disabled");
  const undemanded = { ...waiting, isSecondDemanded: false };
  assert.equal(approvalRefusal(undemanded, "user:1", MERCHANT), null);
  assert.equal(approvalRefusal(undemanded, "user:1", { forSigner: true }), "approval_by_asker");
  for (const other of [
    { approvedAt: NOW },
    { needsApproval: false },
    { status: "processing" },
    { status: "failed" },
  ] as const)
    assert.equal(approvalRefusal({ ...waiting, ...other }, "user:2", MERCHANT), "approval_not_needed");
});

/** A person with a passkey that the console knows. */
async function addApprover(name: string, role: Role | "operator") {
  const userId = await addPerson(name, role);
  const passkey = softwarePasskey();
  const row = { userId, name, credentialId: passkey.id, publicKey: passkey.publicKey };
  await t.db.insert(passkeys).values({ ...row, counter: 0, transports: [] });
  return { userId, passkey };
}

test("an operator or a member approves for the signer, which takes no second person's place", async () => {
  const site = { origin: PASSKEY_SITE.origin };
  const [olga, mia] = [await addApprover("olga", "operator"), await addApprover("mia", "manager")];
  assert.ok((await setTo(true)).ok);
  const row = await aWithdrawal(deps(), EMAIL);
  assert.ok((await setTo(false)).ok);
  const approve = (person: typeof olga, role: Role | "operator", answer: string) => {
    const by = { merchantId, now: NOW, actor: personOf(person.userId, role, NOW) };
    return performAs(t.db, by, approveWithdrawal, { site, refid: row.refid, answer });
  };
  // The command has no passkey.
  const command = performAs(t.db, { merchantId, now: NOW }, approveWithdrawal, {
    site,
    refid: row.refid,
    answer: olga.passkey.answer(approvalChallenge(row)),
  });
  assert.deepEqual(await command, { ok: false, reason: "wrong_passkey" });
  const byOlga = olga.passkey.answer(approvalChallenge(row));
  assert.deepEqual(await approve(mia, "manager", byOlga), { ok: false, reason: "wrong_passkey" });
  assert.deepEqual(await approve(olga, "operator", byOlga), { ok: true, forSigner: true });
  assert.deepEqual(await approve(olga, "operator", byOlga), { ok: true, forSigner: true }, "again");
  assert.equal(
    (await t.db.select().from(withdrawals).where(eq(withdrawals.id, row.id)))[0]?.approvedAt,
    null,
  );
  const byMia = mia.passkey.answer(approvalChallenge(row));
  assert.deepEqual(await approve(mia, "manager", byMia), { ok: true, forSigner: false });
  // Nothing more is needed, until the signer says that it waits for approvers.
  const refused = { ok: false, reason: "approval_not_needed" };
  assert.deepEqual(await approve(mia, "manager", byMia), refused);
  await t.db
    .insert(withdrawalHolds)
    .values({ withdrawalId: row.id, reason: "approvals_missing", since: NOW });
  assert.deepEqual(await approve(mia, "manager", byMia), { ok: true, forSigner: true });
  const given = (await listGivenApprovals(t.db, [row.id])).get(row.id);
  assert.deepEqual(given?.assertions.toSorted(), [byOlga, byMia].toSorted());
  await t.db.update(withdrawals).set({ status: "processing" }).where(eq(withdrawals.id, row.id));
  assert.deepEqual(await approve(olga, "operator", byOlga), refused);
});

test("a withdrawal of a disabled merchant is not approved until the merchant is enabled", async () => {
  const site = { origin: PASSKEY_SITE.origin };
  const [mara, olu] = [await addApprover("mara", "owner"), await addApprover("olu", "operator")];
  assert.ok((await setTo(true)).ok);
  const row = await aWithdrawal(deps(), EMAIL);
  assert.ok((await setTo(false)).ok);
  const approve = (person: typeof mara, role: Role | "operator") => {
    const by = { merchantId, now: NOW, actor: personOf(person.userId, role, NOW) };
    const answer = person.passkey.answer(approvalChallenge(row));
    return performAs(t.db, by, approveWithdrawal, { site, refid: row.refid, answer });
  };
  const by = { merchantId, env: "test", actor: personOf(mara.userId, "owner", NOW) } as const;
  const start = () => startApproval(t.db, PASSKEY_SITE, by, row.refid);
  const switchTo = (status: "active" | "disabled") =>
    performAs(t.db, { merchantId, env: "live", now: NOW }, setStatus, { status });

  assert.ok((await switchTo("disabled")).ok);
  const refused = { ok: false, reason: "merchant_disabled" };
  assert.deepEqual(await approve(mara, "owner"), refused);
  assert.deepEqual(await approve(olu, "operator"), refused);
  assert.deepEqual(await start(), refused);
  assert.ok((await switchTo("active")).ok);
  assert.ok((await start()).ok);
  assert.deepEqual(await approve(mara, "owner"), { ok: true, forSigner: false });

  const statuses = async (ofActive?: true) => {
    const page = { after: row.id - 1, limit: 1, ...(ofActive && { ofActive }) };
    const rows = await listPayable(t.db, { env: "test", network: "bep20" }, page);
    return rows.map(({ merchantStatus }) => merchantStatus);
  };
  assert.deepEqual([await statuses(), await statuses(true)], [["active"], ["active"]]);
  assert.ok((await switchTo("disabled")).ok);
  assert.deepEqual([await statuses(), await statuses(true)], [["disabled"], []]);
  assert.ok((await switchTo("active")).ok);
});

test("nobody approves what a key of their own asked for, and not with a key that this key made", async () => {
  const site = { origin: PASSKEY_SITE.origin };
  const [dan, eve] = [await addApprover("dan", "owner"), await addApprover("eve", "owner")];
  assert.ok((await setTo(true)).ok);
  const scope = { scope: "withdrawals", expiresAt: null } as const;
  const keys = await t.db.transaction(async (tx) => {
    const by = (actor: Actor) => actOf(tx, merchantId, { actor, now: NOW });
    const own = await createKey(by(personOf(dan.userId, "owner", NOW)), scope);
    assert.ok(own.ok);
    const next = await createKey(
      by(programOf(own.key.id, { madeBy: dan.userId, makerRole: "owner" })),
      scope,
    );
    const command = await createKey(by(OPERATOR), scope);
    assert.ok(next.ok && command.ok);
    return { dans: [own.key.id, next.key.id], operators: command.key.id };
  });
  const ask = async (key: number) => {
    const made = await askFor(deps(), { merchantId, now: NOW, actor: programOf(key) });
    assert.ok(made.ok);
    return made.withdrawal;
  };
  const approve = (person: typeof dan, row: WithdrawalRow) => {
    const by = { merchantId, now: NOW, actor: personOf(person.userId, "owner", NOW) };
    const answer = person.passkey.answer(approvalChallenge(row));
    return performAs(t.db, by, approveWithdrawal, { site, refid: row.refid, answer });
  };
  for (const key of keys.dans) {
    const row = await ask(key);
    assert.deepEqual(await approve(dan, row), { ok: false, reason: "approval_by_asker" });
    assert.deepEqual(await approve(eve, row), { ok: true, forSigner: false });
  }
  assert.deepEqual(await approve(dan, await ask(keys.operators)), { ok: true, forSigner: false });
  assert.ok((await setTo(false)).ok);
});

test("an approval is for one withdrawal, with its destination and amount", () => {
  const signed = {
    ...({ env: "test", refid: "4821907735610284", network: "bep20", token: "usdt" } as const),
    ...{ amount: 15n * USDT, toAddress: DESTINATION },
  };
  assert.equal(
    approvalText(signed),
    `paylink withdrawal 1\ntest\n4821907735610284\nbep20\nusdt\n15\n${DESTINATION}`,
  );
  const others = [
    { env: "live" },
    { refid: "4821907735610285" },
    { network: "erc20" },
    { token: "usdc" },
    { amount: 150n * USDT },
    { toAddress: "0xdead" },
  ] as const;
  const texts = [signed, ...others.map((other) => ({ ...signed, ...other }))].map(approvalText);
  assert.equal(new Set(texts).size, texts.length);
});
