/** The signer pays withdrawals by itself on a real EVM node, within its policy, and each once. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import type { EvmSending, EvmTransfer } from "#lib/chains/evm/sending.ts";
import { isEvmSending } from "#lib/chains/evm/sending.ts";
import { transferData } from "#lib/dev-chains/payers/test-usdt.ts";
import { passkeys, users } from "#lib/domain/members/tables.ts";
import { approvalChallenge } from "#lib/domain/withdrawals/approve/approval-challenge.ts";
import { payoutSignatures, withdrawalApprovals, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { createApprover, signPayout } from "#lib/signer/approvals.ts";
import { JournalError, openJournal } from "#lib/signer/journal.ts";
import { mine, reorg, rpc, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { ACCOUNT_KEY, policyText, type SignerWorld, signerWorld } from "#tests/support/signer-world.ts";
import { passkeyEntry, softwarePasskey } from "#tests/support/software-passkey.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { DESTINATION, USDT } from "#tests/support/withdrawals.ts";

const ELSEWHERE = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

test("pays what is pending, in one step, and the worker completes it", async (t) => {
  const w = await signerWorld(t);
  const signer = w.start();
  const { sending } = w.adapter;
  assert.ok(isEvmSending(sending));
  assert.equal(sending.hotAccount(), signer.account, "the server knows it without the words");
  const held = await sending.fetchBalances(signer.account);
  assert.deepEqual([held.get("usdt"), held.get("bnb")], [500n * USDT, 10n * USDT]);
  const made = [await w.create(), await w.create(2n * USDT), await w.create(3n * USDT)];
  await w.step(signer);
  assert.deepEqual([...signer.held], []);
  assert.deepEqual(
    w.journal().map(({ spends, payouts }) => [spends, payouts.map(({ refid, amount }) => [refid, amount])]),
    made.map(({ refid, amount }, nonce) => [[`${w.hot}:${nonce}`], [[refid, amount]]]),
  );
  for (const { id } of made) assert.equal((await w.row(id)).status, "processing");
  await w.step(signer);
  await w.settle();
  for (const { id } of made) assert.equal((await w.row(id)).status, "completed");
  for (let again = 0; again < 3; again++) await w.step(w.start());
  await w.settle();
  assert.equal(await w.balance(DESTINATION), 15n * USDT, "nothing is paid again");
  assert.equal(w.journal().length, 3);
  await w.booksAgree();
});

test("what the policy does not allow waits, whatever the database says", async (t) => {
  const w = await signerWorld(t);
  const held = async (limits: Parameters<typeof policyText>[0], refid: string) => {
    const signer = w.start(policyText(limits));
    await w.step(signer);
    return signer.held.get(refid);
  };
  const { refid } = await w.create(10n * USDT);
  assert.equal(await held({ per_transfer: "9.99" }, refid), "above_per_transfer");
  assert.equal(await held({ per_day: "9.99" }, refid), "above_per_day");
  assert.equal(await held({ per_merchant_per_day: "9.99" }, refid), "above_per_merchant_per_day");
  assert.equal(await held({ allow_only: [ELSEWHERE] }, refid), "destination_not_allowed");
  assert.equal(await held({ auto_up_to: "9.99" }, refid), "approvals_missing");
  const dear = w.start(policyText({}, { gwei: "0.000001" }));
  await w.step(dear);
  assert.equal(dear.held.get(refid), "network_fee_too_high");
  assert.deepEqual(w.journal(), []);
  assert.equal(await held({ allow_only: [DESTINATION], per_day: "10" }, refid), undefined);
  const next = await w.create(1n * USDT);
  assert.equal(await held({ per_day: "10" }, next.refid), "above_per_day");
  assert.equal(await held({ per_merchant_per_day: "10" }, next.refid), "above_per_merchant_per_day");
  // A clock that is set forward frees nothing: the newest block is earlier.
  const late = w.start(policyText({ per_day: "10" }), { now: () => new Date(Date.now() + 30 * 86_400_000) });
  await w.step(late);
  assert.equal(late.held.get(next.refid), "above_per_day");
  assert.equal(await w.balance(DESTINATION), 0n);
});

test("thousands of withdrawals that wait cost the others neither their turn nor many requests to nodes", async (t) => {
  const w = await signerWorld(t);
  const { merchantId } = w;
  await w.create(USDT);
  await w.db.execute(sql`
    insert into withdrawals (refid, env, merchant_id, token, network, to_address, amount, fee)
    select (1000000000000000 + n)::text, 'test', ${merchantId}, 'usdt', 'bep20', ${ELSEWHERE},
      case when n <= 500 then 5000 else 600 end * 1e18, 0
    from generate_series(1, 1000) n`);
  const small = await w.create(2n * USDT);
  const limits = { per_transfer: "1000", per_day: "100000", auto_up_to: "100000" };
  let asked = 0;
  const sending = w.adapter.sending as EvmSending;
  const adapter = Object.assign(Object.create(w.adapter), {
    sending: {
      ...sending,
      fetchState: (transfer: EvmTransfer) => {
        asked += 1;
        return sending.fetchState(transfer);
      },
    },
  });
  let now = Date.now();
  const networks = { ...w.networks, all: () => [adapter] };
  const signer = w.start(policyText(limits), { networks, now: () => new Date(now) });
  const statusOf = async () => (await w.row(small.id)).status;
  for (let step = 0; step < 25 && (await statusOf()) === "pending"; step++) {
    asked = 0;
    await w.step(signer);
    assert.ok(asked <= 32, `${asked} requests in a step`);
    now += 1_000;
  }
  assert.equal(await statusOf(), "processing", "the small one behind them is paid");
  assert.equal([...signer.held.values()].filter((reason) => reason === "above_per_transfer").length, 500);
  assert.equal([...signer.held.values()].filter((reason) => reason === "hot_balance_too_low").length, 500);
});

/** Approves as a person with this key would, for what the row says now unless changed. */
async function approve(w: SignerWorld, id: number, secretKey: string, { as = "ada", changes = {} } = {}) {
  const { env, network, refid, merchantId, token, amount, toAddress } = await w.row(id);
  const payout = { env, network, refid, merchantId, token, amount, to: toAddress, ...changes };
  const signature = signPayout(payout, secretKey);
  const values = { withdrawalId: id, approver: as, signature };
  const target = [payoutSignatures.withdrawalId, payoutSignatures.approver];
  await w.db.insert(payoutSignatures).values(values).onConflictDoUpdate({ target, set: { signature } });
  return signature;
}

