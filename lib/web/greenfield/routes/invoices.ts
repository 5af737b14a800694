import type { CreateLinkRefusal } from "#lib/domain/payment-links/availability-rules.ts";
import { archiveLink, updateLink } from "#lib/domain/payment-links/change-link.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { isRefid, newRefid } from "#lib/domain/payment-links/refid.ts";
import { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import type { PaymentLinkDeps, PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import { composeRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { addToLogContext } from "#lib/platform/log/log-context.ts";
import { type Answer, answer, EMPTY, invalid, NO_INVOICE } from "../answers.ts";
import { invoiceRecord, isMarkable, methodRecords } from "../invoice-record.ts";
import { listInvoices } from "../list-invoices.ts";
import { perform } from "../perform.ts";
import { readInvoice, readMetadata } from "../read-invoice.ts";
import { type GreenfieldCall, type GreenfieldContext, type GreenfieldRoute, storeRoute } from "../route.ts";

const VIEW = "btcpay.store.canviewinvoices";
const CREATE = "btcpay.store.cancreateinvoice";
const MODIFY = "btcpay.store.canmodifyinvoices";

export function linkDeps({ database, networks, rates, settings }: GreenfieldContext): PaymentLinkDeps {
  return { db: database.db, networks, rates, settings };
}

export const placeOf = ({ api, caller, storeId }: GreenfieldCall) => ({
  merchant: caller.merchant,
  storeId,
  publicUrl: api.publicUrl,
  confirmGraceHours: api.settings.confirmGraceHours,
});

/** The link of an invoice id. null: the store of the key has none. */
export async function findInvoice(call: GreenfieldCall): Promise<PaymentLinkView | null> {
  const { api, caller, now } = call;
  const refid = call.path("invoiceId");
  if (!isRefid(refid)) return null;
  addToLogContext({ refid });
  const owner = { merchantId: caller.merchant.id, env: caller.env };
  return viewPaymentLink(linkDeps(api), refid, now, owner);
}

/** Answers with the invoice of a path as it is now. */
async function answerInvoice(call: GreenfieldCall): Promise<Answer> {
  const link = await findInvoice(call);
  return link === null ? NO_INVOICE : answer(invoiceRecord(link, placeOf(call)));
}

type CreateRefusal = CreateLinkRefusal | "address_limit_reached" | "pool_empty";

const REFUSALS: Readonly<Record<CreateRefusal, readonly [path: string, message: string]>> = {
  pair_not_accepted: ["checkout.paymentMethods", "The store does not accept one of the payment methods."],
  wallet_pair_unsupported: [
    "checkout.paymentMethods",
    "The store does not accept one of the payment methods.",
  ],
  amount_below_minimum: ["amount", "The amount is too small for every payment method of the store."],
  network_unavailable: ["checkout.paymentMethods", "A payment method is not available now."],
  address_limit_reached: ["checkout.paymentMethods", "The store has too many unpaid addresses."],
  pool_empty: ["checkout.paymentMethods", "A payment method has no addresses left."],
};

async function createInvoice(call: GreenfieldCall): Promise<Answer> {
  const { api, caller, fields, now } = call;
  const read = readInvoice(fields, { env: caller.env, refid: newRefid(), now });
  if (!read.ok) return invalid(read);
  const deps = linkDeps(api);
  const created = await createPaymentLink(deps.db, deps, { owner: caller, input: read.value }, now);
  if (!created.ok) {
    const [path, message] = REFUSALS[created.reason];
    return invalid({ path, message });
  }
  addToLogContext({ refid: created.link.refid });
  return answer(invoiceRecord(composeRecord(created, deps, now), placeOf(call)));
}

/** Replaces the metadata. */
async function updateInvoice(call: GreenfieldCall): Promise<Answer> {
  const read = readMetadata(call.fields);
  if (!read.ok) return invalid(read);
  const { source, orderId } = read.value;
  const refid = call.path("invoiceId");
  const updated = await perform(updateLink, call, {
    refid,
    metadata: source,
    paymentReference: orderId ?? refid,
  });
  if (updated.ok) return answerInvoice(call);
  return updated.reason === undefined ? updated.answer : NO_INVOICE;
}

/** Marks an invoice that nobody has paid as invalid. Nobody marks one as paid: books follow the chain. */
async function markInvoice(call: GreenfieldCall): Promise<Answer> {
  const status = call.fields.text("status")?.toLowerCase();
  if (status !== "invalid")
    return invalid({
      path: "status",
      message: "An invoice can be marked as Invalid alone. Payments settle it.",
    });
  const link = await findInvoice(call);
  if (link === null) return NO_INVOICE;
  const services = linkDeps(call.api);
  const canceled = isMarkable(link)
    ? await perform(cancelLink, call, { services, refid: link.refid })
    : ({ ok: false, reason: "link_not_cancelable" } as const);
  if (canceled.ok || link.reason === "canceled") return answerInvoice(call);
  if (canceled.reason === undefined) return canceled.answer;
  return canceled.reason === "link_not_found"
    ? NO_INVOICE
    : invalid({ path: "status", message: "An invoice that was paid or has ended cannot be marked." });
}

async function archive(call: GreenfieldCall, isArchived: boolean): Promise<Answer> {
  const archived = await perform(archiveLink, call, { refid: call.path("invoiceId"), isArchived });
  if (archived.ok) return isArchived ? EMPTY : answerInvoice(call);
  return archived.reason === undefined ? archived.answer : NO_INVOICE;
}

export const INVOICE_ROUTES: readonly GreenfieldRoute[] = [
  storeRoute("get", "/invoices", VIEW, listInvoices),
  storeRoute("post", "/invoices", CREATE, createInvoice),
  storeRoute("get", "/invoices/:invoiceId", VIEW, answerInvoice),
  storeRoute("put", "/invoices/:invoiceId", MODIFY, updateInvoice),
  storeRoute("delete", "/invoices/:invoiceId", MODIFY, (call) => archive(call, true)),
  storeRoute("post", "/invoices/:invoiceId/unarchive", MODIFY, (call) => archive(call, false)),
  storeRoute("post", "/invoices/:invoiceId/status", MODIFY, markInvoice),
  storeRoute("get", "/invoices/:invoiceId/payment-methods", VIEW, async (call) => {
    const link = await findInvoice(call);
    return link === null ? NO_INVOICE : answer(methodRecords(link));
  }),
];
