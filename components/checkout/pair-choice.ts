import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { PaymentPair } from "#lib/domain/payment-links/types.ts";
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
  /** First characters of its addresses on the live network. */
  readonly addressPrefix: string;
  /** Time until a payment counts. Where confirmations are counted, the time until the first one. */
  readonly wait: WaitEstimate;
  /** True if more than one confirmation may be required. */
  readonly waitMayBeLonger: boolean;
}

export function toPairChoice({ network, token }: PaymentPair): PairChoice {
  const data: NetworkData = NETWORKS[network];
  return {
    value: `${network}:${token}`,
    symbol: token.toUpperCase(),
    network,
    networkName: data.name,
    walletNames: data.walletNames,
    addressPrefix: data.addressPrefix,
    wait: estimateWait(data.blockSeconds * (data.finalBlocks ?? 1)),
    waitMayBeLonger: data.finalBlocks === null,
  };
}
