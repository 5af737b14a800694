import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import type { RpcClient } from "#lib/chains/rpc-client.ts";
import { MOST_WAITING } from "#lib/chains/solana/late-queues.ts";
import { createLateSlots } from "#lib/chains/solana/late-slots.ts";
import { listLatePayments, type SolanaSource } from "#lib/chains/solana/scan-blocks.ts";

const listed = (slot: number) => ({ slot, signature: `of ${slot}`, failed: false });

/** A block without transactions. `fees`: those that its leader got. */
const empty = (fees: number) => ({
  ...{
    blockhash: "1".repeat(32),
    previousBlockhash: "2".repeat(32),
    parentSlot: 4,
    blockTime: 1_700_000_000,
  },
  ...{ transactions: [], rewards: [{ rewardType: "Fee", lamports: fees }] },
});

/** Late slots of a node that answers this. Each pass returns the number of its calls. */
function failing(answer: unknown, slots: readonly number[]) {
  const late = createLateSlots();
  late.add(slots.map(listed), Number.POSITIVE_INFINITY, "one");
  let calls = 0;
  const fail = () => {
    calls += 1;
    return answer instanceof NodeError ? Promise.reject(answer) : Promise.resolve([answer]);
  };
  const watched = {
    ...{ listLate: late.list, dropLate: late.drop },
    ...{ postponeLate: late.postpone, pauseLate: late.pause },
  };
  const askOthers = async () => null;
  const client = { call: fail, batch: fail } as unknown as RpcClient;
  const source = {
    client,
    tokens: [],
    reportUnreadable: () => {},
    watched,
    askOthers,
  } as unknown as SolanaSource;
  const pass = async (slot: number) => {
    calls = 0;
    await listLatePayments(source, slot, async () => new Set());
    return calls;
  };
  return { late, pass };
}

/** Passes until the slot was given up, 300 at most. */
async function countPasses(answer: unknown): Promise<number> {
  const { late, pass } = failing(answer, [5]);
  let passes = 0;
  // Longer apart than any pause.
  const slot = () => 10 + passes * 2_000;
  for (; passes < 300 && late.list(slot()).size > 0; passes++) await pass(slot());
  return passes;
}

test("a late slot is given up when its block was shown whole without the payment, never because it is not shown", async () => {
  assert.equal(await countPasses(empty(0)), 100);
  assert.equal(await countPasses(empty(5_000)), 300, "a block that lacks other transactions, too");
  const kinds = [
    "unreachable",
    "rate_limited",
    "refused",
    "malformed",
    "inconsistent",
    "behind",
    "stale",
  ] as const;
  for (const kind of kinds) assert.equal(await countPasses(new NodeError(kind, "for a test")), 300, kind);
});

test("a late slot that no node has any more is given up long after the slots that a new process asks for", async () => {
  const { late, pass } = failing(new NodeError("refused", "cleaned up"), [5]);
  await pass(2_000_000);
  assert.equal(late.list(2_000_000).size, 1);
  await pass(2_000_006);
  assert.equal(late.list(2_000_006).size, 0);
});

test("late slots that fail hold back no other one", async () => {
  const gone = Array.from({ length: 500 }, (_, slot) => slot);
  const { late, pass } = failing(new NodeError("refused", "cleaned up"), gone);
  for (let i = 0; i < 100; i++) assert.ok((await pass(600)) <= 8);
  late.add([listed(550)], Number.POSITIVE_INFINITY, "one");
  assert.ok(late.list(600).has(550));
});

test("a node that does not answer is asked for late slots less often, until it answers", () => {
  const late = createLateSlots();
  late.add([{ slot: 5, signature: "a", failed: false }], 10, "one");
  const asked: number[] = [];
  for (let slot = 100; slot < 2_000; slot += 10) {
    if (late.list(slot).size === 0) continue;
    asked.push(slot);
    late.postpone(5, false);
    late.pause();
  }
  assert.deepEqual(asked, [100, 250, 550, 850, 1_150, 1_450, 1_750]);
  late.add([{ slot: 6, signature: "b", failed: false }], 10, "one");
  assert.equal(late.list(1_990).size, 0);
  assert.equal(late.list(2_050).size, 2);
  late.drop([6]);
  late.pause();
  assert.equal(late.list(2_200).size, 1, "it answered: the next pause is short");
});

test("a pause ends after as many passes while no block comes", () => {
  const late = createLateSlots();
  late.add([listed(5)], 10, "one");
  late.pause();
  const sizes = Array.from({ length: 151 }, () => late.list(100).size);
  assert.deepEqual([sizes.indexOf(1), sizes.length], [150, 151]);
});

test("thousands of transactions that name one address, or each in turn, delay no late payment to another address", () => {
  const late = createLateSlots();
  const flood = Array.from({ length: 4_000 }, (_, slot) => listed(slot));
  for (let i = 0; i < 20; i++) late.add(flood.slice(i * 200, i * 200 + 200), 10_000, `flooded ${i}`);
  for (let pass = 0; pass < 20; pass++) late.drop([...late.list(10_000).keys()]);
  late.add([listed(9_000)], 10_000, "paid");
  let passes = 1;
  for (; !late.list(10_000).has(9_000); passes++) late.drop([...late.list(10_000).keys()]);
  assert.ok(passes <= 3, `${passes} passes`);
});

test("a payment in a slot that waits for a flooded address is not delayed with it", () => {
  const late = createLateSlots();
  const flood = Array.from({ length: 4_000 }, (_, slot) => listed(slot));
  late.add(flood, 10_000, "flooded");
  late.add([{ ...listed(3_999), signature: "payment" }], 10_000, "paid");
  assert.deepEqual(late.list(10_000).get(3_999), new Set(["of 3999", "payment"]));
});

test("a second transaction of a slot that waits is looked for, too", () => {
  const late = createLateSlots();
  late.add([listed(5)], 10, "one");
  late.add([{ ...listed(5), signature: "second" }], 10, "one");
  assert.deepEqual(late.list(10).get(5), new Set(["of 5", "second"]));
  late.drop([5]);
  late.add([listed(5)], 10, "two");
  assert.equal(late.list(10).size, 0, "it was found");
});

test("the slots that wait are bounded, and what is left out is added by a later list", () => {
  const full: string[] = [];
  const late = createLateSlots((address) => full.push(address));
  const flood = Array.from({ length: MOST_WAITING.ofOne + 8 }, (_, slot) => listed(slot));
  assert.equal(late.add(flood, 10_000, "flooded"), false);
  assert.equal(late.add(flood, 10_000, "flooded"), false);
  assert.deepEqual(full, ["flooded"]);
  const read = new Set<number>();
  for (let pass = 0; pass < 626; pass++) {
    const slots = [...late.list(10_000).keys()];
    for (const slot of slots) read.add(slot);
    late.drop(slots);
    if (pass === 10) assert.equal(late.add(flood, 10_000, "flooded"), true);
  }
  assert.equal(read.size, flood.length);
  // Many flooded ones together leave a place for everybody else.
  for (let i = 0; i < 21; i++) {
    const some = Array.from({ length: MOST_WAITING.ofOne }, (_, n) => listed(100_000 + i * 5_000 + n));
    assert.equal(late.add(some, 1_000_000, `flooded ${i}`), i < 20);
  }
  assert.equal(late.add([listed(9_000)], 10_000, "paid"), true);
});
