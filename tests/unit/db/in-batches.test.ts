import assert from "node:assert/strict";
import { test } from "node:test";
import { inBatches } from "#lib/db/in-batches.ts";

/** A run that waits to be let go, and remembers its batches. */
function gated(most: number, work: (item: number) => number = (item) => item * 10) {
  const batches: number[][] = [];
  const open: (() => void)[] = [];
  const add = inBatches(most, async (items: readonly number[]) => {
    batches.push([...items]);
    await new Promise<void>((resolve) => open.push(resolve));
    return items.map(work);
  });
  const letGo = async () => {
    open.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, batches, letGo };
}

test("one alone runs at once; those that come meanwhile run together, in order, at most so many", async () => {
  const { add, batches, letGo } = gated(3);
  const all = Promise.all([1, 2, 3, 4, 5].map(add));
  assert.deepEqual(batches, [[1]]);
  for (let i = 0; i < 3; i += 1) await letGo();
  assert.deepEqual(batches, [[1], [2, 3, 4], [5]]);
  assert.deepEqual(await all, [10, 20, 30, 40, 50]);
  const later = add(6);
  assert.deepEqual(batches.at(-1), [6]);
  await letGo();
  assert.equal(await later, 60);
});

test("where a batch fails, all of it has failed and none of it is run again; the next batch is its own", async () => {
  const { add, batches, letGo } = gated(3, (item) => {
    if (item === 3) throw new Error("three");
    return item;
  });
  const all = Promise.allSettled([1, 2, 3, 4, 5].map(add));
  for (let i = 0; i < 3; i += 1) await letGo();
  assert.deepEqual(batches, [[1], [2, 3, 4], [5]]);
  assert.deepEqual(
    (await all).map(({ status }) => status),
    ["fulfilled", "rejected", "rejected", "rejected", "fulfilled"],
  );
});
