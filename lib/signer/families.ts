import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkFamily } from "#lib/chains/network-data.ts";
import type { ChainSigner, ChainSignerDeps } from "./chain-signer.ts";
import { openEvmSigner } from "./evm/open-evm-signer.ts";
import { openSolanaSigner } from "./solana/open-solana-signer.ts";
import { openTronSigner } from "./tron/open-tron-signer.ts";
import { openUtxoSigner } from "./utxo/open-utxo-signer.ts";
import { openXrpSigner } from "./xrp/open-xrp-signer.ts";

type OpenChainSigner = (deps: ChainSignerDeps) => ChainSigner;

/** The one place that maps a network's family to its signer. */
const CHAIN_SIGNERS: Readonly<Record<NetworkFamily, OpenChainSigner>> = {
  evm: openEvmSigner,
  utxo: openUtxoSigner,
  solana: openSolanaSigner,
  xrp: openXrpSigner,
  tron: openTronSigner,
};

/**
 * Returns what opens a network's signer. It throws a KeyError if the words are not those of the network. Null if nothing can be sent on
 * the network.
 */
export function findChainSigner({ data, sending }: NetworkAdapter): OpenChainSigner | null {
  return sending === null ? null : CHAIN_SIGNERS[data.family];
}
