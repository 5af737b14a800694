import { hasTransactions, type NetworkAdapter, type TransactionNetwork } from "#lib/chains/network.ts";
import type { NetworkFamily } from "#lib/chains/network-data.ts";
import type { ChainSigner, ChainSignerDeps } from "./chain-signer.ts";
import { openEvmSigner } from "./evm/open-evm-signer.ts";
import { openSolanaSigner } from "./solana/open-solana-signer.ts";
import { openTronSigner } from "./tron/open-tron-signer.ts";
import { openUtxoSigner } from "./utxo/open-utxo-signer.ts";
import { openXrpSigner } from "./xrp/open-xrp-signer.ts";

type OpenChainSigner = (deps: ChainSignerDeps) => ChainSigner;

/** The one place that maps a network's family to its signer. A family without one only receives, or is paid by hand. */
const CHAIN_SIGNERS: Readonly<Partial<Record<NetworkFamily, OpenChainSigner>>> = {
  evm: openEvmSigner,
  utxo: openUtxoSigner,
  solana: openSolanaSigner,
  xrp: openXrpSigner,
  tron: openTronSigner,
};

/**
 * Returns a network that the signer can pay on, and what opens its signer, which throws a KeyError if the words are not those of the
 * network. Null if nothing can be sent on the network, or if its nodes cannot be asked what became of a transaction.
 */
export function findPayable(
  adapter: NetworkAdapter,
): { readonly adapter: TransactionNetwork; readonly open: OpenChainSigner } | null {
  const open = CHAIN_SIGNERS[adapter.data.family];
  return adapter.sending === null || open === undefined || !hasTransactions(adapter)
    ? null
    : { adapter, open };
}
