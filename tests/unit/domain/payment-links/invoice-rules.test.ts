import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  coverageOf,
  eventOfChange,
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

describe("the event of a change", () => {
  const change = (
    before: Partial<InvoiceState>,
    after: Partial<InvoiceState>,
    coverage: Coverage = "whole",
  ) => {
    const event = eventOfChange(aStatus(before), aStatus(after), coverage);
    return event && [event.type, event.data];
  };

  test("says how the invoice was paid, or how it ended", () => {
    const from = { state: "awaiting" } as const;
    const to = (state: InvoiceState["state"], reason: InvoiceState["reason"] = null) => ({ state, reason });
    assert.deepEqual(change(from, to("detected")), ["InvoiceProcessing", { overPaid: false }]);
    assert.deepEqual(change(from, to("detected"), "over"), ["InvoiceProcessing", { overPaid: true }]);
    const settled = { manuallyMarked: false, overPaid: false };
    assert.deepEqual(change(from, to("completed")), ["InvoiceSettled", settled]);
    assert.deepEqual(change(from, to("overpaid")), ["InvoiceSettled", { ...settled, overPaid: true }]);
    const expired = (partiallyPaid: boolean) => ["InvoiceExpired", { partiallyPaid }];
    assert.deepEqual(change(from, to("failed", "underpaid"), "part"), expired(true));
    assert.deepEqual(change(from, to("expired", "expired"), "part"), expired(false));
    const invalid = (manuallyMarked: boolean) => ["InvoiceInvalid", { manuallyMarked }];
    assert.deepEqual(change(from, to("failed", "unconfirmed")), invalid(false));
    assert.deepEqual(change(from, to("expired", "canceled")), invalid(true));
  });

  test("says that a reorganization has reverted it, once", () => {
    const paid = { state: "completed", seq: 1 } as const;
    assert.deepEqual(change(paid, { state: "detected", seq: 2 }), ["InvoiceProcessing", { overPaid: false }]);
    const reverted = { state: "awaiting", seq: 2 } as const;
    assert.deepEqual(change(paid, reverted), ["InvoiceInvalid", { manuallyMarked: false }]);
    assert.equal(change(reverted, { state: "partial", seq: 2 }), null);
  });

  test("is absent while the status stays, or where payments say it", () => {
    assert.equal(change({ state: "open" }, { state: "awaiting" }), null);
    assert.equal(change({ state: "awaiting" }, { state: "partial" }), null);
    const expired = { state: "expired", reason: "expired" } as const;
    assert.equal(change(expired, { ...expired, late: true }), null);
    const canceled = { state: "expired", reason: "canceled" } as const;
    assert.equal(change(canceled, { ...canceled, late: true }), null);
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
