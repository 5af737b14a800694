import type { Env } from "#lib/chains/network-data.ts";
import { findLinkPair } from "#lib/chains/networks.ts";
import { MAX_SEARCH } from "#lib/domain/payment-links/search/search-text.ts";
import { LINK_STATES, type LinkState } from "#lib/domain/types.ts";
import { readDay } from "./read-day.ts";

const DAY_MS = 86_400_000;

/** The choice of the list of payments, as its URL says it. null: everything. */
export interface PaymentFilter {
  readonly state: LinkState | null;
  readonly search: string | null;
  /** The pair that completed the link, by its code. */
  readonly pair: string | null;
  /** Days in UTC. The last one is included. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Reads a filter from a URL. A text that is no value of it is not a filter. */
export function readPaymentFilter(read: (name: string) => unknown): PaymentFilter {
  const text = read("search");
  const search = typeof text === "string" ? text.trim().slice(0, MAX_SEARCH) : "";
  const pair = read("pair");
  return {
    state: LINK_STATES.find((state) => state === read("state")) ?? null,
    search: search === "" ? null : search,
    pair: typeof pair === "string" && findLinkPair(pair) !== null ? pair : null,
    from: readDay(read("from")),
    to: readDay(read("to")),
  };
}

/** The days of a filter as instants: the end is excluded. */
export function readRange({ from, to }: Pick<PaymentFilter, "from" | "to">) {
  return {
    from: from === null ? null : new Date(from),
    to: to === null ? null : new Date(Date.parse(to) + DAY_MS),
  };
}

/** The links of a filter. */
export function linksOf(owner: { readonly merchantId: number; readonly env: Env }, filter: PaymentFilter) {
  const { state, pair } = filter;
  const paidBy = pair === null ? null : findLinkPair(pair);
  return { ...owner, state, paymentReference: null, paidBy, created: readRange(filter) };
}

/** A filter as the query of a URL. */
export function filterQuery(
  filter: PaymentFilter,
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const set = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams({ ...Object.fromEntries(set), ...more });
}
