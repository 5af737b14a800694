import { getAvailability } from "#lib/domain/settings/queries.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { isUnpaid } from "../settle/state-rules.ts";
import {
  findLink,
  type LinkRow,
  type LinkWalletRow,
  listLinkPayments,
  listLinkRowsById,
  listLinkWallets,
  listPaymentTotals,
  listQuotes,
  type PaymentRow,
  type PaymentTotal,
  type QuoteRow,
} from "../store.ts";

/** At most this many quotes and payments of a link are read and shown, the newest. */
const SHOWN = 500;

/** What the database knows of one link. */
export interface LinkSnapshot extends LinkRow {
  readonly wallets: readonly LinkWalletRow[];
  /** Newest first. */
  readonly quotes: readonly QuoteRow[];
  /** Newest first. */
  readonly payments: readonly PaymentRow[];
  /** All its money, also what the list of payments no longer holds. */
  readonly totals: readonly PaymentTotal[];
  /** What further networks may be offered; null once the link is no more to be paid. */
  readonly availability: Availability | null;
}

/** Reads a link whole; null when there is none, or none of this owner. Consistent in a transaction that repeats reads. */
export async function findSnapshot(
  db: Db | Tx,
  refid: string,
  owner?: { merchantId: number; env: string },
): Promise<LinkSnapshot | null> {
  const row = await findLink(db, refid, owner);
  if (!row) return null;
  const openings = isUnpaid(row.link.state) ? await getAvailability(db, row.link.env) : null;
  const wallets = await listLinkWallets(db, [row.link.id]);
  if (wallets.length === 0)
    return { ...row, availability: openings, wallets, quotes: [], payments: [], totals: [] };
  const quotes = await listQuotes(db, [row.link.id], SHOWN);
  const payments = await listLinkPayments(db, [row.link.id], SHOWN);
  const money = payments.length < SHOWN ? payments : await listPaymentTotals(db, row.link.id);
  return { ...row, availability: openings, wallets, quotes, payments, totals: money };
}

/**
 * The same for many links in one transaction, by their ids, with as many queries as for one (only a link with more
 * payments than are shown costs one more). Throws when one of them is not there.
 */
export async function getSnapshots(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LinkSnapshot>> {
  if (ids.length === 0) return new Map();
  const rows = await listLinkRowsById(tx, ids);
  if (rows.length !== ids.length) throw new Error("a payment link vanished while it was read");
  const wallets = groupByLink(await listLinkWallets(tx, ids));
  const quotes = Map.groupBy(await listQuotes(tx, ids, SHOWN), ({ paymentLinkId }) => paymentLinkId);
  const payments = groupByLink(await listLinkPayments(tx, ids));
  const envs = [...new Set(rows.filter(({ link }) => isUnpaid(link.state)).map(({ link }) => link.env))];
  const openings = new Map<string, Availability>();
  for (const env of envs) openings.set(env, await getAvailability(tx, env));
  const snapshots = new Map<number, LinkSnapshot>();
  for (const row of rows) {
    const { id, state, env } = row.link;
    const shown = (payments.get(id) ?? []).slice(0, SHOWN);
    snapshots.set(id, {
      ...row,
      availability: isUnpaid(state) ? (openings.get(env) ?? null) : null,
      wallets: wallets.get(id) ?? [],
      quotes: quotes.get(id) ?? [],
      payments: shown,
      totals: shown.length < SHOWN ? shown : await listPaymentTotals(tx, id),
    });
  }
  return snapshots;
}

/** Rows of many links, by the link's id, in their order. */
export function groupByLink<T extends { linkId: number }>(rows: readonly T[]): ReadonlyMap<number, T[]> {
  return Map.groupBy(rows, ({ linkId }) => linkId);
}
