import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecorded, summarizeOutcomes } from "#lib/domain/deposits/requery/requery-rules.ts";
import type { DepositStatus } from "#lib/domain/deposits/types.ts";

const of = (...statuses: readonly DepositStatus[]) =>
  statuses.map((status) => ({ status, blockHash: status === 2 ? null : "0xa" }));

for (const [statuses, summary] of [
  [[], "none"],
  [[2], "none"],
  [[0], "waiting"],
  [[1], "credited"],
  [[3], "held"],
  [[0, 1, 2, 3], "waiting"],
  [[1, 2, 3], "credited"],
  [[2, 3], "held"],
] as const) {
  test(`deposits of ${statuses.join(", ") || "nothing"} are ${summary}`, () => {
    assert.equal(summarizeOutcomes(of(...statuses)), summary);
  });
}

test("a block is not read again when everything that it pays is recorded", () => {
  assert.equal(isRecorded([], "0xa"), false);
  assert.equal(isRecorded(of(2), "0xa"), false);
  assert.equal(isRecorded(of(1), "0xb"), true);
  assert.equal(isRecorded(of(3), "0xb"), false, "small unmatched transfers may have been left out");
  assert.equal(isRecorded(of(0, 2), "0xa"), true);
  assert.equal(isRecorded(of(0), "0xb"), false);
  assert.equal(isRecorded([...of(0), { status: 0, blockHash: null }], "0xa"), false);
});
