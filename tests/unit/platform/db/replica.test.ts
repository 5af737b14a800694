import assert from "node:assert/strict";
import { test } from "node:test";
import { findProblem } from "#lib/platform/db/replica.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";

const MARK = { identity: "7/16384", timeline: 3 };
const SEEN = { ...MARK, isStandby: true, hasReplayed: true };

test("a standby of the same database, on the primary's timeline, that has replayed its log is used", () => {
  assert.equal(findProblem(SEEN, MARK), null);
});

test("every other server is left out, and the first problem is its reason", () => {
  assert.equal(findProblem({ ...SEEN, hasReplayed: false }, MARK), "lags");
  // Its log may be longer than that of the new primary, and have other commits.
  assert.equal(findProblem({ ...SEEN, timeline: 2 }, MARK), "behind");
  assert.equal(findProblem({ ...SEEN, isStandby: false, timeline: 4 }, MARK), "primary");
  assert.equal(findProblem({ ...SEEN, identity: "7/16385", isStandby: false }, MARK), "other");
});

test("no operation that does a verb is answered from the replica", () => {
  const read = ENDPOINTS.filter(({ paged, reports }) => paged !== undefined || reports === true);
  assert.ok(read.length > 10);
  const deciding = read.filter(({ verb, idempotent, changes }) => verb ?? idempotent ?? changes);
  assert.deepEqual(
    deciding.map(({ path }) => path),
    [],
  );
});
