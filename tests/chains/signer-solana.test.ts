/** The signer pays withdrawals on Solana, on LiteSVM behind our front: within its policy, and each once. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { base58 } from "@scure/base";
import { startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import {
  LAMPORTS,
  SOLANA_HOT,
  type SolanaSignerWorld,
  solanaSignerWorld,
} from "#tests/support/signer-solana.ts";
import { solana, solanaAddress, solanaSending, tokenAccountOf, USDT_MINT } from "#tests/support/solana.ts";

const RENT = 2_039_280n;
const [ADA, BEN] = [solanaAddress(900), solanaAddress(901)];

/** Drops what the nodes were sent, as a cluster does that takes nothing for a low price. */
const drop = (w: SolanaSignerWorld) => {
  for (const { hash } of w.journal()) w.chain.forget(hash);
};

test("pays tokens and SOL, creates the receiver's token account once, and the worker completes it", async (t) => {
  const w = await solanaSignerWorld(t);
  const signer = w.start();
  assert.equal(signer.account, SOLANA_HOT);
  const before = w.lamports(SOLANA_HOT);
  const made = [
    await w.pay(ADA),
    // The same again: two transactions, although they move the same with one blockhash.
    await w.pay(ADA),
    await w.pay(ADA),
    await w.create("sol", LAMPORTS / 10n, BEN),
  ];
  await w.step(signer);
  assert.deepEqual([...signer.held], []);
  assert.equal(new Set(w.journal().map(({ hash }) => hash)).size, 4);
  await w.settle();
  await w.step(signer);
  for (const { id } of made) assert.equal(await w.status(id), "completed");
  assert.deepEqual([await w.balance(ADA), w.lamports(BEN)], [30_000_000n, LAMPORTS / 10n]);
  const fees = before - w.lamports(SOLANA_HOT) - LAMPORTS / 10n - RENT;
  t.diagnostic(`${fees / 4n} lamports for a payout, without the rent of a new token account`);
  assert.ok(fees < 4n * 6_000n, `${fees} lamports`);
  for (let again = 0; again < 3; again++) await w.step(w.start());
  await w.settle();
  assert.equal(w.journal().length, 4, "nothing is paid again");
  await w.booksAgree();
});

test("holds what would fail, is unsafe or costs too much, each with its reason", async (t) => {
  const w = await solanaSignerWorld(t);
  const cases = [
    [await w.pay(await tokenAccountOf(ADA, USDT_MINT)), "destination_unsafe"],
    [await w.pay(SOLANA_HOT), "destination_unsafe"],
    [await w.point(await w.pay(ADA), USDT_MINT), "destination_unsafe"],
    [await w.pay(ADA, 501n), "hot_balance_too_low"],
  ] as const;
  const signer = w.start();
  await w.step(signer);
  for (const [{ refid, toAddress }, reason] of cases) assert.equal(signer.held.get(refid), reason, toAddress);
  assert.deepEqual(w.journal(), []);
  const { refid, id } = await w.pay(ADA);
  const held = async (changes: object) => {
    const other = w.start(changes);
    await w.step(other);
    return other.held.get(refid);
  };
  // The rent of the receiver's token account counts.
  assert.equal(await held({ max_fee: "0.002" }), "network_fee_too_high");
  assert.equal(await held({ tokens: { usdt: { ...w.usdt, per_day: "9" } } }), "above_per_day");
  assert.equal(await held({ tokens: { usdt: { ...w.usdt, auto_up_to: "9" } } }), "approvals_missing");
  assert.equal(await held({}), undefined);
  await w.settle();
  assert.equal(await w.status(id), "completed");
});

test("what no block took is signed again when that is proven, for a higher price, and paid once", async (t) => {
  const w = await solanaSignerWorld(t);
  const { id } = await w.pay(ADA);
  const limits = { tokens: { usdt: { ...w.usdt, per_day: "10" } } };
  await w.step(w.start(limits));
  drop(w);
  await w.step(w.start(limits));
  assert.equal(w.journal().length, 1, "it is sent again, byte for byte");
  w.chain.mine(1);
  assert.equal(await w.balance(ADA), 10_000_000n);
  await w.settle();
  assert.equal(await w.status(id), "completed");

  const other = await w.pay(BEN, 5n);
  await w.step(w.start());
  drop(w);
  w.chain.mine(148);
  await w.step(w.start());
  assert.equal(w.journal().length, 2, "its blockhash can still be used");
  drop(w);
  w.chain.mine(75);
  await w.step(w.start());
  const [, lost, again] = w.journal();
  assert.equal(w.journal().length, 3, "it is proven dead");
  assert.notEqual(lost?.hash, again?.hash);
  await w.settle();
  const row = await w.row(other.id);
  assert.deepEqual([row.status, row.txHash, row.transactions.length], ["completed", again?.hash, 2]);
  assert.equal(await w.balance(BEN), 5_000_000n);
  await w.booksAgree();
});

