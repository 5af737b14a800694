import assert from "node:assert/strict";
import { test } from "node:test";
import { hasMore, summarizeOutcomes } from "#lib/domain/deposits/requery/requery-rules.ts";
import type { DepositStatus } from "#lib/domain/types.ts";

const of = (...statuses: readonly DepositStatus[]) =>
  statuses.map((status) => ({ status, blockHash: status === "dropped" ? null : "0xa", count: 1 }));

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

test("more is recorded when a deposit was added or is back, whatever its status", () => {
  const many = [{ status: "credited", blockHash: "0xa", count: 2 }] as const;
  for (const [before, after, more] of [
    [of("credited"), of("credited"), false],
    [of("credited"), many, true],
    [many, of("credited"), false],
    [of("credited"), of("credited", "seen"), true],
    [of("credited"), of("credited", "held"), true],
    [of("credited"), of("credited", "dropped"), false],
    [of("credited", "dropped"), many, true],
    [of("credited"), of("dropped"), false],
  ] as const)
    assert.equal(hasMore(before, after), more, JSON.stringify([before, after]));
});
