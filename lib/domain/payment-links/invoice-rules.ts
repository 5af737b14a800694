import type { LinkReason, LinkState } from "#lib/domain/types.ts";
import { hasFailed } from "./rules.ts";
import type { Coverage, PaymentTotal } from "./types.ts";
import { evaluateTotal, type PayTerms, valuedPayments } from "./valuation-rules.ts";

/*
 * A link as plugins of shops for BTCPay Server see it: an invoice. Its answers and its events follow from these rules alone, so that they
 * never disagree.
 */

/** The parts of a link that decide the status of its invoice. */
export interface InvoiceState {
  readonly state: LinkState;
  readonly reason: LinkReason | null;
  readonly late: boolean;
  readonly seq: number;
}

export interface InvoiceStatus {
  readonly status: "New" | "Processing" | "Settled" | "Expired" | "Invalid";
  readonly additionalStatus: "None" | "PaidPartial" | "PaidOver" | "PaidLate" | "Marked";
}

/**
 * How much of a link its payments pay: of one that has ended without them only what is credited, of any other also what is seen. Refunds do
 * not change it: the customer has paid.
 */
export function coverageOf(state: LinkState, totals: readonly PaymentTotal[], terms: PayTerms): Coverage {
  const counts = ({ status }: PaymentTotal) =>
    status === "credited" || (status === "seen" && !hasFailed(state));
  const { paid, overpaid } = evaluateTotal(valuedPayments(totals.filter(counts)), terms);
  if (!paid) return "part";
  return overpaid ? "over" : "whole";
}

/** The status of a link's invoice (docs/integrate/plugins.md). */
export function toInvoiceStatus(link: InvoiceState, coverage: Coverage): InvoiceStatus {
  const { state, reason, late, seq } = link;
  if (state === "completed") return { status: "Settled", additionalStatus: "None" };
  if (state === "overpaid") return { status: "Settled", additionalStatus: "PaidOver" };
  if (state === "detected")
    return { status: "Processing", additionalStatus: coverage === "over" ? "PaidOver" : "None" };
  if (hasFailed(state)) {
    if (late)
      return { status: "Expired", additionalStatus: coverage === "part" ? "PaidPartial" : "PaidLate" };
    if (reason === "underpaid") return { status: "Expired", additionalStatus: "PaidPartial" };
    if (reason === "unconfirmed") return { status: "Invalid", additionalStatus: "None" };
    if (reason === "canceled") return { status: "Invalid", additionalStatus: "Marked" };
    return { status: "Expired", additionalStatus: "None" };
  }
  // Only a completion gives an unfinished link a number: a reorganization has reverted it, and the shop may have shipped.
  if (seq > 0) return { status: "Invalid", additionalStatus: "None" };
  return { status: "New", additionalStatus: state === "partial" ? "PaidPartial" : "None" };
}

/** An event of an invoice, with the members of its type. */
export interface InvoiceEvent {
  readonly type:
    | "InvoiceProcessing"
    | "InvoiceSettled"
    | "InvoiceExpired"
    | "InvoiceExpiredPaidPartial"
    | "InvoicePaidAfterExpiration"
    | "InvoiceInvalid";
  readonly data: { readonly [name: string]: boolean };
}

/** The status of a link's invoice, with how much of the link is paid. */
export interface InvoiceProgress extends InvoiceState {
  readonly coverage: Coverage;
}

/** The events of a change of a link's state, in their order. Shops hear of other changes by its payments, or not at all. */
export function eventsOfChange(before: InvoiceProgress, after: InvoiceProgress): InvoiceEvent[] {
  const was = toInvoiceStatus(before, before.coverage);
  const { status, additionalStatus } = toInvoiceStatus(after, after.coverage);
  if (additionalStatus === "PaidLate")
    return was.additionalStatus === "PaidLate" ? [] : [{ type: "InvoicePaidAfterExpiration", data: {} }];
  const isSameState = before.state === after.state && before.reason === after.reason;
  if (isSameState || status === was.status) return [];
  const overPaid = additionalStatus === "PaidOver";
  if (status === "Processing") return [{ type: "InvoiceProcessing", data: { overPaid } }];
  if (status === "Settled") return [{ type: "InvoiceSettled", data: { manuallyMarked: false, overPaid } }];
  if (status === "Invalid")
    return [{ type: "InvoiceInvalid", data: { manuallyMarked: additionalStatus === "Marked" } }];
  if (status !== "Expired") return [];
  const partiallyPaid = additionalStatus === "PaidPartial";
  const expired: InvoiceEvent = { type: "InvoiceExpired", data: { partiallyPaid } };
  return partiallyPaid ? [expired, { type: "InvoiceExpiredPaidPartial", data: {} }] : [expired];
}
