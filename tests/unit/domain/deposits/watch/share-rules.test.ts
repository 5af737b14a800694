import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decideShare,
  getShare,
  type Holdings,
  LATE_MS,
  NO_SHARE_MEMORY,
  REST_MS,
} from "#lib/domain/deposits/watch/share-rules.ts";

/** Holdings of these workers, seen by one: "1 1 2 -" is four networks, of which 1 holds two, 2 holds one, and one is free. */
function seenBy(own: number, workers: readonly number[], holders: string): Holdings {
  const list = holders.split(" ").map((one) => (one === "-" ? null : Number(one)));
  return { own, workers, holders: new Map(list.map((holder, i) => [`n${i}`, holder])) };
}

test("shares differ by one at most, and add up to all networks", () => {
  for (const count of [1, 2, 3, 4, 7, 20])
    for (const networks of [0, 1, 2, 3, 9, 18]) {
      const workers = Array.from({ length: count }, (_, i) => i + 1);
      const holders = new Map(Array.from({ length: networks }, (_, i) => [`n${i}`, i % 2 ? null : 1]));
      const shares = workers.map((own) => getShare({ own, workers, holders }));
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        networks,
      );
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1, `${count} workers, ${networks} networks`);
    }
});

test("the larger shares are those of the workers that hold most", () => {
  const share = (own: number) => getShare(seenBy(own, [1, 2, 3], "3 3 1 3 2"));
  assert.deepEqual([1, 2, 3].map(share), [2, 1, 2]);
});

test("what a program outside holds is shared by nobody", () => {
  const outside = seenBy(1, [1, 2], "9 9 9 1 -");
  assert.equal(getShare(outside), 1);
  assert.deepEqual(decideShare(outside, ["n3"], NO_SHARE_MEMORY, 0).take, { names: ["n4"], most: 0 });
});

test("a worker takes free networks up to its share at once, and gives up what is above it, the newest first", () => {
  const alone = decideShare(seenBy(1, [1], "- - -"), [], NO_SHARE_MEMORY, 0);
  assert.deepEqual(alone.take, { names: ["n0", "n1", "n2"], most: 3 });
  const full = seenBy(1, [1, 2, 3], "1 1 1 1");
  const full1 = decideShare(full, ["n2", "n0", "n3", "n1"], NO_SHARE_MEMORY, 0);
  assert.deepEqual([full1.take.most, full1.leave], [0, ["n3", "n1"]]);
  const isLeaving = decideShare(full, ["n2", "n0"], NO_SHARE_MEMORY, 0);
  assert.deepEqual(isLeaving.leave, [], "two that it is giving up already");
  const other = decideShare({ ...full, own: 2 }, [], NO_SHARE_MEMORY, 0);
  assert.deepEqual([other.take.names, other.leave], [[], []], "nothing is free yet");
});

test("a network that stays free is taken by any worker, which then gives none up for a while", () => {
  // The worker 2 is frozen: it holds nothing and takes nothing.
  const free = seenBy(1, [1, 2], "1 1 - -");
  const first = decideShare(free, ["n0", "n1"], NO_SHARE_MEMORY, 1_000);
  assert.deepEqual([first.take.most, first.leave], [0, []]);
  const early = decideShare(free, ["n0", "n1"], first.memory, 1_000 + LATE_MS - 1);
  assert.equal(early.take.most, 0);
  const late = decideShare(free, ["n0", "n1"], early.memory, 1_000 + LATE_MS);
  assert.deepEqual(late.take, { names: ["n2", "n3"], most: 2 });

  const all = ["n0", "n1", "n2", "n3"];
  const held = seenBy(1, [1, 2], "1 1 1 1");
  const rests = decideShare(held, all, late.memory, 1_000 + LATE_MS + REST_MS - 1);
  assert.deepEqual(rests.leave, []);
  assert.deepEqual(decideShare(held, all, rests.memory, 1_000 + LATE_MS + REST_MS).leave, ["n2", "n3"]);
});

test("a network that was taken meanwhile is not late when it is free again", () => {
  const free = seenBy(1, [1, 2], "1 -");
  const first = decideShare(free, ["n0"], NO_SHARE_MEMORY, 0);
  const taken = decideShare(seenBy(1, [1, 2], "1 2"), ["n0"], first.memory, 500);
  assert.equal(decideShare(free, ["n0"], taken.memory, 2 * LATE_MS).take.most, 0);
});
