import type { UtxoTransaction } from "../utxo/block.ts";
import type { HeaderChain } from "./header-chain.ts";

/** Blocks below the tip after which a transaction that was shown is forgotten. */
const KEPT_BLOCKS = 1_000;

/** A transaction that a Merkle proof puts into a block of some server's checked chain. */
export interface ProvenTransaction {
  readonly transaction: UtxoTransaction;
  readonly raw: Buffer;
  readonly block: { readonly height: number; readonly hash: string; readonly time: Date };
  /** The script hash whose history named it. */
  readonly scriptHash: string;
}

/** What the servers proved, whichever it was. A proof needs no trust, so one honest server is enough. */
export interface ProvenPayments {
  has(txid: string, blockHash: string): boolean;
  add(proven: ProvenTransaction): void;
  /** Those in blocks from..to of this chain. They count as shown from now on. */
  show(chain: HeaderChain, from: number, to: number): readonly ProvenTransaction[];
  /** Those up to `height` of this chain that were never shown. */
  listLate(chain: HeaderChain, height: number): readonly ProvenTransaction[];
  /** Lowest height of those. Null: there are none. */
  lowestUnshown(): number | null;
  markShown(shown: readonly ProvenTransaction[]): void;
  /** Script hashes of what was proven above a height. */
  listAbove(height: number): readonly string[];
}

const keyOf = (txid: string, blockHash: string) => `${txid} ${blockHash}`;

export function createProvenPayments(): ProvenPayments {
  const held = new Map<string, ProvenTransaction>();
  const unshown = new Set<ProvenTransaction>();
  const isIn = (chain: HeaderChain, { block }: ProvenTransaction) =>
    chain.at(block.height)?.hash === block.hash;
  return {
    has: (txid, blockHash) => held.has(keyOf(txid, blockHash)),
    add(proven) {
      const key = keyOf(proven.transaction.txid, proven.block.hash);
      if (held.has(key)) return;
      held.set(key, proven);
      unshown.add(proven);
    },
    show(chain, from, to) {
      const found: ProvenTransaction[] = [];
      for (const [key, proven] of held) {
        const { height } = proven.block;
        if (height >= from && height <= to && isIn(chain, proven)) {
          found.push(proven);
          unshown.delete(proven);
        } else if (height < chain.height - KEPT_BLOCKS && !unshown.has(proven)) held.delete(key);
      }
      return found;
    },
    listLate: (chain, height) =>
      [...unshown].filter((proven) => proven.block.height <= height && isIn(chain, proven)),
    lowestUnshown: () =>
      unshown.size === 0 ? null : Math.min(...[...unshown].map(({ block }) => block.height)),
    markShown(shown) {
      for (const proven of shown) unshown.delete(proven);
    },
    listAbove: (height) => [
      ...new Set(
        [...held.values()].filter(({ block }) => block.height > height).map((one) => one.scriptHash),
      ),
    ],
  };
}
