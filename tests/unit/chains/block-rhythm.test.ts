import assert from "node:assert/strict";
import { test } from "node:test";
import { followRhythm, meanPauseMs, NO_RHYTHM } from "#lib/chains/block-rhythm.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { percentile } from "#tests/bench/report.ts";
import { Random } from "#tests/simulation/random.ts";

type Data = Pick<NetworkData, "pollMs" | "blockSeconds" | "rhythm">;
const START = Date.UTC(2026, 0, 1);

/** Blocks of a network: the time in each and when the node shows it, by our clock. */
type Arrivals = readonly { readonly blockAt: number; readonly shownAt: number }[];

function arrive(
  { blockSeconds }: Data,
  blocks: number,
  {
    delay,
    skewMs = 0,
    missed = () => false,
  }: {
    readonly delay: (n: number) => number;
    readonly skewMs?: number;
    readonly missed?: (n: number) => boolean;
  },
): Arrivals {
  const slots = Array.from({ length: blocks }, (_, n) => n).filter((n) => !missed(n));
  return slots.map((n) => {
    const blockAt = START + n * blockSeconds * 1_000;
    return { blockAt, shownAt: blockAt + delay(n) + skewMs };
  });
}

/** Looks at these blocks. Returns after how many milliseconds each was seen, and the looks. The first look is at any time. */
function look(data: Data, arrivals: Arrivals, firstAt = arrivals[0]!.shownAt + 777) {
  const seen: number[] = [];
  let rhythm = NO_RHYTHM;
  let looks = 0;
  let next = 0;
  for (let at = firstAt; at < arrivals.at(-1)!.shownAt; looks += 1) {
    for (; arrivals[next] !== undefined && arrivals[next]!.shownAt <= at; next += 1)
      seen.push(at - arrivals[next]!.shownAt);
    const { blockAt } = arrivals[next - 1]!;
    const followed = followRhythm(rhythm, { startedAt: at, hash: `${blockAt}`, blockAt }, data);
    assert.ok(
      followed.nextAt > at && followed.nextAt <= at + Math.max(data.pollMs, data.blockSeconds * 1_000),
    );
    rhythm = followed.rhythm;
    at = followed.nextAt;
  }
  return { looks, blocks: arrivals.length, seen, late: percentile(seen.slice(3), 0.95) };
}

const BLOCKS = 2_000;
const { trc20, erc20, base } = NETWORKS;
const between = (low: number, high: number) => {
  const random = new Random(7);
  return () => low + Math.round(random.next() * (high - low));
};

for (const skewMs of [0, -2_500, 4_000]) {
  test(`trc20's blocks are seen within half a second with 1.1 looks a block, by a clock that is ${skewMs} ms off`, () => {
    const found = look(trc20, arrive(trc20, BLOCKS, { delay: () => 350, skewMs }));
    assert.ok(found.late <= 500, `${found.late} ms`);
    assert.ok(found.looks < 1.1 * BLOCKS, `${found.looks} looks`);
  });
}

for (const [data, delay, most] of [
  [trc20, between(200, 500), 1.6],
  [base, between(100, 400), 1.6],
  [erc20, between(1_000, 2_500), 3],
] as const) {
  test(`blocks each ${data.blockSeconds} s that come with different delays are seen within a second`, () => {
    const found = look(data, arrive(data, BLOCKS, { delay }));
    assert.ok(found.late <= 1_000, `${found.late} ms`);
    assert.ok(found.looks < most * BLOCKS, `${found.looks} looks`);
  });
}

test("blocks are seen soon again after one that never came, and after a node that stood still", () => {
  const missed = look(trc20, arrive(trc20, BLOCKS, { delay: () => 300, missed: (n) => n % 50 === 0 }));
  assert.ok(missed.late <= 500, `${missed.late} ms`);
  // It shows nothing for a minute, then all at once.
  const still = (n: number) => (n >= 500 && n < 520 ? (520 - n) * 3_000 + 300 : 300);
  const { seen } = look(trc20, arrive(trc20, BLOCKS, { delay: still }));
  assert.ok(Math.max(...seen.slice(530)) <= 500, `${Math.max(...seen.slice(530))} ms`);
});

test("where no block comes, the network is asked every pollMs", () => {
  const hash = "last";
  let rhythm = NO_RHYTHM;
  let at = START;
  const pauses: number[] = [];
  for (let n = 0; n < 50; n++) {
    const followed = followRhythm(rhythm, { startedAt: at, hash, blockAt: START - 300 }, trc20);
    pauses.push(followed.nextAt - at);
    rhythm = followed.rhythm;
    at = followed.nextAt;
  }
  assert.deepEqual(new Set(pauses.slice(20)), new Set([trc20.pollMs]));
});

test("the time in a block that no clock can have changes no pause beyond its bounds", () => {
  for (const blockAt of [-8.64e15, 0, 8.64e15]) {
    let rhythm = NO_RHYTHM;
    for (let n = 0; n < 9; n++) {
      const followed = followRhythm(rhythm, { startedAt: START, hash: `${n % 4}`, blockAt }, trc20);
      assert.ok(followed.nextAt >= START + 100 && followed.nextAt <= START + trc20.pollMs);
      rhythm = followed.rhythm;
    }
  }
});

test("the mean pause is that of the looks", () => {
  for (const data of [trc20, base, erc20]) {
    const { looks } = look(data, arrive(data, BLOCKS, { delay: () => 333 }));
    const ratio = meanPauseMs(data) / ((BLOCKS * data.blockSeconds * 1_000) / looks);
    assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio}`);
  }
});
