import { createHash } from "node:crypto";

/**
 * A TRON block id: the height in the first 8 bytes, then a hash (here the rest of the EVM block's hash). The
 * last 4 bytes of the genesis block's id are the chain id.
 */
export function makeBlockId(height: number, evmHash: string, chainId: number): string {
  const id = height.toString(16).padStart(16, "0") + evmHash.slice(18);
  return height === 0 ? id.slice(0, -8) + chainId.toString(16).padStart(8, "0") : id;
}

/** The height in an id (with or without 0x). null when it is not an id. */
export function parseHeight(id: string): number | null {
  const digits = id.replace(/^0x/, "");
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) return null;
  const height = Number(`0x${digits.slice(0, 16)}`);
  return Number.isSafeInteger(height) ? height : null;
}

/**
 * The transaction root of a block's header. Zeros for an empty block, as on TRON. Otherwise a hash of the
 * ids, not a Merkle root.
 */
export function transactionRoot({
  transactions,
}: {
  readonly transactions: readonly { readonly txId: string }[];
}): string {
  if (transactions.length === 0) return "0".repeat(64);
  return createHash("sha256")
    .update(transactions.map(({ txId }) => txId).join())
    .digest("hex");
}
