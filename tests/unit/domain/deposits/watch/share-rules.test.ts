import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DECLINE_MS,
  decideShare,
  FAILING_MS,
  getShare,
  type Holdings,
  isFailing,
  LATE_MS,
  NO_SHARE_MEMORY,
  REST_MS,
  UNWANTED_MS,
} from "#lib/domain/deposits/watch/share-rules.ts";

/** Holdings of these workers, seen by one: "1 1 2 -" is four networks, of which 1 holds two, 2 holds one, and one is free. */
function seenBy(own: number, workers: readonly number[], holders: string): Holdings {
  const list = holders.split(" ").map((one) => (one === "-" ? null : Number(one)));
  return { own, workers, holders: new Map(list.map((holder, i) => [`n${i}`, holder])), declined: new Map() };
}

const watched = (names: readonly string[], ...failing: string[]) => ({ names, failing: new Set(failing) });

test("shares differ by one at most, and add up to all networks", () => {
  for (const count of [1, 2, 3, 4, 7, 20])
    for (const networks of [0, 1, 2, 3, 9, 18]) {
      const workers = Array.from({ length: count }, (_, i) => i + 1);
      const holders = new Map(Array.from({ length: networks }, (_, i) => [`n${i}`, i % 2 ? null : 1]));
      const shares = workers.map((own) => getShare({ own, workers, holders, declined: new Map() }));
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
  assert.deepEqual(decideShare(outside, watched(["n3"]), NO_SHARE_MEMORY, 0).take, {
    names: ["n4"],
    most: 0,
  });
});

test("a worker takes free networks up to its share at once, and gives up what is above it, the newest first", () => {
  const alone = decideShare(seenBy(1, [1], "- - -"), watched([]), NO_SHARE_MEMORY, 0);
  assert.deepEqual(alone.take, { names: ["n0", "n1", "n2"], most: 3 });
  const full = seenBy(1, [1, 2, 3], "1 1 1 1");
  const full1 = decideShare(full, watched(["n2", "n0", "n3", "n1"]), NO_SHARE_MEMORY, 0);
  assert.deepEqual([full1.take.most, full1.leave], [0, ["n3", "n1"]]);
  const isLeaving = decideShare(full, watched(["n2", "n0"]), NO_SHARE_MEMORY, 0);
  assert.deepEqual(isLeaving.leave, [], "two that it is giving up already");
  const other = decideShare({ ...full, own: 2 }, watched([]), NO_SHARE_MEMORY, 0);
  assert.deepEqual([other.take.names, other.leave], [[], []], "nothing is free yet");
});

test("a network that stays free is taken by any worker, which then gives none up for a while", () => {
  // The worker 2 is frozen: it holds nothing and takes nothing.
  const free = seenBy(1, [1, 2], "1 1 - -");
  const first = decideShare(free, watched(["n0", "n1"]), NO_SHARE_MEMORY, 1_000);
  assert.deepEqual([first.take.most, first.leave], [0, []]);
  const early = decideShare(free, watched(["n0", "n1"]), first.memory, 1_000 + LATE_MS - 1);
  assert.equal(early.take.most, 0);
  const late = decideShare(free, watched(["n0", "n1"]), early.memory, 1_000 + LATE_MS);
  assert.deepEqual(late.take, { names: ["n2", "n3"], most: 2 });

  const all = ["n0", "n1", "n2", "n3"];
  const held = seenBy(1, [1, 2], "1 1 1 1");
  const rests = decideShare(held, watched(all), late.memory, 1_000 + LATE_MS + REST_MS - 1);
  assert.deepEqual(rests.leave, []);
  assert.deepEqual(decideShare(held, watched(all), rests.memory, 1_000 + LATE_MS + REST_MS).leave, [
    "n2",
    "n3",
  ]);
});

test("a network that was taken meanwhile is not late when it is free again", () => {
  const free = seenBy(1, [1, 2], "1 -");
  const first = decideShare(free, watched(["n0"]), NO_SHARE_MEMORY, 0);
  const taken = decideShare(seenBy(1, [1, 2], "1 2"), watched(["n0"]), first.memory, 500);
  assert.equal(decideShare(free, watched(["n0"]), taken.memory, 2 * LATE_MS).take.most, 0);
});

/** The same holdings, in which workers decline networks. */
const declinedBy = (holdings: Holdings, declined: Readonly<Record<string, readonly number[]>>): Holdings => ({
  ...holdings,
  declined: new Map(Object.entries(declined).map(([name, by]) => [name, new Set(by)])),
});

test("a network fails after two failed passes in half a minute, or one if it was declined and not read since", () => {
  const at = (passes: number, isUnread: boolean, now: number) =>
    isFailing({ passes, since: 1_000, isUnread }, 1_000 + now);
  assert.deepEqual([at(1, false, FAILING_MS), at(2, false, FAILING_MS - 1)], [false, false]);
  assert.equal(at(2, false, FAILING_MS), true);
  assert.deepEqual([at(0, true, FAILING_MS), at(1, true, 0)], [false, true]);
});

test("a worker declines what it cannot read and leaves it to another one, unless all others decline it too", () => {
  const held = seenBy(1, [1, 2], "1 2");
  const first = decideShare(held, watched(["n0"], "n0"), NO_SHARE_MEMORY, 0);
  assert.deepEqual([first.decline, first.leave], [["n0"], ["n0"]]);
  const others = decideShare(declinedBy(held, { n0: [2] }), watched(["n0"], "n0"), NO_SHARE_MEMORY, 0);
  assert.deepEqual([others.decline, others.leave], [[], []], "nobody else can read it either");
  const alone = decideShare(seenBy(1, [1], "1"), watched(["n0"], "n0"), NO_SHARE_MEMORY, 0);
  assert.deepEqual([alone.decline, alone.leave], [[], []]);
});

test("what a worker declines, another one takes besides its share, and keeps", () => {
  const free = declinedBy(seenBy(2, [1, 2], "- 2 1"), { n0: [1] });
  const other = decideShare(free, watched(["n1"]), NO_SHARE_MEMORY, 0);
  assert.deepEqual([other.take.names, other.takeOver, other.leave], [[], ["n0"], []]);
  const keeps = declinedBy(seenBy(2, [1, 2], "2 2 1"), { n0: [1] });
  assert.deepEqual(decideShare(keeps, watched(["n1", "n0"]), other.memory, 60_000).leave, []);
});

test("a worker takes what it declines only if nobody else does, and declines it no longer after a while", () => {
  const held = seenBy(1, [1, 2], "1 2");
  const { memory } = decideShare(held, watched(["n0"], "n0"), NO_SHARE_MEMORY, 0);
  const free = declinedBy(seenBy(1, [1, 2], "- 2"), { n0: [1] });
  const waits = decideShare(free, watched([]), memory, 1_000);
  assert.deepEqual([waits.take.most, waits.takeOver], [0, []]);
  const takes = decideShare(free, watched([]), waits.memory, 1_000 + UNWANTED_MS);
  assert.deepEqual(takes.takeOver, ["n0"]);
  const before = decideShare(free, watched([]), takes.memory, DECLINE_MS - 1);
  assert.deepEqual(before.accept, []);
  assert.deepEqual(decideShare(free, watched([]), before.memory, DECLINE_MS).accept, ["n0"]);
});