/** People of the console, by name. */
async function addUsers(w: SignerWorld, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await w.db
    .insert(users)
    .values(names.map((name) => ({ handle: randomUUID(), email: `${name}@example.com`, name })))
    .returning({ id: users.id, name: users.name });
  return new Map(rows.map(({ id, name }) => [name, id]));
}

test("passkeys approve like key files, by the policy's keys and not by those that the database has", async (t) => {
  const w = await signerWorld(t);
  const [file, phone, cem] = [createApprover(), softwarePasskey(), softwarePasskey()];
  const from = { ada: [file.publicKey, passkeyEntry(phone)], cem: passkeyEntry(cem) };
  const signer = w.start(policyText({ auto_up_to: "5" }, { approvals: { needed: 2, from } }));
  const { id, refid } = await w.create(10n * USDT);
  const other = await w.row((await w.create(11n * USDT)).id);
  const row = await w.row(id);
  const challenge = approvalChallenge(row);
  const people = await addUsers(w, ["ada", "cem", "eve"]);
  const give = async (name: string, assertion: string, why: string) => {
    const values = { withdrawalId: id, userId: people.get(name) ?? 0, assertion };
    const target = [withdrawalApprovals.withdrawalId, withdrawalApprovals.userId];
    await w.db.insert(withdrawalApprovals).values(values).onConflictDoUpdate({ target, set: { assertion } });
    await w.step(signer);
    assert.equal(signer.held.get(refid), "approvals_missing", why);
  };
  await approve(w, id, file.secretKey);
  await give("ada", phone.answer(challenge), "one person with a key file and a passkey");
  const forged = softwarePasskey(cem.id);
  const stored = { userId: people.get("cem") ?? 0, credentialId: cem.id, publicKey: forged.publicKey };
  await w.db.insert(passkeys).values({ ...stored, name: "forged", counter: 0, transports: [] });
  await give("cem", forged.answer(challenge), "a key that somebody put under the approver's account");
  await give("eve", softwarePasskey().answer(challenge), "a person who is no approver");
  await give("cem", cem.answer(approvalChallenge(other)), "the approval of another withdrawal");
  await give("cem", cem.answer(challenge, { isVerified: false }), "nobody was verified");
  await give("cem", cem.answer(challenge, { origin: "https://evil.example" }), "another site");
  await give("cem", cem.answer(challenge, { rpId: "evil.example" }), "another host");
  await w.db.update(withdrawals).set({ toAddress: ELSEWHERE }).where(eq(withdrawals.id, id));
  await give("cem", cem.answer(challenge), "the destination was changed after the approval");
  await w.db.update(withdrawals).set({ toAddress: row.toAddress }).where(eq(withdrawals.id, id));
  await w.step(signer);
  assert.deepEqual(w.refids(), [refid]);
});

