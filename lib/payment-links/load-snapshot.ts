import type { Db, Tx } from "#lib/db/connection.ts";
import { readOpenings } from "#lib/settings/read-openings.ts";
import type { Openings } from "#lib/settings/types.ts";
import { isUnpaid } from "./rules.ts";
import {
  findLink,
  type LinkRow,
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
  const quotes = await loadQuotes(db, row.link.id, SHOWN);
  const payments = await loadPayments(db, [row.link.id], SHOWN);
  const money = payments.length < SHOWN ? payments : await sumPayments(db, row.link.id);
  return { ...row, openings, wallets, quotes, payments, money };
}
