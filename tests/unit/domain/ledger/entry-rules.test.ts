import assert from "node:assert/strict";
import { test } from "node:test";
import { entryKind, readEntryCause } from "#lib/domain/ledger/entry-rules.ts";

const NEITHER = { isOfLink: false, isRefund: false };

test("every cause of a merchant's entry has its kind, its id and whether it returns an earlier one", () => {
  const cases: readonly (readonly [cause: string, kind: string, id: number | null, isReversal: boolean])[] = [
    ["deposit:12:1", "deposit", 12, false],
    ["deposit:12:2:resolved", "deposit", 12, false],
    ["deposit:12:1:reversal", "deposit", 12, true],
    ["deposit:12:1:reversal:cover", "advance", 12, true],
    ["deposit:12:1:repayment", "repayment", 12, false],
    ["deposit:12:1:resolved:repayment", "repayment", 12, false],
    ["withdrawal:3:reserve", "withdrawal", 3, false],
    ["withdrawal:3:settle", "withdrawal", 3, false],
    ["withdrawal:3:reserve:reversal", "withdrawal", 3, true],
    ["withdrawal:3:reserve:reversal:repayment", "repayment", 3, true],
    ["buy:7:cost", "buy", 7, false],
    ["buy:7:token", "buy", 7, false],
    ["buy:7:fee", "fee", 7, false],
    ["repayment:buy:7", "repayment", 7, false],
    ["operator:test:deposit-1", "correction", null, false],
  ];
  for (const [text, kind, id, isReversal] of cases) {
    const cause = readEntryCause(text);
    assert.deepEqual([entryKind(cause, NEITHER), cause.id, cause.isReversal], [kind, id, isReversal], text);
  }
});

test("a deposit of a link is a payment, and a withdrawal to a customer a refund, also when they are returned", () => {
  const kindOf = (cause: string) => entryKind(readEntryCause(cause), { isOfLink: true, isRefund: true });
  assert.equal(kindOf("deposit:1:1"), "payment");
  assert.equal(kindOf("deposit:1:1:reversal"), "payment");
  assert.equal(kindOf("withdrawal:1:reserve:reversal"), "refund");
});
