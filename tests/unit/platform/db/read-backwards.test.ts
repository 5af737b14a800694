import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readBackwards } from "#lib/platform/db/read-backwards.ts";

const HOUR = 3_600_000;

/** A list by descending id, as a query answers it. `read` counts the rows that it looked at. */
function listOf(times: readonly number[]) {
  const rows = times.map((at, n) => ({ id: 3 * n + 1, createdAt: new Date(at) })).toReversed();
  const counted = { read: 0 };
  const list = async (page: { before: number | null; limit: number; createdBefore?: Date }) => {
    const found = [];
    for (const row of rows) {
      if (page.before !== null && row.id >= page.before) continue;
      if (found.length === page.limit) break;
      counted.read++;
      if (page.createdBefore === undefined || row.createdAt < page.createdBefore) found.push(row);
    }
    return found;
  };
  return { rows, counted, list };
}

const read = async (list: ReturnType<typeof listOf>["list"], from: number, to: number) => {
  const range = { from: new Date(from), to: new Date(to) };
  return (await Array.fromAsync(readBackwards({ list, datedOf: (row) => row }, range))).flat();
};

test("every row of a period is read once, also where ids and times are in another order for almost an hour", async () => {
  const shape = fc.record({
    steps: fc.array(fc.tuple(fc.integer({ min: 0, max: HOUR }), fc.integer({ min: 0, max: HOUR - 1 }))),
    copies: fc.integer({ min: 1, max: 40 }),
    from: fc.integer({ min: 0, max: 30 * HOUR }),
    length: fc.integer({ min: 0, max: 30 * HOUR }),
  });
  await fc.assert(
    fc.asyncProperty(shape, async ({ steps, copies, from, length }) => {
      let now = 0;
      const times = steps.flatMap(([step, late]) => {
        now += step;
        return Array.from({ length: copies }, () => now + late);
      });
      const { rows, list } = listOf(times);
      const to = from + length;
      const expected = rows.filter(({ createdAt }) => +createdAt >= from && +createdAt < to);
      assert.deepEqual(await read(list, from, to), expected);
    }),
    { numRuns: 300 },
  );
});

test("the rows after an old period are not read", async () => {
  const { list, counted } = listOf(Array.from({ length: 100_000 }, (_, n) => n * 60_000));
  assert.equal((await read(list, 1_000 * 60_000, 1_100 * 60_000)).length, 100);
  assert.ok(counted.read < 3_000, `${counted.read} rows were read`);
});
