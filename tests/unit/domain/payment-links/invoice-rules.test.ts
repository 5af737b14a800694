import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  coverageOf,
  eventsOfChange,
  type InvoiceState,
  toInvoiceStatus,
} from "#lib/domain/payment-links/invoice-rules.ts";
import type { Coverage, PaymentTotal } from "#lib/domain/payment-links/types.ts";
import { aPayment, aStatus, EXACT } from "./facts.ts";

const statusOf = (given: Partial<InvoiceState>, coverage: Coverage = "part") => {
  const { status, additionalStatus } = toInvoiceStatus(aStatus(given), coverage);
  return `${status}/${additionalStatus}`;
};

describe("the status of an invoice", () => {
  test("follows the state of its link", () => {
    assert.equal(statusOf({ state: "open" }), "New/None");
    assert.equal(statusOf({ state: "awaiting" }), "New/None");
    assert.equal(statusOf({ state: "partial" }), "New/PaidPartial");
    assert.equal(statusOf({ state: "detected" }, "whole"), "Processing/None");
    assert.equal(statusOf({ state: "detected" }, "over"), "Processing/PaidOver");
    assert.equal(statusOf({ state: "completed", seq: 1 }), "Settled/None");
    assert.equal(statusOf({ state: "completed", seq: 1, late: true }), "Settled/None");
    assert.equal(statusOf({ state: "overpaid", seq: 1 }), "Settled/PaidOver");
    assert.equal(statusOf({ state: "failed", reason: "underpaid" }), "Expired/PaidPartial");
    assert.equal(statusOf({ state: "failed", reason: "unconfirmed" }), "Invalid/None");
    assert.equal(statusOf({ state: "expired", reason: "expired" }), "Expired/None");
    assert.equal(statusOf({ state: "expired", reason: "canceled" }), "Invalid/Marked");
  });

  test("says of late money whether it pays the whole link", () => {
    const late = { state: "expired", reason: "expired", late: true } as const;
    assert.equal(statusOf(late, "part"), "Expired/PaidPartial");
    assert.equal(statusOf(late, "whole"), "Expired/PaidLate");
    assert.equal(statusOf({ ...late, state: "failed", reason: "unconfirmed" }, "over"), "Expired/PaidLate");
  });

  test("is invalid while a reorganization has reverted the payment that completed it", () => {
    assert.equal(statusOf({ state: "awaiting", seq: 2 }), "Invalid/None");
    assert.equal(statusOf({ state: "partial", seq: 2 }), "Invalid/None");
    assert.equal(statusOf({ state: "detected", seq: 2 }, "whole"), "Processing/None");
  });
});

describe("the events of a change", () => {
  const change = (
    before: Partial<InvoiceState>,
    after: Partial<InvoiceState>,
    coverage: Coverage = "whole",
    coverageBefore: Coverage = "part",
  ) =>
    eventsOfChange({ ...aStatus(before), coverage: coverageBefore }, { ...aStatus(after), coverage }).map(
      ({ type, data }) => [type, data],
    );

  test("say how the invoice was paid, or how it ended", () => {
    const from = { state: "awaiting" } as const;
    const to = (state: InvoiceState["state"], reason: InvoiceState["reason"] = null) => ({ state, reason });
    assert.deepEqual(change(from, to("detected")), [["InvoiceProcessing", { overPaid: false }]]);
    assert.deepEqual(change(from, to("detected"), "over"), [["InvoiceProcessing", { overPaid: true }]]);
    const settled = { manuallyMarked: false, overPaid: false };
    assert.deepEqual(change(from, to("completed")), [["InvoiceSettled", settled]]);
    assert.deepEqual(change(from, to("overpaid")), [["InvoiceSettled", { ...settled, overPaid: true }]]);
    assert.deepEqual(change(from, to("failed", "underpaid"), "part"), [
      ["InvoiceExpired", { partiallyPaid: true }],
      ["InvoiceExpiredPaidPartial", {}],
    ]);
    assert.deepEqual(change(from, to("expired", "expired"), "part"), [
      ["InvoiceExpired", { partiallyPaid: false }],
    ]);
    const invalid = (manuallyMarked: boolean) => [["InvoiceInvalid", { manuallyMarked }]];
    assert.deepEqual(change(from, to("failed", "unconfirmed")), invalid(false));
    assert.deepEqual(change(from, to("expired", "canceled")), invalid(true));
  });

  test("say that a reorganization has reverted it, once", () => {
    const paid = { state: "completed", seq: 1 } as const;
    assert.deepEqual(change(paid, { state: "detected", seq: 2 }), [
      ["InvoiceProcessing", { overPaid: false }],
    ]);
    const reverted = { state: "awaiting", seq: 2 } as const;
    assert.deepEqual(change(paid, reverted), [["InvoiceInvalid", { manuallyMarked: false }]]);
    assert.deepEqual(change(reverted, { state: "partial", seq: 2 }), []);
  });

  test("say that late money has paid the whole of it, once", () => {
    const expired = { state: "expired", reason: "expired" } as const;
    const late = { ...expired, late: true } as const;
    const paidLate = [["InvoicePaidAfterExpiration", {}]];
    assert.deepEqual(change(expired, late, "part"), []);
    assert.deepEqual(change(expired, late, "whole"), paidLate);
    assert.deepEqual(change(late, late, "whole", "part"), paidLate);
    assert.deepEqual(change(late, late, "over", "whole"), []);
    const canceled = { state: "expired", reason: "canceled" } as const;
    assert.deepEqual(change(canceled, { ...canceled, late: true }), paidLate);
  });

  test("are absent while the status stays, or where payments say it", () => {
    assert.deepEqual(change({ state: "open" }, { state: "awaiting" }), []);
    assert.deepEqual(change({ state: "awaiting" }, { state: "partial" }), []);
    const expired = { state: "expired", reason: "expired" } as const;
    assert.deepEqual(change(expired, { ...expired, late: true }, "part"), []);
  });
});

test("counts what was seen while a link can still be paid, and later what is credited", () => {
  const totals = [
    { ...aPayment(60, { status: "credited" }), payments: 1 },
    { ...aPayment(50, { status: "seen" }), payments: 1 },
    { ...aPayment(100, { status: "dropped" }), payments: 1 },
  ] satisfies PaymentTotal[];
  assert.equal(coverageOf("detected", totals, EXACT), "over");
  assert.equal(coverageOf("expired", totals, EXACT), "part");
  assert.equal(coverageOf("detected", totals.slice(1, 2), EXACT), "part");
});
