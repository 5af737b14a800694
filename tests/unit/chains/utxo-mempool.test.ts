import assert from "node:assert/strict";
import { test } from "node:test";
import { NOT_FOUND } from "#lib/chains/utxo/core-client.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { many, openFakeMempool, payment } from "./fake-mempool.ts";

test("fetches what is wanted first, then what is new, newest first, and what waited before the start last", async () => {
  const { fake, step, fetched } = openFakeMempool(1);
  const [old, known, ...newer] = many(5);
  fake.waiting = [old!, known!];
  fake.wanted = [known!.txid];
  await step();
  for (const one of newer) {
    fake.waiting.push(one);
    fake.ms += 1_000;
    await step();
  }
  await step();
  const view = await step();
  assert.deepEqual(
    fetched(),
    [known, ...newer, old].map((one) => one!.txid),
  );
  assert.deepEqual([view.arrivals, view.backlog], [0, 0]);
});

test("keeps 1,999 of 2,000 waiting transactions when a call fails, and fetches only that one again", async () => {
  const { fake, step, count } = openFakeMempool(2_000);
  fake.waiting = many(2_000);
  fake.owned = new Set(fake.waiting.map(({ address }) => address));
  const bad = fake.waiting[400]!.txid;
  fake.twist = ({ params }) => (params[0] === bad ? { ok: false, code: -1, message: "busy" } : undefined);
  for (let i = 0; i < 4; i += 1) await step();
  const view = await step();
  assert.equal(view.transfers.length, 1_999);
  assert.ok(isNodeError("inconsistent")(view.failure!));
  fake.twist = () => undefined;
  const { transfers } = await step();
  assert.equal(transfers.length, 2_000);
  assert.ok(count("getrawtransaction") < 2_010);
});

test("one transaction that the node sends wrong stops no other", async () => {
  const { fake, step } = openFakeMempool(2);
  fake.waiting = many(6);
  fake.owned = new Set(fake.waiting.map(({ address }) => address));
  const [wrong, other] = fake.waiting;
  fake.twist = ({ params }) => (params[0] === wrong!.txid ? { ok: true, result: other!.hex } : undefined);
  const failures: unknown[] = [];
  for (let i = 0; i < 6; i += 1) failures.push((await step()).failure);
  assert.equal((await step()).transfers.length, 5);
  const [failure, ...others] = failures.filter((one) => one !== null);
  assert.ok(isNodeError("malformed")(failure));
  assert.deepEqual(others, []);
});

test("only a list says what is gone: what it names is not, fetched or not", async () => {
  const { fake, step } = openFakeMempool(1);
  fake.waiting = many(3);
  fake.wanted = [...fake.waiting.map(({ txid }) => txid), "ff".repeat(32)];
  const first = await step();
  assert.deepEqual(first.gone, ["ff".repeat(32)]);
  assert.ok(first.arrivals > 0);
  const { txid } = fake.waiting.shift()!;
  const second = await step();
  assert.deepEqual(second.gone, [txid, "ff".repeat(32)]);
  assert.ok(second.list > first.list);
  fake.ms += 1;
  fake.twist = ({ method }) =>
    method === "getrawmempool" ? { ok: false, code: -1, message: "busy" } : undefined;
  await assert.rejects(step(), isNodeError("refused"));
});

test("takes no list while the summary is the same, but one every five seconds and of every node", async () => {
  const { fake, step, count } = openFakeMempool();
  fake.waiting = many(3);
  for (fake.ms = 0; fake.ms < 4_999; fake.ms += 500) await step();
  assert.equal(count("getrawmempool"), 1);
  fake.ms = 5_000;
  await step();
  assert.equal(count("getrawmempool"), 2);
  fake.waiting.push(payment(9));
  await step();
  assert.equal(count("getrawmempool"), 3);
  await step({}, "B");
  assert.equal(count("getrawmempool"), 4);
});

test("a list that is empty or cut by fault makes no payment count as gone", async () => {
  const { fake, step } = openFakeMempool();
  fake.waiting = many(10);
  const { txid } = fake.waiting[7]!;
  fake.wanted = [txid];
  assert.deepEqual((await step()).gone, []);
  for (const length of [0, 4]) {
    const txids = fake.waiting.slice(0, length).map((one) => one.txid);
    fake.twist = ({ method }) => (method === "getrawmempool" ? { ok: true, result: txids } : undefined);
    fake.ms += 60_000;
    await assert.rejects(step(), isNodeError("inconsistent"));
    fake.twist = () => undefined;
    fake.ms += 60_000;
    assert.deepEqual((await step()).gone, []);
  }
  // A block took nearly all of it.
  fake.waiting = fake.waiting.slice(0, 1);
  fake.ms += 60_000;
  assert.deepEqual((await step()).gone, [txid]);
});

