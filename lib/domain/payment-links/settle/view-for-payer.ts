import type { Env } from "#lib/chains/network-data.ts";
import { defineProgramVerb } from "#lib/domain/authority/define-verb.ts";
import { findLinkRate, pairsWithoutQuote } from "../quote-rules.ts";
import { acceptsPayment } from "../rules.ts";
import type { PaymentLinkDeps, PaymentLinkView } from "../types.ts";
import { composeView } from "../view/compose-view.ts";
import { readSnapshot } from "../view/read-payment-links.ts";
import type { LinkSnapshot } from "../view/snapshot.ts";
import { renewQuotes } from "./renew-quotes.ts";

/**
 * Views a link for a payer, who is to pay the amounts that it shows: renews first the quotes of an unpaid link that ran out.
 * Returns null if there is no such link, or if `owner` does not own it.
 */
export async function viewForPayer(
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

type Quoted =
  | { readonly ok: true; readonly link: PaymentLinkView }
  | { readonly ok: false; readonly reason: "link_not_found" };

/** The same for a program that shows the amounts to its payers itself. The quotes are the record. */
export const quoteLink = defineProgramVerb(
  "link.quote",
  async (
    { now, merchantId, env },
    { deps, refid }: { readonly deps: PaymentLinkDeps; readonly refid: string },
  ): Promise<Quoted> => {
    const link = await viewForPayer(deps, refid, now, { merchantId, env });
    return link === null ? { ok: false, reason: "link_not_found" } : { ok: true, link };
  },
);
