import type { Env } from "#lib/chains/network-data.ts";
import { findLinkRate, pairsWithoutQuote } from "../quote-rules.ts";
import { acceptsPayment } from "../rules.ts";
import { renewQuotes } from "../settle/renew-quotes.ts";
import type { PaymentLinkDeps, PaymentLinkView } from "../types.ts";
import { composeView } from "./compose-view.ts";
import { readSnapshot } from "./read-payment-links.ts";
import type { LinkSnapshot } from "./snapshot.ts";

/**
 * Views a link from one consistent read. If a selected pair of an unpaid link has no current quote, renews it
 * first. null if there is no such link, or if `owner` does not own it.
 */
export async function viewPaymentLink(
  deps: PaymentLinkDeps,
  refid: string,
  now: Date,
  owner?: { readonly merchantId: number; readonly env: Env },
): Promise<PaymentLinkView | null> {
  let snapshot = await readSnapshot(deps.db, refid, owner);
  if (snapshot && needsQuotes(snapshot, deps, now)) {
    await renewQuotes(deps, refid, now);
    snapshot = await readSnapshot(deps.db, refid, owner);
  }
  return snapshot && composeView(snapshot, deps, now);
}

/** True if a selected pair has no current quote and one can be created. */
function needsQuotes(snapshot: LinkSnapshot, deps: PaymentLinkDeps, now: Date): boolean {
  const { link, wallets, quotes } = snapshot;
  if (!acceptsPayment(link, now)) return false;
  return pairsWithoutQuote(wallets, quotes, now).some(
    ({ token }) => findLinkRate(deps.rates, snapshot, token, now) !== null,
  );
}
