import type { Tx } from "#lib/platform/db/connection.ts";
import { draftQuote } from "../draft-quote.ts";
import {
  insertQuotes,
  type LinkRow,
  type LinkWalletRow,
  listLinkPayments,
  listLinkWallets,
  listQuotesValidSince,
  lockLink,
  type QuoteRow,
} from "../store.ts";
import type { PaymentLinkDeps } from "../types.ts";
import { isQuoteCurrent, sumShares } from "../valuation-rules.ts";
import { acceptsPayment } from "../view/compose-view.ts";
import type { LinkSnapshot } from "../view/snapshot.ts";
import { settleLinks } from "./settle-links.ts";
import { valuedPayment } from "./value-payments.ts";

function lapsed(wallets: readonly LinkWalletRow[], quotes: readonly QuoteRow[], now: Date): LinkWalletRow[] {
  return wallets.filter(
    ({ network }) => !quotes.some((quote) => quote.network === network && isQuoteCurrent(quote, now)),
  );
}

/** True when a reader at `now` should be shown a quote that does not exist yet, and one can be made. */
export function needsQuotes(snapshot: LinkSnapshot, deps: PaymentLinkDeps, now: Date): boolean {
  const { link, wallets, quotes } = snapshot;
  return (
    acceptsPayment(link, now) &&
    lapsed(wallets, quotes, now).some(
      (wallet) => draftQuote(deps, snapshot, wallet, sumShares([]), now) !== null,
    )
  );
}

/** Makes a quote, remainder included, for every picked network of the locked link that has no live one. */
export async function renewExpiredQuotes(
  tx: Tx,
  deps: PaymentLinkDeps,
  row: LinkRow,
  now: Date,
): Promise<QuoteRow[]> {
  const ids = [row.link.id];
  const wallets = lapsed(await listLinkWallets(tx, ids), await listQuotesValidSince(tx, ids, now), now);
  if (wallets.length === 0) return [];
  const seen = (await listLinkPayments(tx, ids)).filter(({ status }) => status !== 2);
  const sum = sumShares(seen.flatMap((payment) => valuedPayment(payment) ?? []));
  return insertQuotes(
    tx,
    wallets.flatMap((wallet) => draftQuote(deps, row, wallet, sum, now) ?? []),
  );
}

/** Renews what has lapsed; of two at once the second finds it done. */
export async function renewQuotes(deps: PaymentLinkDeps, refid: string, now: Date): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const row = await lockLink(tx, refid);
    if (!row || !acceptsPayment(row.link, now)) return;
    const made = await renewExpiredQuotes(tx, deps, row, now);
    if (made.length > 0) await settleLinks(tx, deps, [row], { touched: true }, now);
  });
}
