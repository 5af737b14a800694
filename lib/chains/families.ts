import type { AccountKeyResult } from "./account-keys.ts";
import { EVM_FAMILY } from "./evm/family.ts";
import type { FamilyDescriptor } from "./family.ts";
import type { Env, NetworkData, NetworkFamily } from "./network-data.ts";
import { NETWORKS, type NetworkCode } from "./networks.ts";
import { SOLANA_FAMILY } from "./solana/family.ts";
import { TRON_FAMILY } from "./tron/family.ts";
import { UTXO_FAMILY } from "./utxo/family.ts";
import { XRP_FAMILY } from "./xrp/family.ts";

/** The one place that maps a network's family to its code. */
const FAMILIES: Readonly<Record<NetworkFamily, FamilyDescriptor>> = {
  utxo: UTXO_FAMILY,
  evm: EVM_FAMILY,
  tron: TRON_FAMILY,
  solana: SOLANA_FAMILY,
  xrp: XRP_FAMILY,
};

export function getFamily(network: NetworkCode | Pick<NetworkData, "family">): FamilyDescriptor {
  return FAMILIES[typeof network === "string" ? NETWORKS[network].family : network.family];
}

/** Checks the account key of a network's configuration. */
export function parseAccountKey(text: string, env: Env, data: NetworkData): AccountKeyResult {
  return getFamily(data).accountKey?.parse(text, env, data) ?? { ok: false, reason: "malformed" };
}

/** Lists every form in which a transaction hash may be stored, for an unknown network. Empty: it is not a hash. */
export function listTransactionHashForms(text: string): readonly string[] {
  const forms = Object.values(FAMILIES).map((family) => family.canonicalizeTransactionHash(text));
  return [...new Set(forms)].filter((form) => form !== null);
}
