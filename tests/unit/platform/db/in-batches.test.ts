import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createBatcher } from "#lib/platform/db/in-batches.ts";

/** A run that waits to be let go, and remembers its batches. */
function gated(
  { most, abreast }: { most: number; abreast: number },
  work: (item: number) => number | Promise<number> = (item) => item * 10,
) {
  const batches: number[][] = [];
  const open: (() => void)[] = [];
  const add = createBatcher({ most, abreast }, async (items: readonly number[]) => {
    batches.push([...items]);
    await new Promise<void>((resolve) => open.push(resolve));
    return items.map(work);
  });
  const letGo = async () => {
    open.shift()?.();
    await nextTurn();
  };
  return { add, batches, letGo };
}

test("those of one turn run together, in order, and then those that came meanwhile; at most so many", async () => {
  const { add, batches, letGo } = gated({ most: 3, abreast: 1 });
  const first = Promise.all([1, 2].map(add));
  assert.deepEqual(batches, []);
  await nextTurn();
  assert.deepEqual(batches, [[1, 2]]);
  const meanwhile = Promise.all([3, 4, 5, 6].map(add));
  await nextTurn();
  assert.deepEqual(batches, [[1, 2]]);
  for (let i = 0; i < 3; i += 1) await letGo();
  assert.deepEqual(batches, [[1, 2], [3, 4, 5], [6]]);
  assert.deepEqual([await first, await meanwhile].flat(), [10, 20, 30, 40, 50, 60]);
  const later = add(7);
  await nextTurn();
  await letGo();
  assert.equal(await later, 70);
});

test("so many batches are under way at once, and no more", async () => {
  const { add, batches, letGo } = gated({ most: 3, abreast: 2 });
  const all: Promise<number>[] = [];
  for (const item of [1, 2, 3, 4]) {
    all.push(add(item));
    await nextTurn();
  }
  assert.deepEqual(batches, [[1], [2]]);
  await letGo();
  assert.deepEqual(batches, [[1], [2], [3, 4]]);
  for (let i = 0; i < 2; i += 1) await letGo();
  assert.deepEqual(await Promise.all(all), [10, 20, 30, 40]);
});

test("where a batch fails, all of it has failed and none of it is run again; the next batch is its own", async () => {
  const { add, batches, letGo } = gated({ most: 3, abreast: 1 }, (item) => {
    if (item === 3) throw new Error("three");
    return item;
  });
  const all = Promise.allSettled([1, 2, 3, 4].map(add));
  await nextTurn();
  for (let i = 0; i < 2; i += 1) await letGo();
  assert.deepEqual(batches, [[1, 2, 3], [4]]);
  assert.deepEqual(
    (await all).map(({ status }) => status),
    ["rejected", "rejected", "rejected", "fulfilled"],
  );
});

test("an item may be answered with a promise of its own, which fails for it alone", async () => {
  const { add, letGo } = gated({ most: 3, abreast: 1 }, async (item) => {
    if (item === 2) throw new Error("two");
    return item;
  });
  const all = Promise.allSettled([1, 2, 3].map(add));
  await nextTurn();
  await letGo();
  assert.deepEqual(
    (await all).map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
});
