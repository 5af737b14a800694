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
  type QuoteTerms,
  ShareSum,
  valuedPayment,
} from "../valuation-rules.ts";
import { groupByLink } from "../view/snapshot.ts";
import { QuoteWindow } from "./quote-window.ts";

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
function seenAt(payment: PaymentRow, wallets: readonly LinkWalletRow[] = []): Date {
  const wallet = wallets.find(({ network }) => network === payment.network);
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
  const { links } = facts;
  const wallets = groupByLink(facts.wallets);
  const payments = await addMinimums(tx, links, facts.payments);
  const unvalued = payments
    .filter(({ quoteId, status }) => quoteId === null && status !== 2)
    .map((payment) => ({ payment, seen: seenAt(payment, wallets.get(payment.linkId)) }))
    .sort((a, b) => a.seen.getTime() - b.seen.getTime() || a.payment.depositId - b.payment.depositId);
  const first = unvalued[0];
  if (!first) return payments;
  const unvaluedById = Map.groupBy(unvalued, ({ payment }) => payment.linkId);
  const quotes = await listQuotesValidSince(tx, [...unvaluedById.keys()], new Date(first.seen.getTime() - EXACT_MATCH_MS));
  const candidates: Candidate[] = quotes.map((quote) => ({
    ...quote,
    linkId: quote.paymentLinkId,
    draft: null,
  }));
  const chosen = new Map<number, Candidate>();
  const seenById = groupByLink(payments.filter(({ status }) => status !== 2));
  for (const row of links) {
    const { id } = row.link;
    const ofLink = { seen: seenById.get(id) ?? [], unvalued: unvaluedById.get(id) ?? [] };
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
  payments: { readonly seen: readonly ValuedRow[]; readonly unvalued: readonly UnvaluedPayment[] },
  {
    candidates,
    chosen,
    now,
  }: { readonly candidates: Candidate[]; readonly chosen: Map<number, Candidate>; readonly now: Date },
): void {
  const paid = new ShareSum();
  for (const payment of payments.seen) {
    const valued = valuedPayment(payment);
    if (valued) paid.add(valued);
  }
  const quotes = new QuoteWindow(
    candidates.filter(({ linkId }) => linkId === row.link.id),
    now,
  );
  const withoutRate = new Set<string>();
  for (const { payment, seen } of payments.unvalued) {
    const { amount, token, network, linkId, minimumReceive } = payment;
    const paidShare = paid.share;
    let quote =
      chooseQuote({ amount, token, seenAt: seen }, quotes.near(network, seen), paidShare) ??
      quotes.current(network);
    if (!quote) {
      if (withoutRate.has(network)) continue;
      const draft = draftQuote(deps, row, { network, token }, { paidShare, minimumReceive, now });
      if (!draft) {
        withoutRate.add(network);
        continue;
      }
      quote = { ...draft, id: -1 - candidates.length, linkId, draft };
      candidates.push(quote);
      quotes.add(quote);
    }
    chosen.set(payment.depositId, quote);
    paid.add({ amount, fullAmount: quote.amount, token });
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
