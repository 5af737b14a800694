import { tokenOn } from "#lib/chains/network-data.ts";
import { isNetworkCode, NETWORKS, PAYMENT_PAIRS } from "#lib/chains/networks.ts";
import { isOpen, minimumOf } from "#lib/domain/settings/rules.ts";
import type { Openings } from "#lib/domain/settings/types.ts";
import { type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { toDecimal } from "#lib/platform/money/fraction.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { findRate, type RateTerms } from "./find-rate.ts";
import type { Snapshot } from "./load-snapshot.ts";
import { hasFailed, isLate, isPaid, isStalled, isUnpaid } from "./rules.ts";
import type { LinkRow, MoneyRow, PaymentRow, QuoteRow, WalletRow } from "./store.ts";
import type {
  LinkReason,
  LinkState,
  MerchantFace,
  Pair,
  PaymentLinkDeps,
  PaymentLinkSummary,
  PaymentLinkView,
  PaymentView,
  QuoteView,
  TokenAmount,
} from "./types.ts";
import {
  askedOf,
  excessOf,
  isCurrent,
  isReceivable,
  judge,
  quoteAmount,
  sumOf,
  worthOf,
} from "./valuation-rules.ts";
import { partOf } from "./value-payments.ts";

export function currencyOf(code: string): CurrencyCode {
  if (!isCurrencyCode(code)) throw new Error(`currency no longer known: ${code}`);
  return code;
}

/** Is a link of this state still to be paid, so that quotes are kept fresh for it and networks may be picked? */
export function wantsMoney(link: { state: string; expiresAt: Date }, now: Date): boolean {
  return isUnpaid(link.state) && now < link.expiresAt;
}

/** Why a pair can be picked for this amount, or cannot. */
export function receivability(
  deps: PaymentLinkDeps,
  openings: Openings,
  terms: RateTerms,
  link: { env: "live" | "test"; amount: bigint; currency: CurrencyCode },
  pair: { network: string; token: Pair["token"] },
  now: Date,
): "off" | "no_rate" | "too_small" | "receivable" {
  const adapter = deps.networks.get(link.env, pair.network);
  if (!adapter || tokenOn(adapter.data, link.env, pair.token) === null || !isOpen(openings, pair))
    return "off";
  const rate = findRate(deps.rates, terms, pair.token, link.currency, now);
  if (!rate) return "no_rate";
  const whole = quoteAmount(link.amount, link.currency, rate.price, pair.token);
  return isReceivable(whole, pair.token, minimumOf(openings, pair.token)) ? "receivable" : "too_small";
}

/** Every pair of docs/service-interface.md whose network has an adapter. */
export const KNOWN_PAIRS: readonly Pair[] = PAYMENT_PAIRS.flatMap(({ network, token }) =>
  isNetworkCode(network) ? { network, token } : [],
);

function offeredPairs(snapshot: Snapshot, deps: PaymentLinkDeps, now: Date): Pair[] {
  const { link, merchant, wallets, openings } = snapshot;
  const terms = { ...link, currency: currencyOf(link.currency) };
  return KNOWN_PAIRS.filter(({ network, token }) => {
    const picked = wallets.find((wallet) => wallet.network === network);
    if (picked) return picked.token === token;
    if (openings === null || !wantsMoney(link, now)) return false;
    return receivability(deps, openings, merchant, terms, { network, token }, now) === "receivable";
  });
}

/** Newest quote of each picked network first, in the order picked; the former ones after them, newest first. */
function orderQuotes({ wallets, quotes }: Snapshot): { newest: QuoteRow[]; former: QuoteRow[] } {
  const newest = wallets.flatMap(({ network }) => quotes.find((quote) => quote.network === network) ?? []);
  return { newest, former: quotes.filter((quote) => !newest.includes(quote)) };
}

const partsOf = (money: readonly MoneyRow[]) => money.flatMap((row) => partOf(row) ?? []);

function remaining(snapshot: Snapshot, newest: readonly QuoteRow[], now: Date): TokenAmount[] {
  const { link, merchant } = snapshot;
  const missing = hasFailed(link.state as LinkState) && link.reason === "underpaid";
  if (!missing && !wantsMoney(link, now)) return [];
  const seen = snapshot.money.filter(({ status }) => status !== 2);
  const unvalued = seen.some((row) => row.whole === null && row.amount >= TOKENS[row.token].minimumReceive);
  const tolerance = { underBps: merchant.toleranceUnderBps, overBps: merchant.toleranceOverBps };
  // What is missing cannot be said while something is paid that nobody can value.
  if (unvalued || judge(partsOf(seen), tolerance).paid) return [];
  const sum = sumOf(partsOf(seen));
  return newest
    .filter((quote) => missing || isCurrent(quote, now))
    .map(({ network, token, amount }) => ({ network, token, amount: askedOf(amount, sum, token) }));
}

/** Told once, in the token of the last payment that counted: several networks are not several refunds. */
function excess({ link, money }: Snapshot): TokenAmount[] {
  const counted = money.filter(({ announced }) => announced === "completed");
  const last = counted.reduce<MoneyRow | null>((a, b) => (a && a.depositId > b.depositId ? a : b), null);
  if (link.state !== "overpaid" || !last?.whole) return [];
  const { network, token, whole } = last;
  const amount = excessOf(whole, sumOf(partsOf(counted)), token);
  return amount > 0n ? [{ network, token, amount }] : [];
}

function paymentView(row: PaymentRow, address: string, deadline: Date): PaymentView {
  const { network, token, txHash, position, amount, status, firstSeenAt, confirmedAt } = row;
  const { confirmations, requiredConfirmations, rate: price, rateSource: source, rateAt: at } = row;
  const part = partOf(row);
  return {
    ...{ network, token, address, txHash, position, amount },
    worth: part && toDecimal(worthOf(part), 18),
    rate: price !== null && source !== null && at !== null ? { price, source, at } : null,
    ...{ confirmations, requiredConfirmations, status },
    late: isLate(firstSeenAt, deadline),
    ...{ firstSeenAt, confirmedAt },
  };
}

/** What a list tells of a link. `wallets` are its own. */
export function composeSummary(
  { link, merchant }: Pick<LinkRow, "link"> & { merchant: { name: string } },
  wallets: readonly Pick<WalletRow, "network" | "token" | "address">[],
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
    currency: currencyOf(link.currency),
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
      address: networks.get(link.env, network)?.displayAddress(address) ?? address,
    })),
  };
}

