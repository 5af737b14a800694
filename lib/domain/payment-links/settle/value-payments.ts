import type { Tx } from "#lib/platform/db/connection.ts";
import { draftQuote } from "../draft-quote.ts";
import {
  insertQuotes,
  type LinkRow,
  type LinkWalletRow,
  listQuotesValidSince,
  type NewQuoteRow,
  type PaymentRow,
} from "../store.ts";
import type { PaymentLinkDeps } from "../types.ts";
import {
  chooseQuote,
  EXACT_MATCH_MS,
  isQuoteCurrent,
  type QuoteTerms,
  sumShares,
  type ValuedPayment,
} from "../valuation-rules.ts";

/** A quote that a payment may take: one of the database, or one made now that gets its id when it is inserted. */
interface Candidate extends QuoteTerms {
  readonly linkId: number;
  readonly network: string;
  readonly draft: NewQuoteRow | null;
}

/** Our sight of a payment: never before its address was handed out, whatever the block's clock says. */
function seenAt(payment: PaymentRow, wallets: readonly LinkWalletRow[]): Date {
  const wallet = wallets.find(
    ({ linkId, network }) => linkId === payment.linkId && network === payment.network,
  );
  return wallet && wallet.createdAt > payment.firstSeenAt ? wallet.createdAt : payment.firstSeenAt;
}

export function valuedPayment(
  payment: Pick<PaymentRow, "amount" | "fullAmount" | "token">,
): ValuedPayment | null {
  const { amount, fullAmount, token } = payment;
  return fullAmount === null ? null : { amount, fullAmount, token };
}

/**
 * Gives every payment that has none the quote that values it, making one where none fits (docs/decisions.md,
 * Valuation). Dropped payments wait until they come back; so do those whose rate is not to be had. Returns all payments.
 */
export async function valuePayments(
  tx: Tx,
  deps: PaymentLinkDeps,
  links: readonly LinkRow[],
  wallets: readonly LinkWalletRow[],
  payments: readonly PaymentRow[],
  now: Date,
): Promise<PaymentRow[]> {
  const waiting = payments
    .filter(({ quoteId, status }) => quoteId === null && status !== 2)
    .map((payment) => ({ payment, seen: seenAt(payment, wallets) }))
    .sort((a, b) => a.seen.getTime() - b.seen.getTime() || a.payment.depositId - b.payment.depositId);
  const first = waiting[0];
  if (!first) return [...payments];
  const linkIds = [...new Set(waiting.map(({ payment }) => payment.linkId))];
  const candidates: Candidate[] = (
    await listQuotesValidSince(tx, linkIds, new Date(first.seen.getTime() - EXACT_MATCH_MS))
  ).map((quote) => ({ ...quote, linkId: quote.paymentLinkId, draft: null }));

  const chosen = new Map<number, Candidate>();
  for (const link of links) {
    const parts = payments.flatMap(
      (p) => (p.linkId === link.link.id && p.status !== 2 && valuedPayment(p)) || [],
    );
    for (const { payment, seen } of waiting.filter(({ payment }) => payment.linkId === link.link.id)) {
      const { amount, token, network, linkId } = payment;
      const fitting = candidates.filter((quote) => quote.linkId === linkId && quote.network === network);
      let quote =
        chooseQuote({ amount, token, seenAt: seen }, fitting, sumShares(parts)) ??
        fitting.find((candidate) => isQuoteCurrent(candidate, now));
      if (!quote) {
        const draft = draftQuote(deps, link, { network, token }, sumShares(parts), now);
        if (!draft) continue;
        quote = { ...draft, id: -1 - candidates.length, linkId, draft };
        candidates.push(quote);
      }
      chosen.set(payment.depositId, quote);
      parts.push({ amount, fullAmount: quote.amount, token });
    }
  }
  const drafts = candidates.filter(({ draft }) => draft !== null);
  const inserted = await insertQuotes(
    tx,
    drafts.flatMap(({ draft }) => draft ?? []),
  );
  const ids = new Map(drafts.map((candidate, i) => [candidate, inserted[i]?.id]));
  return payments.map((payment) => {
    const quote = chosen.get(payment.depositId);
    return quote ? { ...payment, quoteId: ids.get(quote) ?? quote.id, fullAmount: quote.amount } : payment;
  });
}
