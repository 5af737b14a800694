import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { NetworkToken } from "#lib/domain/payment-links/types.ts";
import { estimateWait, type WaitEstimate } from "./time-text.ts";

/** A coin on a network, as the customer tells it from others. */
export interface PairChoice {
  /** Value of the form's button: "bep20:usdt". */
  readonly value: string;
  readonly symbol: string;
  readonly network: NetworkCode;
  readonly networkName: string;
  /** What wallets call the network. */
  readonly walletNames: readonly string[];
  /** How its live addresses begin. */
  readonly addressPrefix: string;
  /** Until a payment counts; where confirmations are counted, until the first one. */
  readonly wait: WaitEstimate;
  /** More than one confirmation may be asked for. */
  readonly waitMayBeLonger: boolean;
}

export function toPairChoice({ network, token }: NetworkToken): PairChoice {
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
