import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { coalescePerTurn, createBatcher } from "#lib/platform/db/batching.ts";

/** A batcher whose runs wait until they are released. It records its batches. */
function gatedBatcher(
  { maxSize, concurrency }: { maxSize: number; concurrency: number },
  work: (item: number) => number | Promise<number> = (item) => item * 10,
) {
  const batches: number[][] = [];
  const open: (() => void)[] = [];
  const add = createBatcher({ maxSize, concurrency }, async (items: readonly number[]) => {
    batches.push([...items]);
    await new Promise<void>((resolve) => open.push(resolve));
    return items.map(work);
  });
  /** Ends the running batch at this place of those that run, oldest first. */
  const end = async (place: number) => {
    open.splice(place, 1)[0]?.();
    await nextTurn();
  };
  return { add, batches, release: () => end(0), end };
}

test("runs the items of one turn as one batch, in order, and later items in batches of at most maxSize", async () => {
  const { add, batches, release } = gatedBatcher({ maxSize: 3, concurrency: 1 });
  const first = Promise.all([1, 2].map(add));
  assert.deepEqual(batches, []);
  await nextTurn();
  assert.deepEqual(batches, [[1, 2]]);
  const meanwhile = Promise.all([3, 4, 5, 6].map(add));
  await nextTurn();
  assert.deepEqual(batches, [[1, 2]]);
  for (let i = 0; i < 3; i += 1) await release();
  assert.deepEqual(batches, [[1, 2], [3, 4, 5], [6]]);
  assert.deepEqual([await first, await meanwhile].flat(), [10, 20, 30, 40, 50, 60]);
  const later = add(7);
  await nextTurn();
  await release();
  assert.equal(await later, 70);
});

test("holds back the next batch while one runs, also where more may run at once", async () => {
  const { add, batches, release } = gatedBatcher({ maxSize: 9, concurrency: 3 });
  const all: Promise<number>[] = [];
  for (const item of [1, 2, 3]) {
    all.push(add(item));
    await nextTurn();
  }
  assert.deepEqual(batches, [[1]]);
  await release();
  assert.deepEqual(batches, [[1], [2, 3]]);
  await release();
  assert.deepEqual(await Promise.all(all), [10, 20, 30]);
});

describe("where batches take long", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  test("at most `concurrency` run at once, and one that waits for a lock holds back none", async () => {
    const { add, batches, release, end } = gatedBatcher({ maxSize: 9, concurrency: 2 });
    const all: Promise<number>[] = [];
    const addOne = async (item: number) => {
      all.push(add(item));
      await nextTurn();
    };
    for (const item of [1, 2]) await addOne(item);
    mock.timers.tick(9);
    await nextTurn();
    assert.deepEqual(batches, [[1]], "not yet");
    mock.timers.tick(1);
    await nextTurn();
    assert.deepEqual(batches, [[1], [2]]);
    await addOne(3);
    mock.timers.tick(10);
    await nextTurn();
    assert.deepEqual(batches, [[1], [2]], "two run");
    await end(1);
    assert.deepEqual(batches, [[1], [2], [3]], "the first still waits");
    for (const item of [4, 5]) await addOne(item);
    await end(1);
    assert.deepEqual(batches, [[1], [2], [3], [4, 5]]);
    for (let i = 0; i < 2; i += 1) await release();
    assert.deepEqual(await Promise.all(all), [10, 20, 30, 40, 50]);
  });

  test("one lane is enough again after one of them was slow once", async () => {
    const { add, batches, release, end } = gatedBatcher({ maxSize: 9, concurrency: 2 });
    const all = [add(1)];
    await nextTurn();
    mock.timers.tick(10);
    all.push(add(2));
    await nextTurn();
    all.push(add(3));
    await end(0);
    assert.deepEqual(batches, [[1], [2]], "the second holds back the third");
    await release();
    assert.deepEqual(batches, [[1], [2], [3]]);
    await release();
    assert.deepEqual(await Promise.all(all), [10, 20, 30]);
  });
});

test("starts a full batch while others run", async () => {
  const { add, batches, release } = gatedBatcher({ maxSize: 2, concurrency: 2 });
  const all: Promise<number>[] = [];
  for (const item of [1, 2, 3, 4]) {
    all.push(add(item));
    await nextTurn();
  }
  assert.deepEqual(batches, [[1], [2, 3]]);
  await release();
  assert.deepEqual(batches, [[1], [2, 3]], "a batch that is not full waits");
  await release();
  assert.deepEqual(batches, [[1], [2, 3], [4]]);
  await release();
  assert.deepEqual(await Promise.all(all), [10, 20, 30, 40]);
});

test("sends the next batch, as the driver does, before it answers the one before it", async () => {
  const events: string[] = [];
  const add = createBatcher({ maxSize: 1, concurrency: 1 }, async ([item = 0]: readonly number[]) => {
    process.nextTick(() => events.push(`sent ${item}`));
    await nextTurn();
    return [item];
  });
  await Promise.all([1, 2, 3].map(async (item) => events.push(`answered ${await add(item)}`)));
  assert.deepEqual(events, ["sent 1", "sent 2", "answered 1", "sent 3", "answered 2", "answered 3"]);
});

test("fails all items of a failed batch without a retry, and runs the next batch", async () => {
  const { add, batches, release } = gatedBatcher({ maxSize: 3, concurrency: 1 }, (item) => {
    if (item === 3) throw new Error("three");
    return item;
  });
  const all = Promise.allSettled([1, 2, 3, 4].map(add));
  await nextTurn();
  for (let i = 0; i < 2; i += 1) await release();
  assert.deepEqual(batches, [[1, 2, 3], [4]]);
  assert.deepEqual(
    (await all).map(({ status }) => status),
    ["rejected", "rejected", "rejected", "fulfilled"],
  );
});

test("fails only the item whose result is a rejected promise", async () => {
  const { add, release } = gatedBatcher({ maxSize: 3, concurrency: 1 }, async (item) => {
    if (item === 2) throw new Error("two");
    return item;
  });
  const all = Promise.allSettled([1, 2, 3].map(add));
  await nextTurn();
  await release();
  assert.deepEqual(
    (await all).map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
});

test("joins the calls for one key in one turn into one query that starts after all of them", async () => {
  const queried: string[] = [];
  const ask = coalescePerTurn(async (key) => queried.push(key));
  const first = ask("a");
  await Promise.resolve();
  const answers = [first, ask("a"), ask("b")];
  assert.deepEqual(queried, []);
  assert.deepEqual(await Promise.all(answers), [1, 1, 2]);
  assert.deepEqual(queried, ["a", "b"]);
});

test("starts a new query for a call that comes after the query started", async () => {
  const answers: ((text: string) => void)[] = [];
  const ask = coalescePerTurn(() => new Promise<string>((resolve) => answers.push(resolve)));
  const early = ask("a");
  await nextTurn();
  const late = ask("a");
  await nextTurn();
  answers[0]!("before");
  answers[1]!("after");
  assert.deepEqual([await early, await late], ["before", "after"]);
});

test("rejects all joined calls when the query fails, and no later call", async () => {
  let failing = true;
  const ask = coalescePerTurn(async () => {
    if (failing) throw new Error("planned");
    return "ok";
  });
  const both = await Promise.allSettled([ask("a"), ask("a")]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  failing = false;
  assert.equal(await ask("a"), "ok");
});