function faceOf({ merchant: { logo, accent, support } }: Snapshot): MerchantFace {
  return { logo, accent, support };
}

/** What a reader is told of a link. Payments are in the order they came. */
export function composeView(snapshot: Snapshot, deps: PaymentLinkDeps, now: Date): PaymentLinkView {
  const { link, wallets } = snapshot;
  const state = link.state as LinkState;
  const shown = (network: string, canonical: string) =>
    deps.networks.get(link.env, network)?.displayAddress(canonical) ?? canonical;
  const addressOf = new Map(wallets.map(({ network, address }) => [network, shown(network, address)]));
  const { newest, former } = orderQuotes(snapshot);
  const seen = sumOf(partsOf(snapshot.money.filter(({ status }) => status !== 2)));
  const quoteView = (quote: QuoteRow): QuoteView => {
    const { network, token, amount, rate, rateSource, rateAt, validUntil } = quote;
    const live = newest.includes(quote) && wantsMoney(link, now) && isCurrent(quote, now);
    const address = addressOf.get(network) ?? "";
    const asked = askedOf(amount, seen, token);
    return { network, token, address, amount, asked, rate, rateSource, rateAt, validUntil, live };
  };
  return {
    ...composeSummary(snapshot, wallets, deps),
    face: faceOf(snapshot),
    quotes: [...newest, ...former].map(quoteView),
    payments: snapshot.payments
      .map((row) => paymentView(row, shown(row.network, row.address), link.expiresAt))
      .reverse(),
    remaining: remaining(snapshot, newest, now),
    excess: excess(snapshot),
    checking: !isPaid(state) && !hasFailed(state) && state !== "detected" && now >= link.expiresAt,
    offered: offeredPairs(snapshot, deps, now),
    stalled: wallets
      .filter((wallet) => isStalled(wallet, NETWORKS[wallet.network].pollMs, now))
      .map(({ network }) => network),
  };
}