test("a node without the history, or one of several that knows it, proves nothing: nothing is paid twice", async (t) => {
  const w = await solanaSignerWorld(t);
  await w.pay(ADA);
  await w.step(w.start());
  // It is paid, and the node forgets it with its old blocks.
  w.chain.mine(280);
  w.chain.purge(w.chain.finalized().slot - 10);
  const signer = w.start();
  for (let step = 0; step < 3; step++) await w.step(signer);
  assert.equal(w.journal().length, 1, "a node without the blocks");
  // Another node has all of its own blocks, and the transaction in none: it was never sent there.
  const blank = await startSolanaNode({ finalizedLag: 2 });
  t.after(() => blank.stop());
  blank.chain.mine(400);
  w.chain.purge(0);
  const [entry] = w.journal();
  const fateOf = (...urls: string[]) =>
    solanaSending(...urls).fetchFate(entry?.hash ?? "", { lastValid: entry?.expires ?? 0 });
  assert.equal(await fateOf(blank.url, w.url), "final");
  assert.equal(await fateOf(w.url, blank.url), "final");
  assert.equal(await fateOf(blank.url), "dead", "alone it would prove it");
  // A node that was off when it was paid has older and newer blocks.
  const { slot = 0 } = w.chain.find(entry?.hash ?? "")?.block ?? {};
  w.chain.lose(slot, slot + 20);
  for (let step = 0; step < 3; step++) await w.step(w.start());
  assert.equal(w.journal().length, 1, "a node with a gap in its blocks");
  assert.equal(await w.balance(ADA), 10_000_000n);
});

test("a payment of a withdrawal that was canceled before it was sent is never sent", async (t) => {
  const w = await solanaSignerWorld(t);
  const { refid } = await w.pay(ADA);
  await assert.rejects(w.step(w.start({}, { journal: w.dyingJournal() })), /killed/);
  assert.ok((await w.fail(refid)).ok);
  const next = await w.pay(BEN, 7n);
  for (let step = 0; step < 3; step++) {
    await w.step(w.start());
    await w.settle();
  }
  assert.equal(await w.status(next.id), "completed");
  w.chain.mine(240);
  await w.step(w.start());
  assert.deepEqual([w.journal().length, await w.balance(ADA)], [2, 0n]);
  await w.booksAgree();
});

test("a node that errs about how long a blockhash lives makes nothing dead too early, and nothing wait for ever", async (t) => {
  const w = await solanaSignerWorld(t);
  const front = await openFakeNode(t, w.url);
  const say = (lastValidBlockHeight: number) => {
    front.twist = async ({ method }, pass) => {
      if (method !== "getLatestBlockhash") return undefined;
      const { context, value } = (await pass()) as { context: object; value: object };
      return { context, value: { ...value, lastValidBlockHeight } };
    };
  };
  let now = Date.now();
  const start = () => w.start({}, { networks: solana(front.url), now: () => new Date(now) });
  const signer = start();
  const { id } = await w.pay(ADA);
  for (const height of [2 ** 50, 1_000_000]) {
    say(height);
    await w.step(signer);
    assert.deepEqual(w.journal(), [], `${height} is far from the newest final block`);
  }
  say(w.chain.finalized().height);
  now += 31_000;
  await w.step(signer);
  const [entry] = w.journal();
  assert.ok(
    (entry?.expires ?? 0) >= w.chain.finalized().height + 151,
    "as long as its blockhash really lives",
  );
  await w.settle();
  await w.step(signer);
  assert.deepEqual([await w.status(id), w.journal().length], ["completed", 1]);
});

test("after a node that says an impossible last block of a blockhash the next node is asked", async (t) => {
  const w = await solanaSignerWorld(t);
  const front = await openFakeNode(t, w.url);
  front.twist = async ({ method }, pass) => {
    if (method !== "getLatestBlockhash") return undefined;
    const { context, value } = (await pass()) as { context: object; value: object };
    return { context, value: { ...value, lastValidBlockHeight: 2 ** 50 } };
  };
  await w.pay(ADA);
  await w.step(w.start({}, { networks: solana(front.url, w.url) }));
  assert.equal(w.journal().length, 1);
});

test("a payment whose last block is far ahead of the chain waits, and is never paid again", async (t) => {
  const w = await solanaSignerWorld(t);
  await w.pay(ADA);
  await assert.rejects(w.step(w.start({}, { journal: w.dyingJournal() })), /killed/);
  // As after a reset of all nodes to an old snapshot, or as it was journaled before there was a bound. Its blockhash is too old to be sent.
  const text = readFileSync(w.journalPath, "utf8");
  writeFileSync(w.journalPath, text.replace(/"expires":[0-9]+/, '"expires":900000000000'));
  w.chain.mine(1_300);
  let now = Date.now();
  const signer = w.start({}, { now: () => new Date(now) });
  for (const hours of [1, 24]) {
    now += hours * 3_600_000;
    await w.step(signer);
  }
  assert.deepEqual([w.journal().length, await w.balance(ADA)], [1, 0n]);
});

test("as many payments as may wait, all far ahead of the chain, stop others for an hour only", async (t) => {
  const w = await solanaSignerWorld(t);
  await w.pay(ADA);
  await assert.rejects(w.step(w.start({}, { journal: w.dyingJournal() })), /killed/);
  const far = JSON.parse(readFileSync(w.journalPath, "utf8"));
  const lines = Array.from({ length: 16 }, (_, at) => {
    const payouts = [{ ...far.payouts[0], refid: `${at}` }];
    const entry = { ...far, payouts, expires: 900_000_000_000, hash: base58.encode(randomBytes(64)) };
    return `${JSON.stringify(at === 0 ? { ...entry, payouts: far.payouts } : entry)}\n`;
  });
  writeFileSync(w.journalPath, lines.join(""));
  w.chain.mine(1_300);
  const { id } = await w.pay(BEN);
  let now = Date.now();
  const signer = w.start({}, { now: () => new Date(now) });
  await w.step(signer);
  assert.equal(await w.status(id), "pending");
  now += 2 * 3_600_000;
  await w.step(signer);
  await w.settle();
  assert.deepEqual([await w.status(id), w.journal().length, await w.balance(ADA)], ["completed", 17, 0n]);
});
