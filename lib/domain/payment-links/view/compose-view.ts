import { findNetworkToken } from "#lib/chains/network-data.ts";
import { isNetworkCode, NETWORKS, PAYMENT_PAIRS } from "#lib/chains/networks.ts";
import { getMinimumAmount, isAvailable } from "#lib/domain/settings/rules.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import { type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { formatFraction } from "#lib/platform/money/fraction.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { findQuoteRate, type RateTerms } from "../quote-rules.ts";
import { hasFailed, isLate, isPaid, isUnpaid, isUnwatched } from "../settle/state-rules.ts";
import { valuedPayment } from "../settle/value-payments.ts";
import type { LinkRow, LinkWalletRow, PaymentRow, PaymentTotal, QuoteRow } from "../store.ts";
import type {
  LinkReason,
  LinkState,
  MerchantBranding,
  NetworkToken,
  PaymentLinkDeps,
  PaymentLinkSummary,
  PaymentLinkView,
  PaymentView,
  QuoteView,
  TokenAmount,
} from "../types.ts";
import {
  amountToAsk,
  computeQuoteAmount,
  evaluateTotal,
  excessAmount,
  isQuoteCurrent,
  isReceivable,
  linkShare,
  sumShares,
} from "../valuation-rules.ts";
import type { LinkSnapshot } from "./snapshot.ts";

export function parseCurrency(code: string): CurrencyCode {
  if (!isCurrencyCode(code)) throw new Error(`currency no longer known: ${code}`);
  return code;
}

/** Is a link of this state still to be paid, so that quotes are kept fresh for it and networks may be picked? */
export function acceptsPayment(link: { state: string; expiresAt: Date }, now: Date): boolean {
  return isUnpaid(link.state) && now < link.expiresAt;
}

/** Why a pair can be picked for this amount, or cannot. */
export function receivability(
  deps: PaymentLinkDeps,
  openings: Availability,
  terms: RateTerms,
  link: { env: "live" | "test"; amount: bigint; currency: CurrencyCode },
  pair: { network: string; token: NetworkToken["token"] },
  now: Date,
): "off" | "no_rate" | "too_small" | "receivable" {
  const adapter = deps.networks.find(link.env, pair.network);
  if (
    !adapter ||
    findNetworkToken(adapter.data, link.env, pair.token) === null ||
    !isAvailable(openings, pair)
  )
    return "off";
  const rate = findQuoteRate(deps.rates, terms, pair.token, link.currency, now);
  if (!rate) return "no_rate";
  const whole = computeQuoteAmount(link.amount, link.currency, rate.price, pair.token);
  return isReceivable(whole, pair.token, getMinimumAmount(openings, pair.token)) ? "receivable" : "too_small";
}

/** Every pair of docs/service-interface.md whose network has an adapter. */
export const ADAPTER_PAIRS: readonly NetworkToken[] = PAYMENT_PAIRS.flatMap(({ network, token }) =>
  isNetworkCode(network) ? { network, token } : [],
);

function offeredPairs(snapshot: LinkSnapshot, deps: PaymentLinkDeps, now: Date): NetworkToken[] {
  const { link, merchant, wallets, availability } = snapshot;
  const terms = { ...link, currency: parseCurrency(link.currency) };
  return ADAPTER_PAIRS.filter(({ network, token }) => {
    const picked = wallets.find((wallet) => wallet.network === network);
    if (picked) return picked.token === token;
    if (availability === null || !acceptsPayment(link, now)) return false;
    return receivability(deps, availability, merchant, terms, { network, token }, now) === "receivable";
  });
}

/** Newest quote of each picked network first, in the order picked; the former ones after them, newest first. */
function orderQuotes({ wallets, quotes }: LinkSnapshot): { newest: QuoteRow[]; former: QuoteRow[] } {
  const newest = wallets.flatMap(({ network }) => quotes.find((quote) => quote.network === network) ?? []);
  return { newest, former: quotes.filter((quote) => !newest.includes(quote)) };
}

const partsOf = (money: readonly PaymentTotal[]) => money.flatMap((row) => valuedPayment(row) ?? []);

function remaining(snapshot: LinkSnapshot, newest: readonly QuoteRow[], now: Date): TokenAmount[] {
  const { link, merchant } = snapshot;
  const missing = hasFailed(link.state as LinkState) && link.reason === "underpaid";
  if (!missing && !acceptsPayment(link, now)) return [];
  const seen = snapshot.totals.filter(({ status }) => status !== 2);
  const unvalued = seen.some(
    (row) => row.fullAmount === null && row.amount >= TOKENS[row.token].minimumReceive,
  );
  const tolerance = { underBps: merchant.toleranceUnderBps, overBps: merchant.toleranceOverBps };
  // What is missing cannot be said while something is paid that nobody can value.
  if (unvalued || evaluateTotal(partsOf(seen), tolerance).paid) return [];
  const sum = sumShares(partsOf(seen));
  return newest
    .filter((quote) => missing || isQuoteCurrent(quote, now))
    .map(({ network, token, amount }) => ({ network, token, amount: amountToAsk(amount, sum, token) }));
}