test("a signer that dies after the journal, before the database, pays once with the same transaction", async (t) => {
  const w = await signerWorld(t);
  const { id, refid } = await w.create();
  await assert.rejects(w.step(w.start(policyText(), { journal: w.dyingJournal() })), /killed/);
  assert.equal((await w.row(id)).status, "pending");
  assert.equal(await rpc(w.url, "eth_getTransactionByHash", [w.journal()[0]?.hash]), null);
  await w.step(w.start());
  await w.settle();
  assert.deepEqual([(await w.row(id)).status, w.refids()], ["completed", [refid]]);
  assert.equal(await w.balance(DESTINATION), 10n * USDT);
});

test("a payment whose withdrawal was canceled before it was stored leaves its nonce to nothing", async (t) => {
  const w = await signerWorld(t);
  const { refid } = await w.create();
  await assert.rejects(w.step(w.start(policyText(), { journal: w.dyingJournal() })), /killed/);
  assert.ok((await w.fail(refid)).ok);
  const next = await w.create(7n * USDT);
  const signer = w.start();
  await w.step(signer);
  await w.step(signer);
  await w.settle();
  await w.step(signer);
  await w.settle();
  assert.deepEqual(
    w.journal().map(({ kind, spends }) => [kind, spends]),
    [
      ["payout", [`${w.hot}:0`]],
      ["cancel", [`${w.hot}:0`]],
      ["payout", [`${w.hot}:1`]],
    ],
  );
  assert.equal((await w.row(next.id)).status, "completed");
  assert.equal(await w.balance(DESTINATION), 7n * USDT, "the canceled one was never sent");
  await w.booksAgree();
});

