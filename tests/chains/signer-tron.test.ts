/** The signer pays on TRON: USDT and TRX within its policy and its fee cap, each withdrawal once, whatever waits, expires or is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { isTronSending } from "#lib/chains/tron/sending.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { newAccount, payTrx, payUsdt, trc20, USDT, wallet } from "#tests/support/tron.ts";
import { TRX, type TronSignerWorld, tronPolicy, tronSignerWorld } from "#tests/support/tron-signer-world.ts";

/** Reads what a transaction of the journal cost. */
const costOf = async (w: TronSignerWorld, hash = "") =>
  (await wallet(w.emulator).trx.getUnconfirmedTransactionInfo(hash)).fee ?? 0;

test("pays USDT and TRX, equal ones with transactions of their own, and an account that does not exist yet", async (t) => {
  const w = await tronSignerWorld(t);
  const signer = w.start();
  const { sending } = w.adapter;
  assert.ok(isTronSending(sending));
  assert.equal(sending.hotAccount(), signer.account, "the server knows it without the words");
  const held = await sending.fetchBalances(signer.account);
  assert.equal(held?.get("usdt"), 500n * USDT);
  const nobody = newAccount().address;
  const made = [
    await w.create(),
    await w.create(),
    await w.createTrx(),
    await w.createTrx(),
    await w.createTrx(5n * TRX, nobody),
    await w.create(3n * USDT, newAccount().address),
  ];
  await w.step(signer);
  assert.deepEqual([...signer.held], []);
  const entries = w.journal();
  assert.equal(new Set(entries.map(({ hash }) => hash)).size, made.length, "none is another's transaction");
  assert.equal(new Set(entries.map(({ expires }) => expires)).size, 1, "all name one block");
  for (const { id } of made) assert.equal((await w.row(id)).status, "processing");
  await w.settle();
  for (const { id } of made) assert.equal((await w.row(id)).status, "completed");
  for (let again = 0; again < 3; again++) await w.step(w.start());
  await w.settle();
  assert.equal(w.journal().length, made.length, "nothing is paid again");
  assert.deepEqual([await w.balance(), await w.trx(nobody)], [20n * USDT, 5n * TRX]);
  assert.equal(await costOf(w, entries[4]?.hash), 1_100_000, "the new account");
  // Without stakes, and below the cap of 50 TRX each.
  const costs = await Promise.all(entries.map(({ hash }) => costOf(w, hash)));
  assert.ok(
    costs.every((cost) => cost < 50_000_000),
    costs.join(),
  );
  assert.ok(w.journal().every(({ expires }) => expires !== null));
  await w.booksAgree();
});

test("what is unsafe, too dear or not there waits with its reason, and nothing is signed", async (t) => {
  const w = await tronSignerWorld(t);
  const reasonOf = async (refid: string, policy = tronPolicy()) => {
    const signer = w.start(policy);
    await w.step(signer);
    return signer.held.get(refid);
  };
  const { refid, id } = await w.create();
  assert.equal(await reasonOf(refid, tronPolicy({ per_transfer: "9.99" })), "above_per_transfer");
  // A transfer to an account with USDT needs 1.3 TRX of energy on this chain, one without 2.8.
  assert.equal(await reasonOf(refid, tronPolicy({}, { maxFee: "0.5" })), "network_fee_too_high");
  const point = (to: string) => w.db.update(withdrawals).set({ toAddress: to }).where(eq(withdrawals.id, id));
  for (const unsafe of [w.hot, w.emulator.usdt, "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"]) {
    await point(unsafe);
    assert.equal(await reasonOf(refid), "destination_unsafe", unsafe);
  }
  await point(w.destination);
  const others = {
    usdt: await w.create(501n * USDT),
    trx: await w.createTrx(999n * TRX),
    contract: await w.createTrx(10n * TRX, await w.emulator.deployOtherToken()),
  };
  const policy = tronPolicy({ auto_up_to: "5000" });
  assert.equal(await reasonOf(others.usdt.refid, policy), "hot_balance_too_low");
  assert.equal(await reasonOf(others.trx.refid, policy), "hot_balance_too_low");
  assert.equal(await reasonOf(others.contract.refid, policy), "would_fail");
  assert.deepEqual(
    w.journal().map(({ payouts }) => payouts[0]?.refid),
    [refid],
  );
});

test("killed after the journal it pays once, with the same transaction; lost and reorganized ones are broadcast again", async (t) => {
  const w = await tronSignerWorld(t);
  const { id } = await w.create();
  await assert.rejects(w.step(w.start(tronPolicy(), { journal: w.dyingJournal() })), /killed/);
  assert.equal((await w.row(id)).status, "pending");
  const signer = w.start();
  await w.step(signer);
  const [entry] = w.journal();
  await w.emulator.forget();
  await w.step(signer);
  await w.emulator.mine();
  assert.equal(await w.balance(), 10n * USDT);
  await w.emulator.reorg(1);
  assert.equal(await w.balance(), 0n);
  await w.step(w.start());
  await w.settle();
  await w.step(w.start());
  assert.deepEqual([(await w.row(id)).status, (await w.row(id)).txHash], ["completed", entry?.hash]);
  assert.equal(w.journal().length, 1);
});