/** Told once, in the token of the last payment that counted: several networks are not several refunds. */
function excess({ link, totals }: LinkSnapshot): TokenAmount[] {
  const counted = totals.filter(({ announced }) => announced === "completed");
  const last = counted.reduce<PaymentTotal | null>((a, b) => (a && a.depositId > b.depositId ? a : b), null);
  if (link.state !== "overpaid" || !last?.fullAmount) return [];
  const { network, token, fullAmount } = last;
  const amount = excessAmount(fullAmount, sumShares(partsOf(counted)), token);
  return amount > 0n ? [{ network, token, amount }] : [];
}

function paymentView(row: PaymentRow, address: string, deadline: Date): PaymentView {
  const { network, token, txHash, position, amount, status, firstSeenAt, confirmedAt } = row;
  const { confirmations, requiredConfirmations, rate: price, rateSource: source, rateAt: at } = row;
  const part = valuedPayment(row);
  return {
    ...{ network, token, address, txHash, position, amount },
    worth: part && formatFraction(linkShare(part), 18),
    rate: price !== null && source !== null && at !== null ? { price, source, at } : null,
    ...{ confirmations, requiredConfirmations, status },
    late: isLate(firstSeenAt, deadline),
    ...{ firstSeenAt, confirmedAt },
  };
}

/** What a list tells of a link. `wallets` are its own. */
export function composeSummary(
  { link, merchant }: Pick<LinkRow, "link"> & { merchant: { name: string } },
  wallets: readonly Pick<LinkWalletRow, "network" | "token" | "address">[],
  { networks, settings }: Pick<PaymentLinkDeps, "networks" | "settings">,
): PaymentLinkSummary {
  return {
    id: link.id,
    refid: link.refid,
    merchantId: link.merchantId,
    merchantName: merchant.name,
    env: link.env,
    paymentReference: link.paymentReference,
    paymentLink: `${settings.paymentUrl}/${link.refid}`,
    walletPreGenerated: link.walletPreGenerated,
    amount: link.amount,
    currency: parseCurrency(link.currency),
    expiresAt: link.expiresAt,
    customer: {
      email: link.customerEmail,
      firstName: link.customerFirstName,
      lastName: link.customerLastName,
      phone: link.customerPhone,
    },
    metadata: link.metadata,
    successUrl: link.successUrl,
    cancelUrl: link.cancelUrl,
    state: link.state as LinkState,
    reason: link.reason as LinkReason | null,
    late: link.late,
    version: link.version,
    seq: link.seq,
    createdAt: link.createdAt,
    completedAt: link.completedAt,
    wallets: wallets.map(({ network, token, address }) => ({
      ...{ network, token },
      address: networks.find(link.env, network)?.displayAddress(address) ?? address,
    })),
  };
}

function faceOf({ merchant: { logo, accent, support } }: LinkSnapshot): MerchantBranding {
  return { logo, accent, support };
}

/** What a reader is told of a link. Payments are in the order they came. */
export function composeView(snapshot: LinkSnapshot, deps: PaymentLinkDeps, now: Date): PaymentLinkView {
  const { link, wallets } = snapshot;
  const state = link.state as LinkState;
  const shown = (network: string, canonical: string) =>
    deps.networks.find(link.env, network)?.displayAddress(canonical) ?? canonical;
  const addressOf = new Map(wallets.map(({ network, address }) => [network, shown(network, address)]));
  const { newest, former } = orderQuotes(snapshot);
  const seen = sumShares(partsOf(snapshot.totals.filter(({ status }) => status !== 2)));
  const quoteView = (quote: QuoteRow): QuoteView => {
    const { network, token, amount, rate, rateSource, rateAt, validUntil } = quote;
    const live = newest.includes(quote) && acceptsPayment(link, now) && isQuoteCurrent(quote, now);
    const address = addressOf.get(network) ?? "";
    const asked = amountToAsk(amount, seen, token);
    return { network, token, address, amount, asked, rate, rateSource, rateAt, validUntil, live };
  };
  return {
    ...composeSummary(snapshot, wallets, deps),
    branding: faceOf(snapshot),
    quotes: [...newest, ...former].map(quoteView),
    payments: snapshot.payments
      .map((row) => paymentView(row, shown(row.network, row.address), link.expiresAt))
      .reverse(),
    remaining: remaining(snapshot, newest, now),
    excess: excess(snapshot),
    checking: !isPaid(state) && !hasFailed(state) && state !== "detected" && now >= link.expiresAt,
    selectablePairs: offeredPairs(snapshot, deps, now),
    unwatched: wallets
      .filter((wallet) => isUnwatched(wallet, NETWORKS[wallet.network].pollMs, now))
      .map(({ network }) => network),
  };
}
