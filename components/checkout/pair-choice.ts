import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode, type PaymentPair } from "#lib/chains/networks.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import { compareFractions, type Fraction } from "#lib/platform/money/fraction.ts";
import { roughMoneyText, typedText } from "./money-text.ts";
import { estimateWait, type WaitEstimate } from "./time-text.ts";

/** A coin on a network, with what distinguishes it from the other choices. */
export interface PairChoice {
  /** Value of the form's button, such as "bep20:usdt". */
  readonly value: string;
  readonly symbol: string;
  readonly network: NetworkCode;
  readonly networkName: string;
  /** Names that wallets use for the network. */
  readonly walletNames: readonly string[];
  /** Time until a payment counts. Where confirmations are counted, the time until the first one. */
  readonly wait: WaitEstimate;
  /** True if more than one confirmation may be required. */
  readonly waitMayBeLonger: boolean;
}

/** A pair that can be chosen, with what it costs. */
export interface PricedChoice extends PairChoice {
  /** The amount to send at the current rate, such as "10.00 USDT". Null without a rate. */
  readonly estimate: string | null;
  /** The usual cost of a transfer for the payer, such as "₦6,400". Null if it is unknown. */
  readonly fee: string | null;
  /** It has the lowest fee of all choices. */
  readonly isCheapest: boolean;
}

/** The usual cost of a transfer, in the currency of the link. */
export type FeeLookup = (pair: PaymentPair) => Fraction | null;

/** The choices in their order. The cheapest is marked where the fees of all of several are known. */
export function priceChoices(
  pairs: readonly PaymentPair[],
  { estimates, currency }: Pick<PaymentLinkView, "estimates" | "currency">,
  findFee: FeeLookup,
  locale: string,
): PricedChoice[] {
  const fees = pairs.map(findFee);
  const comparable = fees.filter((fee) => fee !== null);
  const [lowest = null] = comparable.toSorted(compareFractions);
  const isMarked = pairs.length > 1 && comparable.length === pairs.length;
  return pairs.map((pair, index) => {
    const { network, token } = pair;
    const estimate = estimates.find((one) => one.network === network && one.token === token);
    const fee = fees[index] ?? null;
    return {
      ...toPairChoice(pair),
      estimate: estimate ? typedText(estimate.amount, token, locale) : null,
      fee: fee && roughMoneyText(fee, currency, locale),
      isCheapest: isMarked && fee !== null && lowest !== null && compareFractions(fee, lowest) === 0,
    };
  });
}

export function toPairChoice({ network, token }: PaymentPair): PairChoice {
  const data: NetworkData = NETWORKS[network];
  return {
    value: `${network}:${token}`,
    symbol: token.toUpperCase(),
    network,
    networkName: data.name,
    walletNames: data.walletNames,
    wait: estimateWait(data.blockSeconds * (data.finalBlocks ?? 1)),
    waitMayBeLonger: data.finalBlocks === null,
  };
}
