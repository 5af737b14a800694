import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import { boundHeight, boundTime, fetchBoundHead } from "#lib/signer/node-bounds.ts";
import {
  fetchState,
  type Hot,
  isFarAhead,
  newestHeight,
  rangeOf,
} from "#lib/signer/solana/plan-transaction.ts";

const NOW = new Date("2026-11-27T12:00:00Z");
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

test("no block is of later than clocks differ, or than bitcoin's rules allow", () => {
  for (const [network, most] of [
    ["bitcoin", 130],
    ["bep20", 10],
    ["trc20", 10],
    ["solana", 10],
    ["xrp", 10],
  ] as const) {
    assert.deepEqual(boundTime(later(most), NOW, network), later(most));
    for (const wrong of [later(most + 1), new Date(Number.NaN), new Date(8.64e15)])
      assert.throws(() => boundTime(wrong, NOW, network), NodeError);
    const old = new Date(0);
    assert.equal(boundTime(old, NOW, network), old, "an old block ends no day too early");
  }
});

test("heights of two answers are near each other", () => {
  assert.equal(boundHeight("a ledger", 110, 100, 10), 110);
  assert.equal(boundHeight("a ledger", 90, 100, 10), 90);
  for (const wrong of [111, 89, Number.NaN, 2 ** 60, 100.5])
    assert.throws(() => boundHeight("a ledger", wrong, 100, 10), NodeError);
});

test("a payment on Solana waits for its last block, also where all nodes started again from an old snapshot", () => {
  const signedHeight = 300_000_000;
  const entry = { expires: signedHeight + 215 };
  assert.deepEqual(rangeOf(entry), { lastValid: signedHeight + 215, blocks: 1_151 });
  assert.deepEqual(rangeOf({ expires: null }).lastValid, Number.POSITIVE_INFINITY);
  assert.equal(isFarAhead(entry, signedHeight - 1_500), true);
  assert.equal(isFarAhead(entry, signedHeight - 785), false);
});

test("one of three nodes that says a height of next century stops no payment on Solana", () => {
  assert.equal(newestHeight([1_000, 1_001, 1e9]), 1_001);
  assert.equal(newestHeight([1_000, 2_001, 1e9]), 2_001);
  assert.equal(newestHeight([1_000, 1e9]), 1e9, "of two, nothing says which one errs");
  assert.deepEqual([newestHeight([]), newestHeight([7]), newestHeight([1, 2, 1_002])], [0, 7, 1_002]);
});

/** Tries one answer after another, as a pool does with its nodes. */
async function tryEach<A, T>(answers: readonly A[], work: (answer: A) => Promise<T>): Promise<T> {
  const [first, ...others] = answers;
  try {
    return await work(first!);
  } catch (error) {
    if (!(error instanceof NodeError) || others.length === 0) throw error;
    return tryEach(others, work);
  }
}

test("after a node whose answer is out of bounds the next one is asked", async () => {
  const heads = [later(60), NOW].map((time, at) => ({ height: at, time }));
  const adapter = {
    network: "xrp",
    nodes: {
      withOne: (_: unknown, work: (node: object) => Promise<unknown>) =>
        tryEach(heads, (head) => work({ blocks: { fetchHead: async () => head } })),
    },
  } as unknown as Parameters<typeof fetchBoundHead>[0];
  assert.equal((await fetchBoundHead(adapter, NOW)).height, 1);
  const sending = {
    fetchFinalHeights: async () => [1_000, 1_001, 1e9],
    fetchState: (_: unknown, check: (answer: object) => Promise<void>) =>
      tryEach([1e9, 1_150], async (lastValidBlockHeight) => {
        await check({ lastValidBlockHeight });
        return { lastValidBlockHeight };
      }),
  };
  const state = await fetchState({ sending } as unknown as Hot, []);
  assert.deepEqual([state.lastValidBlockHeight, state.expires], [1_150, 1_216]);
});
