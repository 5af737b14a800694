import { type Env, findReceivedToken } from "#lib/chains/network-data.ts";
import { DEFAULT_PAIRS, findLinkPair, isSamePair, type PaymentPair } from "#lib/chains/networks.ts";
import { getMinimumAmount, isAvailable } from "#lib/domain/settings/rules.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { createQuoteRates, type QuoteRates } from "./quote-rules.ts";
import { acceptsPayment } from "./rules.ts";
import type { LinkRow, PaymentLinkDeps, TokenAmount } from "./types.ts";
import { computeQuoteAmount, isReceivable, payDecimals } from "./valuation-rules.ts";

/** The pairs that a merchant's links can be paid with, in the merchant's order. */
export function merchantPairs({
  paymentPairs,
}: {
  readonly paymentPairs: readonly string[] | null;
}): readonly PaymentPair[] {
  return paymentPairs === null ? DEFAULT_PAIRS : findPairs(paymentPairs);
}

/** The pairs that a link can be paid with, in their order: its own, else its merchant's. */
function offeredPairs({ link, merchant }: LinkRow): readonly PaymentPair[] {
  return link.pairs === null ? merchantPairs(merchant) : findPairs(link.pairs);
}

/** Leaves out what this version does not know. */
function findPairs(codes: readonly string[]): readonly PaymentPair[] {
  return codes.flatMap((code) => findLinkPair(code) ?? []);
}

/** The facts that decide whether a pair can pay an amount. */
export interface ReceivabilityContext {
  readonly networks: PaymentLinkDeps["networks"];
  readonly availability: Availability;
  readonly link: { readonly env: Env; readonly amount: bigint; readonly currency: CurrencyCode };
  /** The merchant's, in the link's currency. */
  readonly findRate: QuoteRates;
}

/**
 * Whether a pair can pay the link's amount. `off`: the network or the token is not available. `no_rate`: no rate is
 * known. `too_small`: the amount is below the token's minimum.
 */
function evaluateReceivability(
  { networks, availability, link, findRate }: ReceivabilityContext,
  pair: PaymentPair,
): "off" | "no_rate" | "too_small" | "receivable" {
  const { token } = pair;
  const adapter = networks.find(link.env, pair.network);
  if (
    !adapter ||
    findReceivedToken(adapter.data, link.env, token) === null ||
    !isAvailable(availability, pair)
  ) {
    return "off";
  }
  const rate = findRate(token);
  if (!rate) return "no_rate";
  // Not rounded to a cent: the price of almost nothing would be a cent too.
  const amount = computeQuoteAmount(link, rate.price, token, TOKENS[token].quoteDecimals);
  return isReceivable(amount, token, getMinimumAmount(availability, token)) ? "receivable" : "too_small";
}

export type CreateLinkRefusal =
  | "pair_not_accepted"
  | "wallet_pair_unsupported"
  | "amount_below_minimum"
  | "network_unavailable";

/** The pairs that a new link asks for (NewPaymentLink). */
interface RequestedPairs {
  readonly wallets: readonly PaymentPair[];
  readonly pairs?: readonly PaymentPair[] | undefined;
}

/**
 * Why a link with these pairs and wallets cannot be created, or null. The merchant must accept them. Each requested wallet
 * must be able to take the amount. Without wallets, at least one pair must be able to.
 */
export function refuseNewLink(
  context: ReceivabilityContext & { readonly merchant: { readonly paymentPairs: readonly string[] | null } },
  { wallets, pairs: asked }: RequestedPairs,
): CreateLinkRefusal | null {
  const accepted = merchantPairs(context.merchant);
  if (!includesAll(accepted, asked ?? [])) return "pair_not_accepted";
  const offered = asked ?? accepted;
  if (!includesAll(offered, wallets)) return "wallet_pair_unsupported";
  if (wallets.length > 0) {
    const answers = wallets.map((pair) => evaluateReceivability(context, pair));
    if (answers.includes("off")) return "network_unavailable";
    return answers.includes("too_small") ? "amount_below_minimum" : null;
  }
  let refusal: CreateLinkRefusal | null = null;
  for (const pair of offered) {
    const answer = evaluateReceivability(context, pair);
    if (answer === "too_small") refusal = "amount_below_minimum";
    // One such pair is enough. The others are not valued.
    else if (answer !== "off") return null;
  }
  return refusal;
}

function includesAll(pairs: readonly PaymentPair[], asked: readonly PaymentPair[]): boolean {
  return asked.every((one) => pairs.some((pair) => isSamePair(pair, one)));
}

/** Why a customer cannot select this pair for a link that has not ended, or null. */
export function refuseSelection(
  deps: Pick<PaymentLinkDeps, "networks" | "rates">,
  { link, merchant, availability }: LinkRow & { readonly availability: Availability },
  pair: PaymentPair,
  now: Date,
): "not_offered" | "no_rate" | null {
  // The payments seen so far cover the link. Another address would invite the customer to pay twice.
  if (!acceptsPayment(link, now) || !includesAll(offeredPairs({ link, merchant }), [pair]))
    return "not_offered";
  const findRate = createQuoteRates(deps.rates, merchant, link.currency, now);
  const answer = evaluateReceivability({ networks: deps.networks, availability, link, findRate }, pair);
  if (answer === "no_rate") return "no_rate";
  return answer === "receivable" ? null : "not_offered";
}

/** Estimates the cost of the whole link in each of these pairs by the current rates, rounded as a quote is. Without a rate: left out. */
export function estimateAmounts(
  { link, merchant }: LinkRow,
  pairs: readonly PaymentPair[],
  findRate: QuoteRates,
): TokenAmount[] {
  const { currency } = link;
  return pairs.flatMap(({ network, token }) => {
    const rate = findRate(token);
    if (!rate) return [];
    const decimals = payDecimals(token, { currency, ...merchant });
    return { network, token, amount: computeQuoteAmount(link, rate.price, token, decimals) };
  });
}

/**
 * The pairs that a customer can select now, in the merchant's order, the selected ones included. `availability` is null for
 * a link that ended.
 */
export function listSelectablePairs(
  row: LinkRow & { readonly wallets: readonly PaymentPair[]; readonly availability: Availability | null },
  { networks, findRate }: Pick<ReceivabilityContext, "networks" | "findRate">,
  now: Date,
): PaymentPair[] {
  const { link, wallets, availability } = row;
  const isSelected = (pair: PaymentPair) => wallets.some((wallet) => isSamePair(wallet, pair));
  const offered = offeredPairs(row);
  // The merchant may accept a selected pair no more.
  const former = wallets.filter((wallet) => !includesAll(offered, [wallet]));
  return [...offered, ...former.map(({ network, token }) => ({ network, token }))].filter((pair) => {
    if (isSelected(pair)) return true;
    if (availability === null || !acceptsPayment(link, now)) return false;
    return evaluateReceivability({ networks, availability, link, findRate }, pair) === "receivable";
  });
}