test("pays a receiver that empties its balance in the same block", async (t) => {
  const w = await signerWorld(t);
  const signer = w.start();
  await w.create(3n * USDT);
  await w.step(signer);
  await w.settle();
  const { id } = await w.create();
  await w.step(signer);
  // As an exchange does with the address of a customer. A first balance costs more gas than a larger one.
  await rpc(w.url, "anvil_impersonateAccount", [DESTINATION]);
  await rpc(w.url, "anvil_setBalance", [DESTINATION, "0x8ac7230489e80000"]);
  const fees = { maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x174876e800" };
  const data = transferData(ELSEWHERE, 3n * USDT);
  await rpc(w.url, "eth_sendTransaction", [{ from: DESTINATION, to: USDT_ADDRESS, data, ...fees }]);
  await w.settle();
  assert.equal(await w.balance(ELSEWHERE), 3n * USDT);
  assert.equal(await w.balance(DESTINATION), 10n * USDT);
  assert.equal((await w.row(id)).status, "completed");
});

test("what nodes forget or a reorganization drops is broadcast again, byte for byte", async (t) => {
  const w = await signerWorld(t);
  const { id } = await w.create();
  const signer = w.start();
  await w.step(signer);
  const [entry] = w.journal();
  await rpc(w.url, "anvil_dropAllTransactions");
  await w.step(signer);
  await mine(w.url);
  assert.equal(await w.balance(DESTINATION), 10n * USDT);
  await reorg(w.url, 1);
  await rpc(w.url, "anvil_dropAllTransactions");
  assert.equal(await w.balance(DESTINATION), 0n);
  await w.step(w.start());
  await w.settle();
  assert.deepEqual([(await w.row(id)).status, (await w.row(id)).txHash], ["completed", entry?.hash]);
  assert.equal(w.journal().length, 1);
});

test("a node that lost a final transaction proves nothing: it is not paid again", async (t) => {
  const w = await signerWorld(t);
  const fake = await openFakeNode(t, w.url);
  const networks = evmNetwork("bep20", [fake.url], { usdt: USDT_ADDRESS }, { accountKey: ACCOUNT_KEY });
  const { id } = await w.create();
  await w.step(w.start(policyText(), { networks }));
  const [entry] = w.journal();
  await mine(w.url, 4);
  fake.twist = ({ method, params }) =>
    method.startsWith("eth_getTransaction") && params[0] === entry?.hash ? null : undefined;
  for (let again = 0; again < 3; again++) await w.step(w.start(policyText(), { networks }));
  await mine(w.url, 4);
  assert.equal(w.journal().length, 1);
  assert.equal(await w.balance(DESTINATION), 10n * USDT);
  // Other withdrawals are paid meanwhile.
  await w.create(3n * USDT);
  await w.step(w.start(policyText(), { networks }));
  fake.twist = null;
  await w.settle();
  await w.step(w.start(policyText(), { networks }));
  assert.equal((await w.row(id)).status, "completed");
  assert.equal(await w.balance(DESTINATION), 13n * USDT);
});

test("a payment that waits below the network's fee is replaced, and one of the two pays", async (t) => {
  const w = await signerWorld(t);
  const { id } = await w.create();
  await w.step(w.start());
  const [first] = w.journal();
  await rpc(w.url, "anvil_setNextBlockBaseFeePerGas", ["0x2540be400"]);
  await mine(w.url);
  const later = { now: () => new Date(Date.now() + 200_000) };
  await w.step(w.start(policyText({}, { gwei: "5" }), later));
  assert.equal(w.journal().length, 1, "the policy's cap is below the network's fee");
  const signer = w.start(policyText({ per_day: "10" }), later);
  await w.step(signer);
  await w.step(signer);
  const [, second] = w.journal();
  assert.deepEqual([w.journal().length, second?.spends, second?.payouts], [2, first?.spends, first?.payouts]);
  await w.settle();
  const row = await w.row(id);
  assert.deepEqual([row.status, row.txHash, row.transactions.length], ["completed", second?.hash, 2]);
  assert.equal(await w.balance(DESTINATION), 10n * USDT);
});

test("a journal that was cut in its last line is used without it; a damaged one stops the signer", async (t) => {
  const w = await signerWorld(t);
  await w.create();
  await w.step(w.start());
  const whole = readFileSync(w.journalPath, "utf8");
  appendFileSync(w.journalPath, whole.slice(0, 100));
  assert.equal(openJournal(w.journalPath).entries.length, 1);
  assert.equal(readFileSync(w.journalPath, "utf8"), whole);
  writeFileSync(w.journalPath, whole.replace("payout", "payo"));
  assert.throws(() => openJournal(w.journalPath), JournalError);
  truncateSync(w.journalPath, 0);
  assert.equal(openJournal(w.journalPath).entries.length, 0);
});
