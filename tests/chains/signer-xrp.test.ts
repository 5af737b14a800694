/** The signer pays withdrawals on the XRP Ledger, on our fake of a server: within its policy, and each once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { decode, Wallet } from "xrpl";
import { encodeXAddress } from "#lib/chains/xrp/address.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { xrpSignerWorld } from "#tests/support/signer-xrp.ts";
import { DROPS_PER_XRP } from "#tests/support/xrp.ts";

const REQUIRE_TAG = 1;
const DEPOSIT_AUTH = 9;

test("pays with the tag, in sequence, and the worker completes it", async (t) => {
  const w = await xrpSignerWorld(t);
  const signer = w.start();
  assert.equal(signer.account, w.adapter.accountKey);
  const person = await w.person();
  const before = w.balance(person.classicAddress);
  const made = [
    await w.pay(person.getXAddress(7, true)),
    await w.pay(person.classicAddress, 2n),
    // An account begins with its first payment.
    await w.pay(Wallet.generate().classicAddress, 3n),
  ];
  await w.step(signer);
  assert.deepEqual([...signer.held], []);
  const entries = w.journal();
  assert.deepEqual(
    entries.map(({ spends }) => spends),
    [1, 2, 3].map((sequence) => [`${signer.account}:${sequence}`]),
  );
  const [first] = entries.map(({ raw }) => decode(raw));
  const { Account, Flags, DestinationTag, LastLedgerSequence } = first ?? {};
  const last = w.fake.ledgers.tip().index + 20;
  assert.deepEqual([Account, Flags, DestinationTag, LastLedgerSequence], [signer.account, 0, 7, last]);
  await w.settle();
  await w.step(signer);
  await w.settle();
  for (const { id } of made) assert.equal(await w.status(id), "completed");
  assert.equal(w.balance(person.classicAddress) - before, 12n * DROPS_PER_XRP);
  for (let again = 0; again < 3; again++) await w.step(w.start());
  assert.equal(w.journal().length, 3, "nothing is paid again");
  await w.booksAgree();
});

test("holds what the ledger would refuse or the policy forbids, each with its reason", async (t) => {
  const w = await xrpSignerWorld(t);
  const [tagged, closed, person] = [await w.person(), await w.person(), await w.person()];
  await w.submit(tagged, { TransactionType: "AccountSet", SetFlag: REQUIRE_TAG });
  await w.submit(closed, { TransactionType: "AccountSet", SetFlag: DEPOSIT_AUTH });
  w.mine();
  const lost = await w.pay(person.classicAddress);
  const toAddress = encodeXAddress({ account: "rrrrrrrrrrrrrrrrrrrrrhoLvTp", tag: null }, "test");
  await w.db.update(withdrawals).set({ toAddress }).where(eq(withdrawals.id, lost.id));
  const cases = [
    [await w.pay(tagged.classicAddress), "would_fail"],
    [await w.pay(closed.classicAddress), "would_fail"],
    [lost, "destination_unsafe"],
    [await w.pay(person.classicAddress, 101n), "above_per_transfer"],
  ] as const;
  const signer = w.start();
  await w.step(signer);
  for (const [{ refid }, reason] of cases) assert.equal(signer.held.get(refid), reason);
  assert.deepEqual(w.journal(), []);
  // With its tag it is paid.
  const { id } = await w.pay(tagged.getXAddress(0, true));
  await w.step(signer);
  await w.settle();
  assert.equal(await w.status(id), "completed");

  const { refid } = await w.pay(person.classicAddress, 2n);
  const held = async (changes: object) => {
    const other = w.start(changes);
    await w.step(other);
    return other.held.get(refid);
  };
  assert.equal(await held({ max_fee: "0.000011" }), "network_fee_too_high");
  assert.equal(await held({ tokens: { xrp: { ...w.limits, per_day: "10" } } }), "above_per_day");
  const many = await Promise.all(Array.from({ length: 5 }, () => w.pay(person.classicAddress, 99n)));
  const last = w.start();
  await w.step(last);
  const waiting = many.filter((one) => last.held.get(one.refid) === "hot_balance_too_low");
  assert.equal(waiting.length, 1, "what waits is counted, and the reserve stays");
});

test("a payment that no ledger has is sent again, raised, and signed again after its last ledger", async (t) => {
  const w = await xrpSignerWorld(t);
  const person = await w.person();
  const { id } = await w.pay(person.classicAddress);
  const before = w.balance(person.classicAddress);
  w.fake.ledgers.openFee = 5_000n;
  const signer = w.start();
  await w.step(signer);
  assert.equal(signer.held.size, 1, "the fee of the open ledger is above the cap");
  w.fake.ledgers.openFee = 12n;
  const second = w.start();
  await w.step(second);
  w.fake.ledgers.openFee = 500n;
  w.mine(2);
  const later = { now: () => new Date(Date.now() + 200_000) };
  await w.step(w.start({ max_fee: "0.0001" }, later));
  assert.equal(w.journal().length, 1, "it asks for more than the policy allows");
  await w.step(w.start({}, later));
  const [first, raised] = w.journal();
  assert.deepEqual([w.journal().length, raised?.spends], [2, first?.spends]);
  w.fake.ledgers.openFee = 900n;
  w.mine(30);
  const third = w.start({ tokens: { xrp: { ...w.limits, per_day: "10" } } });
  await w.step(third);
  const [, , again] = w.journal();
  assert.deepEqual(
    [w.journal().length, again?.spends],
    [3, first?.spends],
    "both are dead: it is signed again",
  );
  await w.settle();
  const row = await w.row(id);
  assert.deepEqual([row.status, row.txHash, row.transactions.length], ["completed", again?.hash, 3]);
  assert.equal(w.balance(person.classicAddress) - before, 10n * DROPS_PER_XRP);
  await w.booksAgree();
});

test("a server with a gap proves nothing: what it does not know is not signed again", async (t) => {
  const w = await xrpSignerWorld(t);
  const person = await w.person();
  await w.pay(person.classicAddress);
  await w.step(w.start());
  const signedAt = w.fake.ledgers.tip().index;
  w.mine(30);
  w.fake.ledgers.history.forget(signedAt + 1, signedAt + 1);
  const signer = w.start();
  for (let step = 0; step < 3; step++) await w.step(signer);
  assert.equal(w.journal().length, 1, "it was paid in the ledger that the server forgot");
  await w.pay(person.classicAddress, 2n);
  await w.step(signer);
  w.mine();
  assert.equal(w.balance(person.classicAddress), 32n * DROPS_PER_XRP, "others are paid meanwhile");
});

test("a payment of a withdrawal that was canceled leaves its sequence to nothing", async (t) => {
  const w = await xrpSignerWorld(t);
  const person = await w.person();
  const { refid } = await w.pay(person.classicAddress);
  await assert.rejects(w.step(w.start({}, { journal: w.dyingJournal() })), /killed/);
  assert.ok((await w.fail(refid)).ok);
  const next = await w.pay(person.classicAddress, 7n);
  for (let step = 0; step < 3; step++) {
    await w.step(w.start());
    await w.settle();
  }
  assert.deepEqual(
    w.journal().map(({ kind, spends }) => [kind, spends[0]?.split(":")[1]]),
    [
      ["payout", "1"],
      ["cancel", "1"],
      ["payout", "2"],
    ],
  );
  assert.equal(await w.status(next.id), "completed");
  assert.equal(w.balance(person.classicAddress), 27n * DROPS_PER_XRP, "the canceled one was never sent");
  await w.booksAgree();
});

test("what the account holds above its maximum goes to the cold address with its tag, once", async (t) => {
  const w = await xrpSignerWorld(t);
  const vault = await w.person();
  const tokens = { xrp: { ...w.limits, hot_target: "100", hot_maximum: "300" } };
  const policy = { cold: vault.getXAddress(9, true), tokens };
  for (let step = 0; step < 3; step++) {
    await w.step(w.start(policy));
    w.mine();
  }
  const [moved, ...others] = w.journal();
  assert.deepEqual([moved?.kind, moved?.moves[0]?.amount, others], ["cold", 400n * DROPS_PER_XRP, []]);
  assert.equal(decode(moved?.raw ?? "").DestinationTag, 9);
  assert.equal(w.balance(vault.classicAddress), 420n * DROPS_PER_XRP);
  assert.ok(w.balance(w.adapter.accountKey) >= 100n * DROPS_PER_XRP - 12n);
  // With less than the reserve it would not be an account.
  const all = w.start({ ...policy, tokens: { xrp: { ...w.limits, hot_target: "0", hot_maximum: "0" } } });
  await w.step(all);
  assert.equal(w.journal().length, 1);
});