test("lists take at most a tenth of the time, and looks are as rare as asked for", async () => {
  const { fake, step, count } = openFakeMempool();
  fake.listMs = 400;
  for (let n = 0; fake.ms < 8_000; n += 1) {
    fake.waiting.push(payment(n));
    await step({ lookEveryMs: 100 });
    fake.ms += 10;
  }
  assert.equal(count("getrawmempool"), 2);
  assert.ok(count("getmempoolinfo") <= 3);
});

test("a list that took long once delays the next one by half a minute at most", async () => {
  const { fake, step } = openFakeMempool();
  // As long as a request may take.
  fake.listMs = 30_000;
  await step();
  const paid = payment(1);
  fake.waiting.push(paid);
  fake.owned.add(paid.address);
  fake.listMs = 0;
  fake.ms += 29_999;
  assert.deepEqual((await step()).transfers, []);
  fake.ms += 1;
  assert.deepEqual(
    (await step()).transfers.map(({ txHash }) => txHash),
    [paid.txid],
  );
});

test("a listed transaction that the node did not know is asked for again at the next look", async () => {
  const { fake, step } = openFakeMempool();
  const paid = payment(1);
  fake.waiting = [paid];
  fake.owned.add(paid.address);
  fake.fees = 0.001;
  // One of the nodes behind a balancer has it, another one not yet.
  fake.twist = ({ method }) =>
    method === "getrawtransaction" ? { ok: false, code: NOT_FOUND, message: "not there" } : undefined;
  assert.deepEqual((await step()).transfers, []);
  fake.twist = () => undefined;
  fake.ms += 500;
  assert.deepEqual(
    (await step()).transfers.map(({ txHash }) => txHash),
    [paid.txid],
  );
});

test("finds a payment whose address became ours after it was fetched", async () => {
  const { fake, step, count } = openFakeMempool();
  fake.waiting = many(3);
  assert.deepEqual((await step()).transfers, []);
  fake.owned.add(fake.waiting[1]!.address);
  assert.deepEqual((await step()).transfers, []);
  fake.ms += 10_000;
  const { transfers } = await step();
  assert.deepEqual(
    transfers.map(({ txHash }) => txHash),
    [fake.waiting[1]!.txid],
  );
  assert.equal(count("getrawtransaction"), 4);
});

test("takes no list of an unchanged mempool for a minute where its fees are reported", async () => {
  const { fake, step, count } = openFakeMempool();
  fake.waiting = many(3);
  fake.fees = 0.001;
  for (fake.ms = 0; fake.ms < 60_000; fake.ms += 500) await step();
  assert.equal(count("getrawmempool"), 1);
  await step();
  assert.equal(count("getrawmempool"), 2);
});

test("sees a payment at once whose size and fee are those of the only other one, which a block took", async () => {
  const { fake, step } = openFakeMempool();
  const [mined, paid] = many(2);
  fake.fees = 0.001;
  fake.waiting = [mined!];
  await step();
  fake.waiting = [paid!];
  fake.owned.add(paid!.address);
  fake.block = "01";
  fake.ms += 500;
  assert.deepEqual(
    (await step()).transfers.map(({ txHash }) => txHash),
    [paid!.txid],
  );
});

test("reports at once that a payment is gone when a reorg reverts it and the mempool stays the same", async () => {
  const { fake, step } = openFakeMempool();
  fake.waiting = many(3);
  fake.fees = 0.001;
  await step();
  fake.ms += 500;
  fake.wanted = ["ff".repeat(32)];
  assert.deepEqual((await step()).gone, ["ff".repeat(32)]);
});

test("reports at once that a payment is gone that arrived between the summary and the list", async () => {
  const { fake, step } = openFakeMempool();
  const [late] = many(1);
  fake.fees = 0.001;
  fake.twist = ({ method }) => {
    if (method === "getrawmempool") fake.waiting = [late!];
    return undefined;
  };
  await step();
  fake.twist = () => undefined;
  fake.waiting = [];
  fake.wanted = [late!.txid];
  fake.ms += 500;
  assert.deepEqual((await step()).gone, [late!.txid]);
});
