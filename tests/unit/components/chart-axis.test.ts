import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { axisText, axisValues } from "#components/console/charts/axis-rules.ts";
import { datedDays, dayAt } from "#components/console/charts/day-rules.ts";

test("an axis has the closest round values", () => {
  assert.deepEqual(axisValues(9_000n), [0n, 5_000n, 10_000n]);
  assert.deepEqual(axisValues(8_000n), [0n, 2_000n, 4_000n, 6_000n, 8_000n]);
  assert.deepEqual(axisValues(123_456n), [0n, 50_000n, 100_000n, 150_000n]);
  assert.deepEqual(axisValues(1n), [0n, 1n, 2n]);
  assert.deepEqual(axisValues(0n), []);
});

test("an axis has three to five values in even steps, and its last value is the first one above the largest", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n, max: 10n ** 20n }), (largest) => {
      const values = axisValues(largest);
      const [first, step, top] = [values[0], values[1] ?? 0n, values.at(-1) ?? 0n];
      assert.ok(values.length >= 3 && values.length <= 5, `${values.length} values`);
      assert.equal(first, 0n);
      assert.deepEqual(
        values,
        values.map((_, i) => BigInt(i) * step),
      );
      assert.match(String(step), /^[125]0*$/);
      assert.ok(top >= largest && top - step < largest, `${top} for ${largest}`);
    }),
  );
});

test("a few days have their dates, always the last one", () => {
  assert.deepEqual(datedDays(7), [0, 2, 4, 6]);
  assert.deepEqual(datedDays(30), [9, 19, 29]);
  assert.deepEqual(datedDays(90), [5, 33, 61, 89]);
  assert.deepEqual(datedDays(1), [0]);
  assert.equal(datedDays(365).length, 4);
});

test("an axis names its values shortly, with their currency", () => {
  const texts = (...units: bigint[]) => units.map((one) => axisText(one, "usd"));
  assert.deepEqual(texts(0n, 5_000n, 150_000n), ["$0", "$50", "$1.5K"]);
  assert.deepEqual(texts(25_000_000n, 1_000_000_000n), ["$250K", "$10M"]);
  assert.deepEqual(texts(0n, 20n, 160n), ["$0", "$0.20", "$1.60"]);
});

test("a place in the chart belongs to one day, also at its edges", () => {
  assert.deepEqual(
    [-0.1, 0, 0.49, 0.5, 1, 1.2].map((share) => dayAt(share, 2)),
    [0, 0, 0, 1, 1, 1],
  );
});
