import type { Hex } from "viem";
import { isElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import type { NetworkConfig } from "#lib/chains/network.ts";
import type { NetworkData, NetworkFamily } from "#lib/chains/network-data.ts";
import { openEvmPayer } from "./evm-payer.ts";
import { openTronPayer } from "./tron-payer.ts";
import type { Payer } from "./types.ts";
import { openUtxoPayer } from "./utxo-payer.ts";

type OpenPayer = (config: NetworkConfig, contract: string) => Payer | null;

/** The one place that maps a family to its payer. Null: the sandbox cannot pay there. */
const PAYERS: Readonly<Record<NetworkFamily, OpenPayer | null>> = {
  evm: (config, contract) => openEvmPayer(config, contract as Hex),
  // An Electrum server has no wallet and mines nothing.
  utxo: (config) => (config.rpcUrls.some(isElectrumUrl) ? null : openUtxoPayer(config)),
  tron: openTronPayer,
  solana: null,
  xrp: null,
};

/** `data` is the adapter's, with the development chain's contracts. */
export function openPayer(config: NetworkConfig, data: NetworkData): Payer | null {
  return PAYERS[data.family]?.(config, data.tokens.usdt?.contract?.test ?? "") ?? null;
}
