/** The reports of one server about our addresses, compared with earlier ones. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createAddressSync } from "#lib/chains/electrum/address-sync.ts";
import { parseHeaders } from "#lib/chains/electrum/headers.ts";
import { createHeaderBudget } from "#lib/chains/electrum/old-headers.ts";
import { createProver } from "#lib/chains/electrum/prove-transaction.ts";
import { createProvenPayments } from "#lib/chains/electrum/proven-payments.ts";
import type { ElectrumSession } from "#lib/chains/electrum/session.ts";
import { payment } from "./fake-mempool.ts";
import { mineHeaders } from "./mine-headers.ts";

const statusOf = (...txids: readonly string[]) => hash("sha256", txids.map((txid) => `${txid}:0:`).join(""));
const waitingIn = (...txids: readonly string[]) => txids.map((tx_hash) => ({ tx_hash, height: 0 }));

/** A server that reports `status` of the one address, and answers with each of these histories, the last one for good. */
function openSync(
  status: string | null,
  histories: readonly (readonly unknown[])[],
  known: readonly { txid: string; hex: string }[],
) {
  let reads = 0;
  let isTouched = false;
  const closed: string[] = [];
  const ask: ElectrumSession["ask"] = async (method, [asked]) => {
    if (method === "blockchain.scripthash.subscribe") return { ok: true, result: status };
    if (method === "blockchain.transaction.get")
      return { ok: true, result: known.find(({ txid }) => txid === asked)?.hex };
    reads += 1;
    if (isTouched) {
      sync.touch(["address"]);
      await setImmediate();
    }
    return { ok: true, result: histories[Math.min(reads, histories.length) - 1] };
  };
  const session = {
    name: "test",
    ask,
    caughtUp: async () => {},
    close: ({ message }: Error) => closed.push(message),
  };
  const sync = createAddressSync(session as unknown as ElectrumSession, {
    blockExtra: undefined,
    proven: createProvenPayments(),
    findRecordedBlocks: async () => new Map(),
    memory: { statuses: new Map(), highest: new Map(), tooLong: new Set() },
    budget: createHeaderBudget(),
    onNews: () => {},
    onTooLong: () => {},
  });
  sync.watch(["address"]);
  return {
    sync,
    closed,
    reads: () => reads,
    /** A mempool step asks for the history again while it is read. Returns what ends that. */
    touchAtEachRead() {
      isTouched = true;
      return () => {
        isTouched = false;
      };
    },
    found: () => sync.waiting().map(({ transaction }) => transaction.txid),
  };
}

test("an empty history of an address that the server reported as used is read again before anything is settled", async () => {
  const one = payment(1);
  const { sync, found, reads } = openSync(statusOf(one.txid), [[], waitingIn(one.txid)], [one]);
  await sync.idle();
  assert.deepEqual([found(), reads()], [[one.txid], 2]);
});

test("work that is asked for again all the time holds back nobody who waits for what was asked before", {
  timeout: 5_000,
}, async () => {
  const one = payment(1);
  const { sync, found, touchAtEachRead } = openSync(statusOf(one.txid), [waitingIn(one.txid)], [one]);
  const stop = touchAtEachRead();
  await sync.idle();
  await sync.idle();
  assert.deepEqual(found(), [one.txid]);
  stop();
  await sync.idle();
});

test("a history that lacks a part of what the server reported is read again until it has it", async () => {
  const [one, two] = [payment(1), payment(2)];
  const histories = [waitingIn(one.txid), waitingIn(one.txid), waitingIn(one.txid, two.txid)];
  const { sync, found, reads } = openSync(statusOf(one.txid, two.txid), histories, [one, two]);
  await sync.idle();
  assert.deepEqual(found(), [one.txid]);
  for (let turn = 0; turn < 4; turn++) {
    sync.touchUnfinished();
    await sync.idle();
  }
  assert.deepEqual([found(), reads()], [[one.txid, two.txid], 3]);
});

test("a server whose reports never agree with its histories is not asked for ever", async () => {
  const one = payment(1);
  const { sync, found, reads } = openSync("ab".repeat(32), [waitingIn(one.txid)], [one]);
  await sync.idle();
  for (let turn = 0; turn < 100; turn++) {
    sync.touchUnfinished();
    await sync.idle();
  }
  assert.deepEqual([found(), reads()], [[one.txid], 21]);
});

