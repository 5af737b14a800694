import assert from "node:assert/strict";
import { test } from "node:test";
import { applyUnlistedLimits } from "#lib/domain/deposits/unmatched/rules.ts";

test("keeps at most 5 unlisted deposits of a contract and 50 of an address", () => {
  const from = (contract: string, addressId = 1) => ({ addressId, contract });
  const flood = Array.from({ length: 9 }, () => from("a"));
  const { kept, dropped } = applyUnlistedLimits(
    [...flood, from("b"), from("a", 2)],
    new Map([[1, new Map([["a", 3]])]]),
  );
  assert.deepEqual(kept, [from("a"), from("a"), from("b"), from("a", 2)]);
  assert.equal(dropped.length, 7);
  const many = Array.from({ length: 80 }, (_, i) => from(String(i)));
  assert.equal(applyUnlistedLimits(many, new Map()).kept.length, 50);
  assert.equal(applyUnlistedLimits(many, new Map([[1, new Map([["x", 50]])]])).kept.length, 0);
});
