import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readLimits,
  ruleProblem,
} from "#app/console/m/[merchant]/[env]/money/withdrawals/rules/read-rules.ts";

const read = (fields: Readonly<Record<string, string>>) =>
  readLimits((name) => ({ token: "usdt", per_transfer: "", per_day: "", ...fields })[name] ?? "");

test("reads limits in ledger units, and an empty field as no limit", () => {
  assert.deepEqual(read({ per_transfer: " 2.5 " }), {
    ok: true,
    limits: { token: "usdt", perTransfer: 2_500_000_000_000_000_000n, perDay: null },
  });
});

test("names the field of a limit that is no amount", () => {
  for (const field of ["per_transfer", "per_day"]) {
    const given = read({ [field]: "2,5,1" });
    assert.ok(!given.ok);
    assert.equal(given.problem.field, field);
  }
  const given = read({ token: "gold" });
  assert.ok(!given.ok && given.problem.field === "token");
});

test("shows a refused address next to the address, and a refused name next to the name", () => {
  assert.equal(ruleProblem("destination_malformed").field, "address");
  assert.equal(ruleProblem("book_has_address").field, "address");
  assert.equal(ruleProblem("book_name_malformed").field, "name");
});
