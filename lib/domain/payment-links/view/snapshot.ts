import { getAvailability } from "#lib/domain/settings/queries.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import {
  listAstrayPayments,
  listNewestPayments,
  listPaymentTotals,
  type PaymentRow,
} from "../payment-queries.ts";
import { findLink, type LinkWalletRow, listLinkRowsById, listLinkWallets } from "../queries.ts";
import { listQuotes } from "../quote-queries.ts";
import { listLinkRefunds } from "../refund-queries.ts";
import { isUnpaid } from "../rules.ts";
import type { AstrayPayment, LinkRow, PaymentTotal, QuoteRow, Refund } from "../types.ts";

/** A view, the page and an event list at most this many payments of a link, and count all of them. */
const PAYMENTS_SHOWN = 20;
/** A view shows at most this many of a link's newest quotes. */
const QUOTES_SHOWN = 500;

/** A view shows at most this many deposits that pay nothing. */
const ASTRAY_SHOWN = 5;

/** The stored state of one link. */
export interface LinkSnapshot extends LinkRow {
  readonly wallets: readonly LinkWalletRow[];
  /** Newest first. */
  readonly quotes: readonly QuoteRow[];
  /** Newest first, at most PAYMENTS_SHOWN. Payments below their minimum are left out first. */
  readonly payments: readonly PaymentRow[];
  /** All payments. */
  readonly totals: readonly PaymentTotal[];
  /** The amounts refunded or promised, also promises whose time is over. */
  readonly refunds: readonly Refund[];
  /** Oldest first, at most ASTRAY_SHOWN. Empty in the snapshots of many links. */
  readonly astray: readonly AstrayPayment[];
  /** Decides which further networks can be selected. null once the link accepts no payment. */
  readonly availability: Availability | null;
}

/**
 * Finds a link with its quotes and payments. null if there is none, or if `owner` does not own it. Run it in a
 * repeatable-read transaction to get a consistent result.
 */
export async function findSnapshot(
  db: Db | Tx,
  refid: string,
  owner?: { merchantId: number; env: string },
): Promise<LinkSnapshot | null> {
  const row = await findLink(db, refid, owner);
  if (!row) return null;
  const availability = isUnpaid(row.link.state) ? await getAvailability(db, row.link.env) : null;
  const wallets = await listLinkWallets(db, [row.link.id]);
  if (wallets.length === 0) {
    return { ...row, availability, wallets, quotes: [], payments: [], totals: [], refunds: [], astray: [] };
  }
  const quotes = await listQuotes(db, [row.link.id], QUOTES_SHOWN);
  const payments = await listNewestPayments(db, [row.link.id], PAYMENTS_SHOWN);
  const isAll = payments.length < PAYMENTS_SHOWN;
  const totals = isAll ? payments.flatMap(splitPayment) : await listPaymentTotals(db, [row.link]);
  const refunds = await listLinkRefunds(db, [row.link.id]);
  const astray = await listAstrayPayments(db, row.link.id, ASTRAY_SHOWN);
  return { ...row, availability, wallets, quotes, payments, totals, refunds, astray };
}

/** A payment as totals: its early amount, if it has one, is valued by another quote than the rest. */
export function splitPayment(payment: PaymentRow): PaymentTotal[] {
  const { amount, fullAmount, earlyAmount, earlyFullAmount } = payment;
  const rest = { ...payment, amount: amount - earlyAmount, payments: 1 };
  if (earlyAmount === 0n) return [rest];
  const early = { ...payment, amount: earlyAmount, payments: 0 };
  return [rest, { ...early, fullAmount: fullAmount && earlyFullAmount }];
}

/**
 * The snapshots of many links, with as many queries as for one link. `totals` are those of the links as stored, by link
 * id: its keys are the links. Throws if a link is missing.
 */
export async function getSnapshots(
  tx: Tx,
  totals: ReadonlyMap<number, readonly PaymentTotal[]>,
): Promise<ReadonlyMap<number, LinkSnapshot>> {
  const ids = [...totals.keys()];
  if (ids.length === 0) return new Map();
  const rows = await listLinkRowsById(tx, ids);
  if (rows.length !== ids.length) throw new Error("A payment link disappeared while it was read.");
  const wallets = groupByLink(await listLinkWallets(tx, ids));
  const quotes = Map.groupBy(await listQuotes(tx, ids, QUOTES_SHOWN), ({ paymentLinkId }) => paymentLinkId);
  const payments = groupByLink(await listNewestPayments(tx, ids, PAYMENTS_SHOWN));
  const refunds = groupByLink(await listLinkRefunds(tx, ids));
  const envs = [...new Set(rows.filter(({ link }) => isUnpaid(link.state)).map(({ link }) => link.env))];
  const availability = new Map<string, Availability>();
  for (const env of envs) availability.set(env, await getAvailability(tx, env));
  const snapshots = new Map<number, LinkSnapshot>();
  for (const row of rows) {
    const { id, state, env } = row.link;
    snapshots.set(id, {
      ...row,
      availability: isUnpaid(state) ? (availability.get(env) ?? null) : null,
      wallets: wallets.get(id) ?? [],
      quotes: quotes.get(id) ?? [],
      payments: payments.get(id) ?? [],
      totals: totals.get(id) ?? [],
      refunds: refunds.get(id) ?? [],
      astray: [],
    });
  }
  return snapshots;
}

/** Groups rows by the id of their link and keeps their order. */
export function groupByLink<Row extends { linkId: number }>(
  rows: readonly Row[],
): ReadonlyMap<number, Row[]> {
  return Map.groupBy(rows, ({ linkId }) => linkId);
}
