import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { type Env, getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { readUtxoAccountKey } from "#lib/chains/utxo/derive-address.ts";
import { decodeClassicAddress, looksLikeXrpSecret } from "#lib/chains/xrp/address.ts";

export type AccountKeyProblem = "private_key" | "malformed" | "wrong_level";

/**
 * Checks the text of a network's account extended public key, or of its account where all addresses are of one.
 * `identity` is the same for every spelling of one key: version bytes and parent differ between wallets, point and
 * chain code do not. An account's is its 20 bytes.
 */
export function parseAccountKey(
  text: string,
  env: Env,
  data: NetworkData,
): { ok: true; identity: string } | { ok: false; reason: AccountKeyProblem } {
  if (data.addressSource === "tags" && decodeClassicAddress(text) !== null) return readAccount(text);
  // xprv and its like; dgpv, Ltpv and theirs. An address may begin so too.
  if (/^([a-z]prv|[a-z]{2}pv)/i.test(text)) return { ok: false, reason: "private_key" };
  if (data.addressSource === "tags") return readAccount(text);
  const key = parse(text, env, data);
  if (key === null || key.publicKey === null || key.chainCode === null) {
    return { ok: false, reason: "malformed" };
  }
  const level = getAccountPath(data, env).split("/").length;
  if (key.depth !== level || key.index < HARDENED_OFFSET) return { ok: false, reason: "wrong_level" };
  return { ok: true, identity: Buffer.concat([key.publicKey, key.chainCode]).toString("hex") };
}

function readAccount(text: string) {
  if (looksLikeXrpSecret(text)) return { ok: false, reason: "private_key" } as const;
  const account = decodeClassicAddress(text);
  if (account === null) return { ok: false, reason: "malformed" } as const;
  return { ok: true, identity: Buffer.from(account).toString("hex") } as const;
}

function parse(text: string, env: Env, data: NetworkData): HDKey | null {
  try {
    if (data.utxo) return readUtxoAccountKey(text, data.utxo.accountKeys[env]);
    return text.startsWith("xpub") ? HDKey.fromExtendedKey(text) : null;
  } catch {
    return null;
  }
}
