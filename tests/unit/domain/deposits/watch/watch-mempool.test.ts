import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import type { MempoolView } from "#lib/chains/mempool-reader.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { WatchContext } from "#lib/domain/deposits/types.ts";
import { watchMempool } from "#lib/domain/deposits/watch/watch-mempool.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";

const POLL_MS = 1_000;
const EMPTY: MempoolView = {
  ...{ node: "A", list: 1, looked: true, gone: [], transfers: [], arrivals: 0, backlog: 0, failure: null },
};

/** Watches a mempool that is read by `read`. */
function open(read: () => Promise<MempoolView>) {
  const clock = openManualClock();
  const stopping = new AbortController();
  const adapter = { data: { pollMs: POLL_MS }, mempool: { readStep: read } };
  const watch = { ...clock, adapter, log: pino({ level: "silent" }) } as unknown as WatchContext;
  const options = { lastRead: { hash: null }, pace: { everyMs: () => POLL_MS }, onNews: () => {} };
  const mempool = watchMempool(watch, { ...options, stopping: stopping.signal })!;
  return { clock, mempool };
}

test("asks again soon after one refusal, and rarely where the node always refuses", async (t) => {
  let reads = 0;
  const { clock, mempool } = open(async () => {
    reads += 1;
    throw new NodeError("refused", "no mempool here");
  });
  t.after(() => mempool.stop());
  const pauses: number[] = [];
  for (let i = 0; i < 8; i++) {
    await clock.untilAsleep();
    const [pause = 0] = clock.sleeping();
    pauses.push(pause);
    assert.equal(mempool.refusal(), "no mempool here");
    await clock.advance(pause);
  }
  assert.equal(reads, 9);
  assert.ok(pauses[0]! <= 2 * POLL_MS);
  assert.deepEqual(pauses.slice(6), [60_000, 60_000]);
});

test("asks again soon after one refusal that follows an outage", async (t) => {
  const kinds = ["unreachable", "refused"] as const;
  let reads = 0;
  const { clock, mempool } = open(async () => {
    throw new NodeError(kinds[reads++ < 8 ? 0 : 1], "no mempool now");
  });
  t.after(() => mempool.stop());
  for (let i = 0; i < 8; i++) {
    await clock.untilAsleep();
    await clock.advance(clock.sleeping()[0] ?? 0);
  }
  await clock.untilAsleep();
  assert.equal(mempool.refusal(), "no mempool now");
  assert.ok(clock.sleeping()[0]! <= 2 * POLL_MS, String(clock.sleeping()));
});

test("looks again after activity, and after its time", async (t) => {
  let reads = 0;
  const { clock, mempool } = open(async () => {
    reads += 1;
    return EMPTY;
  });
  t.after(() => mempool.stop());
  await clock.untilAsleep();
  mempool.wake();
  await clock.untilAsleep();
  assert.equal(reads, 2);
  await clock.advance(POLL_MS);
  assert.equal(reads, 3);
});
