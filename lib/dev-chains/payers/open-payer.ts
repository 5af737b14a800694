import type { Hex } from "viem";
import { isElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import type { NetworkConfig } from "#lib/chains/network.ts";
import type { NetworkData, NetworkFamily } from "#lib/chains/network-data.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { openEvmPayer } from "./evm-payer.ts";
import { openTronPayer } from "./tron-payer.ts";
import type { Payer } from "./types.ts";
import { openUtxoPayer } from "./utxo-payer.ts";

/** A payer, and the only token that it pays. */
export interface PairPayer {
  readonly token: TokenCode;
  readonly payer: Payer;
}

type OpenPayer = (config: NetworkConfig, contract: string) => Payer | null;

/** The one place that maps a family to its payer. The sandbox cannot pay on the others. */
const PAYERS: Readonly<Partial<Record<NetworkFamily, OpenPayer>>> = {
  evm: (config, contract) => openEvmPayer(config, contract as Hex),
  // An Electrum server has no wallet and mines nothing.
  utxo: (config) => (config.rpcUrls.some(isElectrumUrl) ? null : openUtxoPayer(config)),
  tron: openTronPayer,
};

/** `data` is the adapter's, with the development chain's contracts. Null: the sandbox cannot pay there. */
export function openPayer(config: NetworkConfig, data: NetworkData): PairPayer | null {
  const token = data.tokens.usdt === undefined ? data.coin : "usdt";
  const payer = PAYERS[data.family]?.(config, data.tokens.usdt?.contract?.test ?? "") ?? null;
  return payer && { token, payer };
}
