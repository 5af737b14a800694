import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecorded, summarizeOutcomes } from "#lib/domain/deposits/requery/requery-rules.ts";
import type { DepositStatus } from "#lib/domain/types.ts";

const of = (...statuses: readonly DepositStatus[]) =>
  statuses.map((status) => ({ status, blockHash: status === "dropped" ? null : "0xa" }));

for (const [statuses, summary] of [
  [[], "none"],
  [["dropped"], "none"],
  [["seen"], "waiting"],
  [["credited"], "credited"],
  [["held"], "held"],
  [["seen", "credited", "dropped", "held"], "waiting"],
  [["credited", "dropped", "held"], "credited"],
  [["dropped", "held"], "held"],
] as const) {
  test(`deposits of ${statuses.join(", ") || "nothing"} are ${summary}`, () => {
    assert.equal(summarizeOutcomes(of(...statuses)), summary);
  });
}

test("a block is not read again when everything that it pays is recorded", () => {
  assert.equal(isRecorded([], "0xa"), false);
  assert.equal(isRecorded(of("dropped"), "0xa"), false);
  assert.equal(isRecorded(of("credited"), "0xb"), true);
  assert.equal(isRecorded(of("held"), "0xb"), false, "small unmatched transfers may have been left out");
  assert.equal(isRecorded(of("seen", "dropped"), "0xa"), true);
  assert.equal(isRecorded(of("seen"), "0xb"), false);
  assert.equal(isRecorded([...of("seen"), { status: "seen", blockHash: null }], "0xa"), false);
});
