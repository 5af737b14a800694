import { createHash } from "node:crypto";

/**
 * A block's id as TRON writes it: the height in the first 8 bytes, then a hash (here what is left of the EVM block's).
 * The chain id is the last 4 bytes of the genesis block's.
 */
export function blockIdOf(height: number, evmHash: string, chainId: number): string {
  const id = height.toString(16).padStart(16, "0") + evmHash.slice(18);
  return height === 0 ? id.slice(0, -8) + chainId.toString(16).padStart(8, "0") : id;
}

/** The height that an id (with or without 0x) claims; null when it is no id. */
export function heightOfId(id: string): number | null {
  const digits = id.replace(/^0x/, "");
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) return null;
  const height = Number(`0x${digits.slice(0, 16)}`);
  return Number.isSafeInteger(height) ? height : null;
}

/** What a block's header says of its transactions: zeros when there are none, as on TRON; else no Merkle root, but a hash of their ids. */
export function rootOf({
  transactions,
}: {
  readonly transactions: readonly { readonly txId: string }[];
}): string {
  if (transactions.length === 0) return "0".repeat(64);
  return createHash("sha256")
    .update(transactions.map(({ txId }) => txId).join())
    .digest("hex");
}
