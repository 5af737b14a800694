import type { Logger } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkFamily } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { ChainSigner } from "./chain-signer.ts";
import { openEvmSigner } from "./evm/open-evm-signer.ts";
import { openSolanaSigner } from "./solana/open-solana-signer.ts";
import { openTronSigner } from "./tron/open-tron-signer.ts";
import type { NetworkPolicy } from "./types.ts";
import { openUtxoSigner } from "./utxo/open-utxo-signer.ts";
import { openXrpSigner } from "./xrp/open-xrp-signer.ts";

export interface ChainSignerDeps {
  readonly adapter: NetworkAdapter;
  readonly mnemonic: string;
  /** What the policy allows on the network now. Null if it allows nothing. */
  readonly policy: () => NetworkPolicy | null;
  readonly db: Db;
  /** Is given why sweeps of tokens wait. */
  readonly sweepWaits?: Map<TokenCode, string>;
  readonly log: Logger;
  readonly now: () => Date;
}

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
  return sending === undefined ? null : CHAIN_SIGNERS[data.family];
}
