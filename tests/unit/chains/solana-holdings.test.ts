import assert from "node:assert/strict";
import { test } from "node:test";
import { findStart } from "#lib/chains/solana/holdings.ts";

const change = (before: bigint, after: bigint) => ({ before, after });

test("changes lead back to what an account held before them, in any order", () => {
  const changes = [change(0n, 5n), change(5n, 2n), change(2n, 2n), change(2n, 9n)];
  assert.equal(findStart(changes, 9n), 0n);
  assert.equal(findStart(changes.toReversed(), 9n), 0n);
  assert.equal(findStart([changes[2]!, changes[0]!, changes[3]!, changes[1]!], 9n), 0n);
  assert.equal(findStart([], 7n), 7n);
  assert.equal(findStart([change(4n, 4n)], 4n), 4n);
});

test("a change that is missing is noticed, wherever it is but at the beginning", () => {
  const changes = [change(0n, 5n), change(5n, 7n), change(7n, 9n)];
  assert.equal(findStart(changes.slice(1), 9n), 5n);
  assert.equal(findStart([changes[0]!, changes[2]!], 9n), null);
  assert.equal(findStart(changes.slice(0, 2), 9n), null);
  assert.equal(findStart([], 9n), 9n);
});
