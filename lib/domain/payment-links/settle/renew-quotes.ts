import { getAvailability } from "#lib/domain/settings/queries.ts";
import { getMinimumAmount } from "#lib/domain/settings/rules.ts";
import { oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { listPaymentTotals } from "../payment-queries.ts";
import { listLinkWallets } from "../queries.ts";
import { listQuotesValidSince } from "../quote-queries.ts";
import { draftQuote, pairsWithoutQuote } from "../quote-rules.ts";
import { listLinkRefunds } from "../refund-queries.ts";
import { countingRefunds, seenPayments } from "../refund-rules.ts";
import { acceptsPayment } from "../rules.ts";
import { insertQuotes, lockLink } from "../store.ts";
import type { LinkRow, LinkServices, PaymentLinkDeps, QuoteRow } from "../types.ts";
import { sumShares, valuedPayments } from "../valuation-rules.ts";
import { settleLinks } from "./settle-links.ts";

/** Creates a quote for the missing amount on every selected pair of the locked link that has no current quote. */
export async function renewExpiredQuotes(
  tx: Tx,
  deps: LinkServices,
  row: LinkRow,
  now: Date,
): Promise<QuoteRow[]> {
  const ids = [row.link.id];
  const selected = await listLinkWallets(tx, ids);
  const wallets = pairsWithoutQuote(selected, await listQuotesValidSince(tx, ids, now), now);
  if (wallets.length === 0) return [];
  const refunds = countingRefunds(await listLinkRefunds(tx, ids), now);
  const seen = seenPayments(await listPaymentTotals(tx, [row.link]), refunds);
  const paidShare = sumShares(valuedPayments(seen));
  const availability = await getAvailability(tx, row.link.env);
  const drafts = wallets.flatMap((wallet) => {
    const minimumReceive = getMinimumAmount(availability, wallet.token);
    return draftQuote(deps, row, wallet, { paidShare, minimumReceive, now }) ?? [];
  });
  return insertQuotes(tx, drafts);
}

/** The renewals of this process that have not ended, by the link's refid. */
const renewals = oncePerDatabase(() => new Map<string, Promise<void>>());

/**
 * Renews the expired quotes of a link. A call during another one for the link waits for that one and keeps no connection: anyone can
 * open a page as often as they like. If two processes do it, the second finds nothing to renew.
 */
export function renewQuotes(deps: PaymentLinkDeps, refid: string, now: Date): Promise<void> {
  const running = renewals(deps.db);
  const before = running.get(refid);
  if (before !== undefined) return before;
  const renewal = renewInTransaction(deps, refid, now).finally(() => running.delete(refid));
  running.set(refid, renewal);
  return renewal;
}

async function renewInTransaction(deps: PaymentLinkDeps, refid: string, now: Date): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const row = await lockLink(tx, refid);
    if (!row || !acceptsPayment(row.link, now)) return;
    const created = await renewExpiredQuotes(tx, deps, row, now);
    if (created.length > 0) await settleLinks(tx, deps, [row], { visible: true, now });
  });
}
