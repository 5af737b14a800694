import { ed25519 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import { formatAmount } from "#lib/platform/money/amount.ts";

/** Bytes of an address, of a mint and of a block's hash. */
const LENGTH = 32;

/** 32 bytes in base58, which has one spelling and where case counts; null when it is anything else. */
export function canonicalizeSolanaAddress(text: string): string | null {
  return bytesOf(text) === null ? null : text;
}

/**
 * Is it the public key of a key pair? Addresses of programs' accounts, a wallet's token accounts among them, are made
 * off the curve so that no key can sign for them; that of the system program is a point of order four.
 */
export function isKeyPairAddress(text: string): boolean {
  const bytes = bytesOf(text);
  if (bytes === null) return false;
  try {
    const point = ed25519.Point.fromBytes(bytes);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

function bytesOf(text: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null;
  const bytes = base58.decode(text);
  return bytes.length === LENGTH ? bytes : null;
}

/**
 * A transfer request (Solana Pay specification 1.1). `amount` in the token's units on this chain; `mint` null for SOL.
 */
export function buildSolanaPaymentUri(
  address: string,
  amount: bigint,
  { decimals, mint }: { readonly decimals: number; readonly mint: string | null },
): string {
  const token = mint === null ? "" : `&spl-token=${mint}`;
  return `solana:${address}?amount=${formatAmount(amount, decimals)}${token}`;
}
