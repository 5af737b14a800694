import type { Env } from "#lib/chains/network-data.ts";
import type { PaymentPair } from "#lib/chains/networks.ts";
import { getAvailability } from "#lib/domain/settings/queries.ts";
import { getMinimumAmount } from "#lib/domain/settings/rules.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import {
  listPaymentTotals,
  listUnsettledPayments,
  type UnsettledPayment,
  type UnsettledPosition,
} from "../payment-queries.ts";
import { listQuotesValidSince } from "../quote-queries.ts";
import { draftQuote } from "../quote-rules.ts";
import { listLinkRefunds } from "../refund-queries.ts";
import { countingRefunds, seenPayments } from "../refund-rules.ts";
import { payTermsOf } from "../rules.ts";
import { clearDroppedQuotes, insertQuotes, type PaymentChange, upsertPayments } from "../store.ts";
import type { LinkRow, LinkServices, NewQuoteRow } from "../types.ts";
import { EXACT_MATCH_MS, type QuoteTerms, valuedPayments } from "../valuation-rules.ts";
import { groupByLink } from "../view/snapshot.ts";
import { LinkValuation } from "./assign-quote.ts";

/** Payments that are valued with one set of statements. Between two of them the process does other work. */
const PAYMENTS_AT_ONCE = 1_000;

/** A stored quote, or a draft whose id is negative until it is stored. */
interface Candidate extends QuoteTerms, PaymentPair {
  id: number;
  readonly minimumReceive: bigint;
}

/** A link and the valuation of its payments. */
interface OpenValuation {
  readonly row: LinkRow;
  readonly valuation: LinkValuation<Candidate>;
}

/** A part of a payment and the quote that values it. null: none yet. */
interface Chosen {
  readonly payment: UnsettledPayment;
  readonly minimum: bigint;
  readonly quote: Candidate | null;
}

/** Quotes that a page of payments needs, and that are not stored yet. */
type Drafts = { readonly candidate: Candidate; readonly draft: NewQuoteRow }[];

/**
 * Records the payments of these links that are not recorded yet. Assigns a quote to every payment without one, and
 * creates a quote where none fits (docs/decisions.md, Valuation). Dropped payments get none until they return, and lose the
 * one that they had unless only a reorg dropped them. Payments
 * without a rate get none yet. Reads only payments that still wait for this. Returns the ids of the links with a payment
 * that was recorded or valued.
 */
export async function valuePayments(
  tx: Tx,
  deps: LinkServices,
  links: readonly LinkRow[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const ids = links.map(({ link }) => link.id);
  await clearDroppedQuotes(tx, ids);
  const changed = new Set<number>();
  const getMinimum = createMinimumLookup(tx, links);
  let valuations: ReadonlyMap<number, OpenValuation> | null = null;
  for (let after: UnsettledPosition | null = null; ; ) {
    const page: UnsettledPayment[] = await listUnsettledPayments(tx, ids, {
      after,
      limit: PAYMENTS_AT_ONCE,
      now,
    });
    const [first] = page;
    if (!first) return changed;
    valuations ??= await openValuations(tx, links, new Date(first.seenAt), now);
    const drafts: Drafts = [];
    const chosen: Chosen[] = [];
    for (const payment of page) {
      const valuation = valuations.get(payment.linkId);
      if (!valuation) continue;
      const minimum = await getMinimum(payment);
      const quote = valueOne(deps, valuation, { payment, minimum, drafts, now });
      if (quote || !payment.recorded) chosen.push({ payment, minimum, quote });
    }
    await insertDrafts(tx, drafts);
    const changes = composeChanges(chosen);
    await upsertPayments(tx, changes);
    for (const { linkId } of changes) changed.add(linkId);
    after = page.at(-1) ?? null;
    if (page.length < PAYMENTS_AT_ONCE) return changed;
  }
}

/**
 * Returns a function that reads the operator's minimum of now for a payment: at most one query per environment. The
 * minimum of the payment's quote replaces it, if it gets a quote.
 */
function createMinimumLookup(tx: Tx, links: readonly LinkRow[]) {
  const envs = new Map(links.map(({ link }) => [link.id, link.env]));
  const availability = new Map<Env, Availability>();
  return async ({ linkId, token }: UnsettledPayment): Promise<bigint> => {
    const env = envs.get(linkId) ?? "live";
    const found = availability.get(env) ?? (await getAvailability(tx, env));
    availability.set(env, found);
    return getMinimumAmount(found, token);
  };
}

/** Starts the valuation of each link from what is valued already. `since`: when the earliest payment was first seen. */
async function openValuations(
  tx: Tx,
  links: readonly LinkRow[],
  since: Date,
  now: Date,
): Promise<ReadonlyMap<number, OpenValuation>> {
  const rows = links.map(({ link }) => link);
  const totals = groupByLink(await listPaymentTotals(tx, rows));
  const refunds = groupByLink(
    await listLinkRefunds(
      tx,
      rows.map(({ id }) => id),
    ),
  );
  const stored = await listQuotesValidSince(
    tx,
    rows.map(({ id }) => id),
    new Date(since.getTime() - EXACT_MATCH_MS),
  );
  const quotesById = Map.groupBy(stored, ({ paymentLinkId }) => paymentLinkId);
  return new Map(
    links.map((row) => {
      const { id } = row.link;
      const given = countingRefunds(refunds.get(id) ?? [], now);
      const valued = seenPayments(totals.get(id) ?? [], given);
      const quotes = quotesById.get(id) ?? [];
      const terms = { quotes, rounding: payTermsOf(row) };
      const valuation = new LinkValuation<Candidate>(terms, valuedPayments(valued), now);
      return [id, { row, valuation }];
    }),
  );
}

/** Chooses the quote of one part. null: dropped, or no rate is available. */
function valueOne(
  deps: LinkServices,
  { row, valuation }: OpenValuation,
  { payment, minimum, drafts, now }: Omit<Chosen, "quote"> & { drafts: Drafts; now: Date },
): Candidate | null {
  const times = { seenAt: new Date(payment.seenAt), observedAt: payment.observedAt };
  return valuation.assign(payment, times, (paidShare) => {
    const draft = draftQuote(deps, row, payment, { paidShare, minimumReceive: minimum, now });
    if (!draft) return null;
    const candidate = { ...draft, id: -1 - drafts.length };
    drafts.push({ candidate, draft });
    return candidate;
  });
}

/** One change for each payment. Call it after insertDrafts. */
function composeChanges(chosen: readonly Chosen[]): PaymentChange[] {
  const changes = new Map<number, PaymentChange>();
  for (const { payment, minimum, quote } of chosen) {
    const { depositId, linkId, early } = payment;
    const known = changes.get(depositId);
    changes.set(depositId, {
      depositId,
      linkId,
      quoteId: early ? null : (quote?.id ?? null),
      earlyQuoteId: early ? (quote?.id ?? null) : (known?.earlyQuoteId ?? null),
      minimumReceive: quote?.minimumReceive ?? minimum,
    });
  }
  return [...changes.values()];
}

/** Stores the drafts and gives their candidates the ids of the stored quotes. */
async function insertDrafts(tx: Tx, drafts: Drafts): Promise<void> {
  const inserted = await insertQuotes(
    tx,
    drafts.map(({ draft }) => draft),
  );
  for (const [i, { candidate }] of drafts.entries()) {
    const id = inserted[i]?.id;
    if (id !== undefined) candidate.id = id;
  }
}
