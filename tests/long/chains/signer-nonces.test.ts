/** Nodes that err about how many transactions the hot account has sent: nothing waits behind a gap, and each withdrawal is paid once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { openJournal } from "#lib/signer/journal.ts";
import { mine, rpc, sendEvmUsdt, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { noncesOf, openNonceWorld } from "#tests/support/nonce-world.ts";
import { policyText } from "#tests/support/signer-world.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { DESTINATION, USDT } from "#tests/support/withdrawals.ts";

const OTHER_WORDS = `${"zoo ".repeat(23)}vote`;

test("a count that no final block confirms is not believed, and delays a payment only until then", async (t) => {
  const w = await openNonceWorld(t);
  w.say(7);
  const { id, refid } = await w.create();
  const signer = w.start();
  await w.step(signer);
  assert.deepEqual([signer.held.get(refid), w.journal()], ["nonce_not_mine", []]);
  await w.run(signer, 10);
  assert.deepEqual(noncesOf(w), [["payout", 0]], "the claim was refuted while the node still makes it");
  // A waiting payment is known to wait, whatever the node claims.
  await w.create(USDT);
  await w.step(signer);
  await rpc(w.url, "anvil_dropAllTransactions");
  await w.run(signer, 2);
  assert.equal(await w.balance(DESTINATION), 11n * USDT);
  w.say(null);
  await w.run(signer, 2);
  await w.settle();
  assert.equal((await w.row(id)).status, "completed");
  assert.equal(w.refids().length, 2);
});

test("of two nodes that differ about final blocks the lower count is used", async (t) => {
  const w = await openNonceWorld(t);
  w.say(7, "all");
  const { id } = await w.create();
  const signer = w.start([w.front.url, w.url]);
  await w.run(signer, 10);
  assert.deepEqual(noncesOf(w), [["payout", 0]]);
  await w.settle();
  assert.equal((await w.row(id)).status, "completed");
});

test("a gap below what waits is filled with transactions that move nothing, also when no more may wait", async (t) => {
  const w = await openNonceWorld(t);
  w.say(7, "all");
  const made = [];
  for (let one = 0; one < 17; one++) made.push(await w.create(USDT));
  await w.run(w.start(), 1);
  assert.deepEqual(
    noncesOf(w),
    Array.from({ length: 16 }, (_, at) => ["payout", 7 + at]),
    "the only node is believed",
  );
  w.say(null);
  const signer = w.start();
  await w.run(signer, 1);
  assert.equal(w.journal().length, 16, "a gap that one answer shows is not filled");
  await w.run(signer, 8);
  await w.settle();
  for (const { id } of made) assert.equal((await w.row(id)).status, "completed");
  const filled = noncesOf(w).filter(([kind]) => kind === "cancel");
  assert.deepEqual(
    filled,
    Array.from({ length: 7 }, (_, nonce) => ["cancel", nonce]),
  );
  assert.equal(w.refids().length, 17, "each was signed once");
  assert.equal(await w.balance(DESTINATION), 17n * USDT);
  await w.booksAgree();
});

test("a nonce that somebody else used with the same key is left out once that is final", async (t) => {
  const w = await openNonceWorld(t);
  await rpc(w.url, "anvil_impersonateAccount", [w.hot]);
  await rpc(w.url, "eth_sendTransaction", [{ from: w.hot, to: DESTINATION, value: "0x1" }]);
  await mine(w.url);
  const { id } = await w.create();
  const signer = w.start();
  await w.step(signer);
  assert.deepEqual(w.journal(), []);
  await w.run(signer, 3);
  assert.deepEqual(noncesOf(w), [["payout", 1]]);
  await w.settle();
  assert.equal((await w.row(id)).status, "completed");
});

test("no payment gets a nonce so far ahead that what waits behind it is not filled", async (t) => {
  const w = await openNonceWorld(t);
  const { id } = await w.create();
  const signer = w.start();
  for (const count of [82_000_000_000, 5_000]) {
    w.say(count, "all");
    await w.run(signer, 3);
    assert.deepEqual(w.journal(), [], `${count}`);
  }
  w.say(null);
  await w.run(signer, 2);
  assert.deepEqual(noncesOf(w), [["payout", 0]]);
  await w.settle();
  assert.equal((await w.row(id)).status, "completed");
});

test("an account that somebody else used often pays after an hour", async (t) => {
  const w = await openNonceWorld(t);
  await rpc(w.url, "anvil_setNonce", [w.hot, "0x1388"]);
  await mine(w.url, 40);
  const { id, refid } = await w.create();
  const signer = w.start();
  await w.run(signer, 2);
  assert.deepEqual([signer.held.get(refid), w.journal()], ["nonce_not_mine", []]);
  w.wait(60);
  await mine(w.url);
  await w.run(signer, 2);
  assert.deepEqual(noncesOf(w), [["payout", 5_000]]);
  await w.settle();
  assert.equal((await w.row(id)).status, "completed");
});

test("after a change of the words the nonces of the former account count for nothing", async (t) => {
  const w = await openNonceWorld(t);
  for (let paid = 0; paid < 3; paid++) await w.create(USDT);
  await w.run(w.start([w.url]), 2);
  const last = await w.create(USDT);
  await w.step(w.start([w.url]));
  await rpc(w.url, "anvil_dropAllTransactions");
  const accountKey = HDKey.fromMasterSeed(mnemonicToSeedSync(OTHER_WORDS)).derive(
    "m/44'/60'/0'",
  ).publicExtendedKey;
  const networks = evmNetwork("bep20", [w.url], { usdt: USDT_ADDRESS }, { accountKey });
  const { sending } = networks.find("test", "bep20") ?? {};
  const hot = sending?.hotAccount() ?? "";
  await rpc(w.url, "anvil_setBalance", [hot, "0x8ac7230489e80000"]);
  await sendEvmUsdt(w.url, hot, 100n * USDT);
  await mine(w.url);
  const next = await w.create(2n * USDT);
  const signer = w.other(policyText(), { networks, mnemonic: OTHER_WORDS });
  await w.run(signer, 1);
  assert.deepEqual(w.journal().at(-1)?.spends, [`${hot}:0`]);
  assert.equal((await w.row(next.id)).status, "processing");
  await w.run(signer, 2);
  await w.settle();
  assert.deepEqual(
    [(await w.row(last.id)).status, (await w.row(next.id)).status],
    ["completed", "completed"],
  );
  assert.equal(await w.balance(DESTINATION), 6n * USDT, "what waited is sent again, and nothing paid twice");
});

test("a transaction is settled once every node has seen its nonce used in a final block", async (t) => {
  const w = await openNonceWorld(t);
  w.say(0, "all");
  const { id } = await w.create();
  const signer = w.start([w.url, w.front.url]);
  const outcomes = () => w.journal().map(({ hash }) => openJournal(w.journalPath).outcomeOf(hash));
  await w.run(signer, 10);
  assert.deepEqual([noncesOf(w), outcomes()], [[["payout", 0]], [null]]);
  w.say(null);
  await w.run(signer, 2);
  assert.deepEqual(outcomes(), ["final"]);
  await w.settle();
  assert.equal((await w.row(id)).status, "completed");
});
