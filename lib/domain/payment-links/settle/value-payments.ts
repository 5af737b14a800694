import type { Env } from "#lib/chains/network-data.ts";
import { getAvailability } from "#lib/domain/settings/queries.ts";
import { getMinimumAmount } from "#lib/domain/settings/rules.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { type LinkWalletRow, listQuotesValidSince, type PaymentRow } from "../queries.ts";
import { draftQuote } from "../quote-rules.ts";
import { insertQuotes } from "../store.ts";
import type { LinkRow, NewQuoteRow, PaymentLinkDeps } from "../types.ts";
import {
  chooseQuote,
  EXACT_MATCH_MS,
  isQuoteCurrent,
  type QuoteTerms,
  sumShares,
  valuedPayments,
} from "../valuation-rules.ts";

/** A payment with the minimum that it is evaluated with. */
export interface ValuedRow extends PaymentRow {
  readonly minimumReceive: bigint;
}

/** A stored quote, or a draft that gets its id on insertion. */
interface Candidate extends QuoteTerms {
  readonly minimumReceive: bigint;
  readonly linkId: number;
  readonly network: string;
  readonly draft: NewQuoteRow | null;
}

interface UnvaluedPayment {
  readonly payment: ValuedRow;
  readonly seen: Date;
}

/** Timestamp of the payment for its valuation: never before its address was allocated, whatever the block's clock says. */
function seenAt(payment: PaymentRow, wallets: readonly LinkWalletRow[]): Date {
  const wallet = wallets.find(
    ({ linkId, network }) => linkId === payment.linkId && network === payment.network,
  );
  return wallet && wallet.createdAt > payment.firstSeenAt ? wallet.createdAt : payment.firstSeenAt;
}

/**
 * Gives payments that are not recorded yet the operator's minimum of now. Their quote's minimum replaces it, if they get
 * a quote. At most one query per environment, none if all are recorded.
 */
async function addMinimums(
  tx: Tx,
  links: readonly LinkRow[],
  payments: readonly PaymentRow[],
): Promise<ValuedRow[]> {
  const envs = new Map(links.map(({ link }) => [link.id, link.env]));
  const availability = new Map<Env, Availability>();
  const rows: ValuedRow[] = [];
  for (const payment of payments) {
    let { minimumReceive } = payment;
    if (minimumReceive === null) {
      const env = envs.get(payment.linkId) ?? "live";
      const found = availability.get(env) ?? (await getAvailability(tx, env));
      availability.set(env, found);
      minimumReceive = getMinimumAmount(found, payment.token);
    }
    rows.push({ ...payment, minimumReceive });
  }
  return rows;
}

/**
 * Assigns a quote to every payment without one, and creates a quote where none fits (docs/decisions.md, Valuation).
 * Dropped payments get none until they return. Payments without a rate get none yet. Returns all payments.
 */
export async function valuePayments(
  tx: Tx,
  deps: PaymentLinkDeps,
  facts: {
    readonly links: readonly LinkRow[];
    readonly wallets: readonly LinkWalletRow[];
    readonly payments: readonly PaymentRow[];
  },
  now: Date,
): Promise<ValuedRow[]> {
  const { links, wallets } = facts;
  const payments = await addMinimums(tx, links, facts.payments);
  const unvalued = payments
    .filter(({ quoteId, status }) => quoteId === null && status !== 2)
    .map((payment) => ({ payment, seen: seenAt(payment, wallets) }))
    .sort((a, b) => a.seen.getTime() - b.seen.getTime() || a.payment.depositId - b.payment.depositId);
  const first = unvalued[0];
  if (!first) return payments;
  const linkIds = [...new Set(unvalued.map(({ payment }) => payment.linkId))];
  const quotes = await listQuotesValidSince(tx, linkIds, new Date(first.seen.getTime() - EXACT_MATCH_MS));
  const candidates: Candidate[] = quotes.map((quote) => ({
    ...quote,
    linkId: quote.paymentLinkId,
    draft: null,
  }));
  const chosen = new Map<number, Candidate>();
  for (const row of links) {
    const ofLink = {
      valued: payments.filter(({ linkId, status }) => linkId === row.link.id && status !== 2),
      unvalued: unvalued.filter(({ payment }) => payment.linkId === row.link.id),
    };
    chooseQuotes(deps, row, ofLink, { candidates, chosen, now });
  }
  const ids = await insertDrafts(tx, candidates);
  return payments.map((payment) => {
    const quote = chosen.get(payment.depositId);
    if (!quote) return payment;
    // A recorded payment keeps its minimum, so that a later quote does not undo what it has changed.
    const minimumReceive = payment.recorded ? payment.minimumReceive : quote.minimumReceive;
    return { ...payment, quoteId: ids.get(quote) ?? quote.id, fullAmount: quote.amount, minimumReceive };
  });
}

/** Chooses a quote for each unvalued payment of one link, in order. Adds drafts to `candidates`. */
function chooseQuotes(
  deps: PaymentLinkDeps,
  row: LinkRow,
  payments: { readonly valued: readonly ValuedRow[]; readonly unvalued: readonly UnvaluedPayment[] },
  {
    candidates,
    chosen,
    now,
  }: { readonly candidates: Candidate[]; readonly chosen: Map<number, Candidate>; readonly now: Date },
): void {
  const valued = valuedPayments(payments.valued);
  for (const { payment, seen } of payments.unvalued) {
    const { amount, token, network, linkId, minimumReceive } = payment;
    const paidShare = sumShares(valued);
    const fitting = candidates.filter((quote) => quote.linkId === linkId && quote.network === network);
    let quote =
      chooseQuote({ amount, token, seenAt: seen }, fitting, paidShare) ??
      fitting.find((candidate) => isQuoteCurrent(candidate, now));
    if (!quote) {
      const draft = draftQuote(deps, row, { network, token }, { paidShare, minimumReceive, now });
      if (!draft) continue;
      quote = { ...draft, id: -1 - candidates.length, linkId, draft };
      candidates.push(quote);
    }
    chosen.set(payment.depositId, quote);
    valued.push({ amount, fullAmount: quote.amount, token });
  }
}

/** Inserts the drafts among the candidates. Returns the id of each. */
async function insertDrafts(tx: Tx, candidates: readonly Candidate[]): Promise<Map<Candidate, number>> {
  const drafts = candidates.flatMap((candidate) =>
    candidate.draft === null ? [] : [{ candidate, draft: candidate.draft }],
  );
  const inserted = await insertQuotes(
    tx,
    drafts.map(({ draft }) => draft),
  );
  return new Map(
    drafts.flatMap(({ candidate }, i) => {
      const id = inserted[i]?.id;
      return id === undefined ? [] : [[candidate, id]];
    }),
  );
}
