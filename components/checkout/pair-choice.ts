import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { NetworkToken } from "#lib/domain/payment-links/types.ts";
import { usualWait, type Wait } from "./usual-wait.ts";

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
  readonly addressStart: string;
  /** Until a payment counts; where confirmations are counted, until the first one. */
  readonly wait: Wait;
  /** More than one confirmation may be asked for. */
  readonly waitOrMore: boolean;
}

export function choiceOf({ network, token }: NetworkToken): PairChoice {
  const data: NetworkData = NETWORKS[network];
  return {
    value: `${network}:${token}`,
    symbol: token.toUpperCase(),
    network,
    networkName: data.name,
    walletNames: data.walletNames,
    addressStart: data.addressStart,
    wait: usualWait(data.blockSeconds * (data.finalBlocks ?? 1)),
    waitOrMore: data.finalBlocks === null,
  };
}
