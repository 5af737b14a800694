import { paymentMethodId } from "#lib/chains/payment-method.ts";
import { storeIdOf } from "#lib/domain/store-id.ts";
import { emitInvoiceEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { InvoiceEventType } from "#lib/domain/webhooks/invoice-events.ts";
import { listOwnersWithFormat } from "#lib/domain/webhooks/queries.ts";
import type { NewInvoiceEvent } from "#lib/domain/webhooks/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { coverageOf, eventsOfChange } from "../invoice-rules.ts";
import { listUnreportedPayments, type UnreportedPayment, updateReported } from "../reported-store.ts";
import { hasFailed, payTermsOf } from "../rules.ts";
import type { LinkRow, LinkServices, PaymentTotal } from "../types.ts";
import { invoiceMetadata, invoicePaymentRecord } from "../view/invoice-record.ts";
import { groupByLink } from "../view/snapshot.ts";
import type { LinkEvaluation } from "./state-rules.ts";

/** Payments that one settlement reports. The next one of their links reports the others. */
const PAYMENTS_AT_ONCE = 500;

/** A settled link: its row before, and the evaluation that was stored. */
interface SettledLink {
  readonly row: LinkRow;
  readonly evaluation: LinkEvaluation;
  readonly totals: readonly PaymentTotal[];
}

/** Emits the event of a new link, in the transaction that inserts it. */
export async function reportNewInvoice(
  tx: Tx,
  row: Pick<LinkRow, "link" | "merchant">,
  now: Date,
): Promise<void> {
  await emitInvoiceEvents(tx, [composeEvent(row, "InvoiceCreated", {}, [])], now);
}

/**
 * Emits the events of settled links for shops that see them as invoices: first those of their payments, then that of their state. It is part of
 * the transaction that has changed the links, whose rows are locked.
 */
export async function reportInvoices(
  tx: Tx,
  { networks }: Pick<LinkServices, "networks">,
  settled: readonly SettledLink[],
  now: Date,
): Promise<void> {
  const owners = await listOwnersWithFormat(
    tx,
    settled.map(({ row }) => row.link),
    "btcpay",
  );
  const shown = settled.filter(({ row: { link } }) =>
    owners.some(({ merchantId, env }) => merchantId === link.merchantId && env === link.env),
  );
  if (shown.length === 0) return;
  const ids = shown.map(({ row }) => row.link.id);
  const unreported = await listUnreportedPayments(tx, ids, PAYMENTS_AT_ONCE);
  await updateReported(tx, unreported);
  const payments = groupByLink(unreported);
  const events = shown.flatMap((one) => [
    ...composePaymentEvents(networks, one, payments.get(one.row.link.id) ?? []),
    ...composeChangeEvents(one),
  ]);
  await emitInvoiceEvents(tx, events, now);
}

function composePaymentEvents(
  networks: LinkServices["networks"],
  { row, evaluation }: SettledLink,
  payments: readonly UnreportedPayment[],
): NewInvoiceEvent[] {
  const { env, state } = row.link;
  const afterExpiration = hasFailed(state) || hasFailed(evaluation.state);
  return payments.flatMap((payment) => {
    const { network, status, reported, txHash } = payment;
    if (status === "dropped") return [];
    const display = networks.find(env, network)?.addresses.display;
    const address = display?.(payment.address) ?? payment.address;
    const data = (as: "seen" | "credited") => ({
      afterExpiration,
      paymentMethodId: paymentMethodId(payment),
      payment: invoicePaymentRecord({ ...payment, address, status: as }),
    });
    const compose = (type: InvoiceEventType, as: "seen" | "credited") =>
      composeEvent(row, type, data(as), [txHash]);
    return [
      ...(reported === null ? [compose("InvoiceReceivedPayment", status)] : []),
      ...(status === "credited" ? [compose("InvoicePaymentSettled", status)] : []),
    ];
  });
}

function composeChangeEvents({ row, evaluation, totals }: SettledLink): NewInvoiceEvent[] {
  const terms = payTermsOf(row);
  const known = totals.filter(({ announced }) => announced !== null);
  const before = { ...row.link, coverage: coverageOf(row.link.state, known, terms) };
  const after = { ...evaluation, coverage: coverageOf(evaluation.state, totals, terms) };
  return eventsOfChange(before, after).map(({ type, data }) => composeEvent(row, type, data, []));
}

function composeEvent(
  { link, merchant }: Pick<LinkRow, "link" | "merchant">,
  type: InvoiceEventType,
  data: NewInvoiceEvent["data"],
  txHashes: readonly string[],
): NewInvoiceEvent {
  const { merchantId, env, refid: invoiceId } = link;
  const storeId = storeIdOf(merchant.code, env);
  return { merchantId, env, type, invoiceId, storeId, data, metadata: invoiceMetadata(link), txHashes };
}
