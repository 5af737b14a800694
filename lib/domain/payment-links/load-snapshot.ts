import { readOpenings } from "#lib/domain/settings/read-openings.ts";
import type { Openings } from "#lib/domain/settings/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { isUnpaid } from "./rules.ts";
import {
  findLink,
  type LinkRow,
  linksOf,
  loadPayments,
  loadQuotes,
  loadWallets,
  type MoneyRow,
  type PaymentRow,
  type QuoteRow,
  sumPayments,
  type WalletRow,
} from "./store.ts";

/** At most this many quotes and payments of a link are read and shown, the newest. */
const SHOWN = 500;

/** What the database knows of one link. */
export interface Snapshot extends LinkRow {
  readonly wallets: readonly WalletRow[];
  /** Newest first. */
  readonly quotes: readonly QuoteRow[];
  /** Newest first. */
  readonly payments: readonly PaymentRow[];
  /** All its money, also what the list of payments no longer holds. */
  readonly money: readonly MoneyRow[];
  /** What further networks may be offered; null once the link is no more to be paid. */
  readonly openings: Openings | null;
}

/** Reads a link whole; null when there is none, or none of this owner. Consistent in a transaction that repeats reads. */
export async function loadSnapshot(
  db: Db | Tx,
  refid: string,
  owner?: { merchantId: number; env: string },
): Promise<Snapshot | null> {
  const row = await findLink(db, refid, owner);
  if (!row) return null;
  const openings = isUnpaid(row.link.state) ? await readOpenings(db, row.link.env) : null;
  const wallets = await loadWallets(db, [row.link.id]);
  if (wallets.length === 0) return { ...row, openings, wallets, quotes: [], payments: [], money: [] };
  const quotes = await loadQuotes(db, [row.link.id], SHOWN);
  const payments = await loadPayments(db, [row.link.id], SHOWN);
  const money = payments.length < SHOWN ? payments : await sumPayments(db, row.link.id);
  return { ...row, openings, wallets, quotes, payments, money };
}

/**
 * The same for many links in one transaction, by their ids, with as many queries as for one (only a link with more
 * payments than are shown costs one more). Throws when one of them is not there.
 */
export async function loadSnapshots(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Snapshot>> {
  if (ids.length === 0) return new Map();
  const rows = await linksOf(tx, ids);
  if (rows.length !== ids.length) throw new Error("a payment link vanished while it was read");
  const wallets = groupByLink(await loadWallets(tx, ids));
  const quotes = Map.groupBy(await loadQuotes(tx, ids, SHOWN), ({ paymentLinkId }) => paymentLinkId);
  const payments = groupByLink(await loadPayments(tx, ids));
  const envs = [...new Set(rows.filter(({ link }) => isUnpaid(link.state)).map(({ link }) => link.env))];
  const openings = new Map<string, Openings>();
  for (const env of envs) openings.set(env, await readOpenings(tx, env));
  const snapshots = new Map<number, Snapshot>();
  for (const row of rows) {
    const { id, state, env } = row.link;
    const shown = (payments.get(id) ?? []).slice(0, SHOWN);
    snapshots.set(id, {
      ...row,
      openings: isUnpaid(state) ? (openings.get(env) ?? null) : null,
      wallets: wallets.get(id) ?? [],
      quotes: quotes.get(id) ?? [],
      payments: shown,
      money: shown.length < SHOWN ? shown : await sumPayments(tx, id),
    });
  }
  return snapshots;
}

/** Rows of many links, by the link's id, in their order. */
export function groupByLink<T extends { linkId: number }>(rows: readonly T[]): ReadonlyMap<number, T[]> {
  return Map.groupBy(rows, ({ linkId }) => linkId);
}
