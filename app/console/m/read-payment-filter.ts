import type { Env } from "#lib/chains/network-data.ts";
import { findLinkPair } from "#lib/chains/networks.ts";
import { readSearchedAmount } from "#lib/domain/payment-links/search/search-text.ts";
import type { AmountRange, LinkSeller } from "#lib/domain/payment-links/types.ts";
import { LINK_STATES, type LinkState } from "#lib/domain/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { dayAfter, startOfDay } from "#lib/platform/time-zone.ts";
import { readDay } from "./read-day.ts";

/** The choice of the list of payments, as its URL says it. null: everything. */
export interface PaymentFilter {
  readonly state: LinkState | null;
  readonly search: string | null;
  /** The pair that completed the link, by its code. */
  readonly pair: string | null;
  /** The currency of a range of amounts. null without a range. */
  readonly currency: CurrencyCode | null;
  /** Decimal texts in this currency. Both ends are included. */
  readonly least: string | null;
  readonly most: string | null;
  /** The form or device that made the link: "form-12", "device-3". */
  readonly by: string | null;
  /** Days in the merchant's time zone. The last one is included. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Reads a filter from a URL. A text that is no value of it is not a filter. */
export function readPaymentFilter(read: (name: string) => unknown): PaymentFilter {
  const text = read("search");
  const search = typeof text === "string" ? text.trim() : "";
  const pair = read("pair");
  const by = read("by");
  return {
    state: LINK_STATES.find((state) => state === read("state")) ?? null,
    search: search === "" ? null : search,
    pair: typeof pair === "string" && findLinkPair(pair) !== null ? pair : null,
    ...readAmounts(read),
    by: typeof by === "string" && readSeller(by) !== null ? by : null,
    from: readDay(read("from")),
    to: readDay(read("to")),
  };
}

/** A currency without an amount is no filter: a form always posts one. */
function readAmounts(read: (name: string) => unknown): Pick<PaymentFilter, "currency" | "least" | "most"> {
  const code = read("currency");
  const none = { currency: null, least: null, most: null };
  if (typeof code !== "string" || !isCurrencyCode(code)) return none;
  const amount = (name: "least" | "most") => {
    const typed = read(name);
    const units = typeof typed === "string" ? readSearchedAmount(typed, CURRENCIES[code]) : null;
    return units === null ? null : formatAmount(units, CURRENCIES[code]);
  };
  const [least, most] = [amount("least"), amount("most")];
  return least === null && most === null ? none : { currency: code, least, most };
}

/** True if an amount was typed that cannot be read, so that it is no filter. */
export const isAmountUnread = (read: (name: string) => unknown, filter: PaymentFilter): boolean =>
  (["least", "most"] as const).some((name) => {
    const typed = read(name);
    return typeof typed === "string" && typed.trim() !== "" && filter[name] === null;
  });

function readSeller(by: string): LinkSeller | null {
  const [, kind, id] = /^(form|device)-([1-9][0-9]{0,14})$/.exec(by) ?? [];
  return kind === undefined ? null : { kind: kind as LinkSeller["kind"], id: Number(id) };
}

/** The days of a filter as instants of a time zone: the end is excluded. */
export function readRange({ from, to }: Pick<PaymentFilter, "from" | "to">, timeZone: string) {
  return {
    from: from === null ? null : startOfDay(timeZone, from),
    to: to === null ? null : startOfDay(timeZone, dayAfter(to)),
  };
}

function amountOf({ currency, least, most }: PaymentFilter): AmountRange | null {
  if (currency === null) return null;
  const units = (text: string | null) =>
    text === null ? null : readSearchedAmount(text, CURRENCIES[currency]);
  return { currency, least: units(least), most: units(most) };
}

/** A merchant in an environment, and the time zone of its days. */
export interface FilterOwner {
  readonly merchantId: number;
  readonly env: Env;
  readonly timeZone: string;
}

/** The links of a filter. */
export function linksOf({ timeZone, ...owner }: FilterOwner, filter: PaymentFilter) {
  const { state, pair, by } = filter;
  const paidBy = pair === null ? null : findLinkPair(pair);
  const seller = by === null ? null : readSeller(by);
  const created = readRange(filter, timeZone);
  return { ...owner, state, paymentReference: null, paidBy, amount: amountOf(filter), seller, created };
}

/** A filter as the query of a URL. */
export function filterQuery(
  filter: PaymentFilter,
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const set = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams({ ...Object.fromEntries(set), ...more });
}
