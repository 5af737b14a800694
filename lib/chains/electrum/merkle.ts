import { NodeError } from "../node-error.ts";
import { parseUtxoTransaction } from "../utxo/block.ts";
import { doubleSha256 } from "./headers.ts";

/** More levels than any block's tree has. */
const MAX_DEPTH = 32;

/**
 * Returns whether the branch proves that the transaction is at `position` of the block with this Merkle root. Hashes are
 * as displayed, the root in hash order.
 */
export function provesMembership(
  txid: string,
  { branch, position }: { readonly branch: readonly string[]; readonly position: number },
  root: Buffer,
): boolean {
  if (branch.length > MAX_DEPTH || position >= 2 ** branch.length) return false;
  let node = fromDisplay(txid);
  let at = position;
  for (const entry of branch) {
    const other = fromDisplay(entry);
    const pair = Buffer.concat(at % 2 === 0 ? [node, other] : [other, node]);
    // A transaction of 64 bytes could pass for a pair and hide a forged branch below it (CVE-2017-12842).
    if (isTransaction(pair)) return false;
    node = doubleSha256(pair);
    at = Math.floor(at / 2);
  }
  return node.equals(root);
}

function fromDisplay(hash: string): Buffer {
  return Buffer.from(hash, "hex").reverse();
}

function isTransaction(bytes: Buffer): boolean {
  try {
    parseUtxoTransaction(bytes);
    return true;
  } catch (error) {
    if (error instanceof NodeError || error instanceof RangeError) return false;
    throw error;
  }
}