test("a payment is signed again only after a final block proves that it has expired", async (t) => {
  const w = await tronSignerWorld(t);
  const { id } = await w.create();
  const signer = w.start();
  await w.step(signer);
  const [first] = w.journal();
  // By the clock it has expired, by the chain not yet: it is in the next block.
  await w.emulator.advance(700);
  await w.step(signer);
  assert.equal(w.journal().length, 1);
  await w.emulator.mine();
  assert.equal(await w.balance(), 10n * USDT, "in a block after its expiry by the clock");
  await w.settle();
  await w.step(signer);
  assert.equal((await w.row(id)).status, "completed");

  const next = await w.create(7n * USDT);
  await w.step(signer);
  await w.emulator.advance(700);
  await w.emulator.mineEmpty(4);
  await w.step(signer);
  assert.equal(w.journal().length, 2, "receipts may come later than their final block");
  await w.emulator.advance(300);
  await w.emulator.mineEmpty(1);
  await w.step(signer);
  await w.step(signer);
  assert.equal(w.journal().length, 2, "the block that is later than it is not final");
  await w.emulator.mineEmpty(3);
  // A new one asks nodes about the withdrawal again at once.
  await w.step(w.start());
  await w.settle();
  await w.step(w.start());
  const entries = w.journal();
  assert.equal(entries.length, 3);
  const row = await w.row(next.id);
  assert.deepEqual(
    [row.status, row.txHash, row.transactions.map(({ hash }) => hash)],
    ["completed", entries[2]?.hash, [entries[1]?.hash, entries[2]?.hash]],
  );
  assert.equal(await w.balance(), 17n * USDT);
  assert.notEqual(first?.hash, entries[1]?.hash);
  await w.booksAgree();
});

test("no transaction is dead while a node does not answer, and nothing is signed while none does", async (t) => {
  const w = await tronSignerWorld(t);
  const GONE = "http://127.0.0.1:9";
  /** A signer with these nodes. */
  const over = (...rpcUrls: string[]) => w.start(tronPolicy(), { networks: trc20(w.emulator, { rpcUrls }) });
  await w.create();
  await w.step(over(w.emulator.url));
  await w.emulator.forget();
  await w.emulator.advance(1_000);
  await w.emulator.mineEmpty(4);
  for (let step = 0; step < 3; step++) await w.step(over(w.emulator.url, GONE));
  assert.equal(w.journal().length, 1, "the second node may know it");
  await w.step(over(w.emulator.url));
  assert.equal(w.journal().length, 2);
  await w.create(2n * USDT);
  await w.step(over(GONE));
  assert.equal(w.journal().length, 2, "no node answers");
});

test("a receiver that gives its last tokens away before the block is paid all the same", async (t) => {
  const w = await tronSignerWorld(t);
  const exchange = newAccount();
  await payTrx(w.emulator, exchange.address, 100_000_000);
  await payUsdt(w.emulator, exchange.address, 1_000_000);
  await w.emulator.mine(4);
  const { id } = await w.create(10n * USDT, exchange.address);
  const dropped = { journal: w.dyingJournal() };
  await assert.rejects(w.step(w.start(tronPolicy(), dropped)), /killed/);
  // It empties its deposit address, and only then the payment comes into a block.
  await payUsdt(w.emulator, w.hot, 1_000_000, wallet(w.emulator, exchange.privateKey));
  await w.emulator.mine();
  await w.step(w.start());
  await w.settle();
  assert.equal((await w.row(id)).status, "completed");
  assert.equal(w.journal().length, 1);
});

test("a payment that burned its energy is made again by itself, and an address that burns three waits", async (t) => {
  const w = await tronSignerWorld(t);
  const exchange = newAccount();
  await payTrx(w.emulator, exchange.address, 100_000_000);
  await payUsdt(w.emulator, exchange.address, 1_000_000);
  await w.emulator.mine(4);
  const { id } = await w.create(10n * USDT, exchange.address);
  // The policy's cap is as much as an address with tokens needs.
  await assert.rejects(
    w.step(w.start(tronPolicy({}, { maxFee: "2" }), { journal: w.dyingJournal() })),
    /killed/,
  );
  await payUsdt(w.emulator, w.hot, 1_000_000, wallet(w.emulator, exchange.privateKey));
  await w.emulator.mine();
  let now = Date.now();
  const signer = w.start(tronPolicy(), { now: () => new Date(now) });
  await w.step(signer);
  await w.settle();
  assert.equal(await w.balance(exchange.address), 0n, "it burned");
  for (let minute = 0; minute < 2; minute++) {
    await w.step(signer);
    now += 61_000;
  }
  await w.step(signer);
  await w.settle();
  assert.deepEqual([(await w.row(id)).status, w.journal().length], ["completed", 2]);
  assert.equal(await w.balance(exchange.address), 10n * USDT);
  await w.booksAgree();
});
