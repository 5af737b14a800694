import type { NetworkFamily } from "./network-data.ts";

const bytes32 = (text: string): string | null => /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1] ?? null;

const FORMS: Readonly<Record<NetworkFamily, (text: string) => string | null>> = {
  utxo: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null),
  evm(text) {
    const digits = bytes32(text);
    return digits && `0x${digits.toLowerCase()}`;
  },
  tron: (text) => bytes32(text)?.toLowerCase() ?? null,
  // A signature: 64 bytes in base58, where case counts. Nearly all have 87 or 88 letters.
  solana: (text) => (/^[1-9A-HJ-NP-Za-km-z]{80,88}$/.test(text) ? text : null),
  xrp: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toUpperCase() : null),
};

/** The form in which the hash of a transaction is stored and its node asked; null: no network of the family has it. */
export function canonicalizeTransactionHash(family: NetworkFamily, text: string): string | null {
  return FORMS[family](text);
}

/** Every form in which it may be stored, where the network is not known; none: it is no transaction's hash. */
export function listTransactionHashForms(text: string): readonly string[] {
  const forms = Object.values(FORMS).flatMap((form) => form(text) ?? []);
  return [...new Set(forms)];
}
