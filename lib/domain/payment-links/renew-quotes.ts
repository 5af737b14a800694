import type { Tx } from "#lib/platform/db/connection.ts";
import { wantsMoney } from "./compose-view.ts";
import { draftQuote } from "./draft-quote.ts";
import type { Snapshot } from "./load-snapshot.ts";
import { settleLinks } from "./settle-links.ts";
import {
  insertQuotes,
  type LinkRow,
  loadPayments,
  loadWallets,
  lockLink,
  type QuoteRow,
  quotesSince,
  type WalletRow,
} from "./store.ts";
import type { PaymentLinkDeps } from "./types.ts";
import { isCurrent, sumOf } from "./valuation-rules.ts";
import { partOf } from "./value-payments.ts";

function lapsed(wallets: readonly WalletRow[], quotes: readonly QuoteRow[], now: Date): WalletRow[] {
  return wallets.filter(
    ({ network }) => !quotes.some((quote) => quote.network === network && isCurrent(quote, now)),
  );
}

/** True when a reader at `now` should be shown a quote that does not exist yet, and one can be made. */
export function needsQuotes(snapshot: Snapshot, deps: PaymentLinkDeps, now: Date): boolean {
  const { link, wallets, quotes } = snapshot;
  return (
    wantsMoney(link, now) &&
    lapsed(wallets, quotes, now).some((wallet) => draftQuote(deps, snapshot, wallet, sumOf([]), now) !== null)
  );
}

/** Makes a quote, remainder included, for every picked network of the locked link that has no live one. */
export async function quoteLapsed(
  tx: Tx,
  deps: PaymentLinkDeps,
  row: LinkRow,
  now: Date,
): Promise<QuoteRow[]> {
  const ids = [row.link.id];
  const wallets = lapsed(await loadWallets(tx, ids), await quotesSince(tx, ids, now), now);
  if (wallets.length === 0) return [];
  const seen = (await loadPayments(tx, ids)).filter(({ status }) => status !== 2);
  const sum = sumOf(seen.flatMap((payment) => partOf(payment) ?? []));
  return insertQuotes(
    tx,
    wallets.flatMap((wallet) => draftQuote(deps, row, wallet, sum, now) ?? []),
  );
}

/** Renews what has lapsed; of two at once the second finds it done. */
export async function renewQuotes(deps: PaymentLinkDeps, refid: string, now: Date): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const row = await lockLink(tx, refid);
    if (!row || !wantsMoney(row.link, now)) return;
    const made = await quoteLapsed(tx, deps, row, now);
    if (made.length > 0) await settleLinks(tx, deps, [row], { touched: true }, now);
  });
}