test("a history that did not change is looked at again with one call, and proven again when a block was replaced", async () => {
  const [paid, sweep] = [payment(1), payment(2)];
  const [header] = mineHeaders(1);
  const { hash: blockHash } = parseHeaders(header!)[0]!;
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    "blockchain.scripthash.subscribe": hash("sha256", `${paid.txid}:10:${sweep.txid}:11:`),
    "blockchain.scripthash.get_history": [
      { tx_hash: paid.txid, height: 10 },
      { tx_hash: sweep.txid, height: 11 },
    ],
    "blockchain.block.header": header!.toString("hex"),
    "blockchain.transaction.get": sweep.hex,
  };
  const answer = (method: string) => {
    asked.push(method);
    return answers[method];
  };
  const session = {
    name: "test",
    ask: async (method: string) => ({ ok: true, result: answer(method) }),
    call: async (method: string) => answer(method),
    chain: () => ({ base: 300 }),
    caughtUp: async () => {},
    close: (error: Error) => assert.fail(error),
  };
  const sync = createAddressSync(session as unknown as ElectrumSession, {
    blockExtra: undefined,
    proven: createProvenPayments(),
    findRecordedBlocks: async () => new Map([[paid.txid, blockHash]]),
    memory: { statuses: new Map(), highest: new Map(), tooLong: new Set() },
    budget: createHeaderBudget(),
    onNews: () => {},
    onTooLong: () => {},
  });
  const callsOf = async (work: () => void) => {
    asked.length = 0;
    work();
    await sync.idle();
    return asked.map((method) => method.replace("blockchain.", "")).toSorted();
  };
  // The sweep pays no address of our wallet.
  const whole = ["block.header", "scripthash.get_history", "transaction.get"];
  assert.deepEqual(
    await callsOf(() => sync.watch(["address"])),
    [...whole, "scripthash.subscribe"].toSorted(),
  );
  assert.deepEqual(await callsOf(() => sync.glance(["address"])), ["scripthash.get_history"]);
  assert.deepEqual(await callsOf(() => sync.touchAbove(5)), whole);
  const both = () => {
    sync.glance(["address"]);
    sync.touch(["address"]);
    sync.glance(["address"]);
  };
  // The first glance is under way, and the last one does not replace what must be proven.
  assert.deepEqual(await callsOf(both), [...whole, "scripthash.get_history"].toSorted());
});

test("what was proven is listed until it is recorded, and kept while the tables do not have it", () => {
  const proven = createProvenPayments();
  const at = (n: number, height: number) => ({
    ...{ transaction: { txid: `t${n}` }, raw: Buffer.alloc(0), scriptHash: n === 3 ? null : `s${n}` },
    block: { height, hash: `h${height}`, time: new Date(0) },
  });
  const [first, second, third] = [at(1, 10), at(2, 20), at(3, 2_000)] as never[] as Parameters<
    typeof proven.add
  >[0][];
  for (const one of [first!, second!, third!, first!]) proven.add(one);
  // A scan whose pass fails changes nothing, however far the chain is.
  assert.deepEqual(proven.list(5, 15), [first]);
  assert.deepEqual(proven.list(15, 25), [second]);
  assert.deepEqual(proven.listUnrecorded(1_000), [first, second]);
  proven.markRecorded([first!, second!]);
  assert.deepEqual(proven.listUnrecorded(3_000), [third]);
  assert.deepEqual(proven.listOld(1_000), [first, second]);
  proven.forget([first!]);
  assert.deepEqual(proven.listOld(1_000), [second]);
  proven.keep([second!]);
  assert.deepEqual(proven.listOld(1_000), []);
  // A payment that was set aside is read again from its block.
  assert.deepEqual([proven.list(5, 15), proven.list(15, 25)], [[], [second]]);
  assert.deepEqual(proven.listAbove(0), ["s2"]);
});

test("what was proven in an old block needs a new proof once another block has its height", async () => {
  const [left, taken] = mineHeaders(2).map((raw) => ({ raw, hash: parseHeaders(raw)[0]!.hash }));
  const proven = createProvenPayments();
  const one = { ...payment(1), height: 10 };
  proven.add({
    ...{ transaction: { txid: one.txid } as never, raw: Buffer.alloc(0), scriptHash: "s1" },
    block: { height: 10, hash: left!.hash, time: new Date(0) },
  });
  let shown = left!;
  let asked = 0;
  const call: ElectrumSession["call"] = async () => {
    asked += 1;
    return shown.raw.toString("hex");
  };
  const session = { name: "test", call, chain: () => ({ base: 300 }) } as unknown as ElectrumSession;
  const { isSettled } = createProver(session, {
    ...{ blockExtra: undefined, proven, budget: createHeaderBudget() },
  });
  assert.equal(await isSettled(one, undefined), true);
  shown = taken!;
  assert.equal(await isSettled(one, undefined), false);
  assert.equal(await isSettled(one, left!.hash), false);
  asked = 0;
  assert.equal(await isSettled({ txid: payment(2).txid, height: 10 }, undefined), false);
  assert.equal(asked, 0, "no header of a block in which nothing is known");
});

test("what is recorded above a fork is proven again, until the blocks above the fork were scanned", async () => {
  const [header] = parseHeaders(mineHeaders(1)[0]!);
  const proven = createProvenPayments();
  const session = { name: "test", chain: () => ({ base: 0 }), header: async () => header };
  const options = { blockExtra: undefined, proven, budget: createHeaderBudget() };
  const { isSettled } = createProver(session as unknown as ElectrumSession, options);
  const settled = async () => [
    await isSettled({ ...payment(1), height: 10 }, header!.hash),
    await isSettled({ ...payment(2), height: 20 }, header!.hash),
  ];
  assert.deepEqual(await settled(), [true, true]);
  proven.distrustAbove(15);
  assert.deepEqual(await settled(), [true, false]);
  // The pass fails, and the next one finds a fork that is not as deep.
  proven.distrustAbove(18);
  assert.deepEqual(await settled(), [true, false]);
  proven.trustAll();
  assert.deepEqual(await settled(), [true, true]);
});
