import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { type Env, getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { readUtxoAccountKey } from "#lib/chains/utxo/derive-address.ts";
import { decodeClassicAddress, looksLikeXrpSecret } from "#lib/chains/xrp/address.ts";

export type AccountKeyProblem = "private_key" | "malformed" | "wrong_level";

/**
 * Parses a network's account extended public key, or the account address if all addresses of the network are tags of
 * one account. `identity` is the same for every spelling of a key: wallets differ in version bytes and parent, not in
 * point and chain code. The identity of an account is its 20 bytes.
 */
export function parseAccountKey(
  text: string,
  env: Env,
  data: NetworkData,
): { ok: true; identity: string } | { ok: false; reason: AccountKeyProblem } {
  if (data.addressSource === "tags" && decodeClassicAddress(text) !== null) return parseAccount(text);
  // Private keys: xprv and similar, dgpv, Ltpv and similar. Checked after classic addresses, which can start the same.
  if (/^([a-z]prv|[a-z]{2}pv)/i.test(text)) return { ok: false, reason: "private_key" };
  if (data.addressSource === "tags") return parseAccount(text);
  const key = parseExtendedKey(text, env, data);
  if (key === null || key.publicKey === null || key.chainCode === null) {
    return { ok: false, reason: "malformed" };
  }
  const level = getAccountPath(data, env).split("/").length;
  if (key.depth !== level || key.index < HARDENED_OFFSET) return { ok: false, reason: "wrong_level" };
  return { ok: true, identity: Buffer.concat([key.publicKey, key.chainCode]).toString("hex") };
}

function parseAccount(text: string) {
  if (looksLikeXrpSecret(text)) return { ok: false, reason: "private_key" } as const;
  const account = decodeClassicAddress(text);
  if (account === null) return { ok: false, reason: "malformed" } as const;
  return { ok: true, identity: Buffer.from(account).toString("hex") } as const;
}

function parseExtendedKey(text: string, env: Env, data: NetworkData): HDKey | null {
  try {
    if (data.utxo) return readUtxoAccountKey(text, data.utxo.accountKeys[env]);
    return text.startsWith("xpub") ? HDKey.fromExtendedKey(text) : null;
  } catch {
    return null;
  }
}
