import { isSamePair, NETWORKS, type NetworkCode, pairCode } from "#lib/chains/networks.ts";
import { isUnwatched } from "#lib/domain/network-status/rules.ts";
import { isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { formatFraction } from "#lib/platform/money/fraction.ts";
import { estimateAmounts, listSelectablePairs } from "../availability-rules.ts";
import { coverageOf } from "../invoice-rules.ts";
import { fromStoredItems } from "../order-rules.ts";
import type { PaymentRow } from "../payment-queries.ts";
import type { LinkWalletRow } from "../queries.ts";
import { createQuoteRates } from "../quote-rules.ts";
import { countingRefunds, seenPayments } from "../refund-rules.ts";
import { acceptsPayment, isLate, isUnpaid, payTermsOf } from "../rules.ts";
import type {
  LinkRow,
  LinkServices,
  PaymentLinkSummary,
  PaymentLinkView,
  PaymentView,
  QuoteRow,
  QuoteView,
} from "../types.ts";
import { amountToAsk, isQuoteCurrent, payDecimals, sumShares, valuedPayments } from "../valuation-rules.ts";
import { computeExcess, computeRemaining, sumAmounts } from "./remaining-rules.ts";
import { type LinkSnapshot, splitPayment } from "./snapshot.ts";

/** The newest quote of each selected pair in the order of selection, and the older quotes, newest first. */
function splitQuotes({ wallets, quotes }: LinkSnapshot): { newest: QuoteRow[]; older: QuoteRow[] } {
  const newest = wallets.flatMap((wallet) => quotes.find((quote) => isSamePair(quote, wallet)) ?? []);
  return { newest, older: quotes.filter((quote) => !newest.includes(quote)) };
}

function composePayment(row: PaymentRow, address: string, deadline: Date): PaymentView {
  const { rate: price, rateSource: source, rateAt: at } = row;
  const valued = valuedPayments(splitPayment(row));
  return {
    network: row.network,
    token: row.token,
    address,
    txHash: row.txHash,
    position: row.position,
    amount: row.amount,
    worth: valued.length > 0 ? formatFraction(sumShares(valued), 18) : null,
    rate: price !== null && source !== null && at !== null ? { price, source, at } : null,
    confirmations: row.confirmations,
    requiredConfirmations: row.requiredConfirmations,
    status: row.status,
    late: isLate(row, deadline),
    firstSeenAt: row.firstSeenAt,
    confirmedAt: row.confirmedAt,
  };
}

/** Composes a link for a list. `wallets` are the link's own. */
export function composeSummary(
  { link, merchant }: Pick<LinkRow, "link"> & { merchant: { name: string } },
  wallets: readonly Pick<LinkWalletRow, "network" | "token" | "address">[],
  { networks, settings }: Pick<LinkServices, "networks" | "settings">,
): PaymentLinkSummary {
  // Without this check an amount would be shown with the wrong decimals.
  if (!isCurrencyCode(link.currency)) throw new Error(`Unknown currency of payment link ${link.refid}`);
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
    currency: link.currency,
    expiresAt: link.expiresAt,
    customer: {
      email: link.customerEmail,
      firstName: link.customerFirstName,
      lastName: link.customerLastName,
      phone: link.customerPhone,
    },
    metadata: link.metadata,
    description: link.description,
    successUrl: link.successUrl,
    cancelUrl: link.cancelUrl,
    language: link.language,
    pairs: link.pairs,
    isArchived: link.archivedAt !== null,
    pointOfSale: link.posDeviceId !== null,
    state: link.state,
    reason: link.reason,
    late: link.late,
    version: link.version,
    seq: link.seq,
    createdAt: link.createdAt,
    completedAt: link.completedAt,
    wallets: wallets.map(({ network, token, address }) => ({
      network,
      token,
      address: networks.find(link.env, network)?.addresses.display(address) ?? address,
    })),
  };
}

/** The networks of these wallets, each once. */
function networksOf(wallets: readonly LinkWalletRow[]): NetworkCode[] {
  return [...new Set(wallets.map(({ network }) => network))];
}

/**
 * Composes a link for the API, the page and events. Payments are in order of arrival. Pairs and estimates are computed
 * when they are first read, at the rates of `now`: answers and events have neither, and a page that waits for a payment
 * has no estimates.
 */
export function composeView(snapshot: LinkSnapshot, deps: LinkServices, now: Date): PaymentLinkView {
  const { link, merchant, astray } = snapshot;
  const { networks, rates } = deps;
  const findRate = createQuoteRates(rates, merchant, link.currency, now);
  const listPairs = once(() => listSelectablePairs(snapshot, { networks, findRate }, now));
  const estimate = once(() => estimateAmounts(snapshot, listPairs(), findRate));
  return {
    ...composeRecord(snapshot, deps, now),
    get selectablePairs() {
      return listPairs();
    },
    get estimates() {
      return estimate();
    },
    astray,
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A link without what depends on current prices. */
export type PaymentLinkRecord = Omit<PaymentLinkView, "selectablePairs" | "estimates" | "astray">;

export function composeRecord(
  snapshot: LinkSnapshot,
  deps: Pick<LinkServices, "networks" | "settings">,
  now: Date,
): PaymentLinkRecord {
  const { link, merchant, wallets } = snapshot;
  const displayAddress = (network: string, canonical: string) =>
    deps.networks.find(link.env, network)?.addresses.display(canonical) ?? canonical;
  const addresses = new Map(
    wallets.map((wallet) => [pairCode(wallet), displayAddress(wallet.network, wallet.address)]),
  );
  const { newest, older } = splitQuotes(snapshot);
  const refunds = countingRefunds(snapshot.refunds, now);
  const seen = seenPayments(snapshot.totals, refunds);
  const paidShare = sumShares(valuedPayments(seen));
  const terms = payTermsOf(snapshot);
  const composeQuote = (quote: QuoteRow): QuoteView => ({
    network: quote.network,
    token: quote.token,
    address: addresses.get(pairCode(quote)) ?? "",
    amount: quote.amount,
    asked: amountToAsk(quote.amount, paidShare, quote.token, payDecimals(quote.token, terms)),
    rate: quote.rate,
    rateSource: quote.rateSource,
    rateAt: quote.rateAt,
    minimumReceive: quote.minimumReceive,
    validUntil: quote.validUntil,
    live: newest.includes(quote) && acceptsPayment(link, now) && isQuoteCurrent(quote, now),
  });
  return {
    ...composeSummary(snapshot, wallets, deps),
    items: fromStoredItems(link.items),
    branding: { logo: merchant.logo, accent: merchant.accent, support: merchant.support },
    quotes: [...newest, ...older].map(composeQuote),
    payments: snapshot.payments
      .map((row) => composePayment(row, displayAddress(row.network, row.address), link.expiresAt))
      .reverse(),
    paymentCount: snapshot.totals.reduce((count, total) => count + total.payments, 0),
    received: sumAmounts(seen),
    refunded: sumAmounts(refunds),
    remaining: computeRemaining(snapshot, newest, now),
    excess: computeExcess(snapshot, now),
    coverage: coverageOf(link.state, snapshot.totals, terms),
    checking: isUnpaid(link.state) && now >= link.expiresAt,
    unwatched: networksOf(
      wallets.filter((wallet) => isUnwatched(wallet, NETWORKS[wallet.network].pollMs, now)),
    ),
    blockOnly: networksOf(wallets.filter(({ mempoolError }) => mempoolError !== null)),
    slow: networksOf(wallets.filter(({ finalityLate }) => finalityLate)),
  };
}
