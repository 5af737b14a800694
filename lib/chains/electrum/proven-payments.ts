import type { UtxoTransaction } from "../utxo/block.ts";

/** A transaction that a Merkle proof puts into a block of some server's checked chain. */
export interface ProvenTransaction {
  readonly transaction: UtxoTransaction;
  readonly raw: Buffer;
  readonly block: { readonly height: number; readonly hash: string; readonly time: Date };
  /** The script hash whose history named it. Null: it was looked up. */
  readonly scriptHash: string | null;
}

/** Transactions whose payments were too small to record. Anyone can send any number of them. */
export const MOST_LEFT_OUT = 10_000;

/** The payments that any of the servers proved. A proof needs no trust, so one honest server is enough. */
export interface ProvenPayments {
  has(txid: string, blockHash: string): boolean;
  /** Whether scans of that block list it. One that was left out is proven, and not listed. */
  lists(txid: string, blockHash: string): boolean;
  /** Whether any block at this height is proven to hold it. */
  hasAt(txid: string, height: number): boolean;
  add(proven: ProvenTransaction): void;
  /** Transactions in blocks from..to of any chain. */
  list(from: number, to: number): readonly ProvenTransaction[];
  /** Transactions up to `height` that are not recorded yet: a scan may have returned them, but its pass may have failed. */
  listUnrecorded(height: number): readonly ProvenTransaction[];
  /** Call it after the commit. */
  markRecorded(recorded: readonly ProvenTransaction[]): void;
  /** Script hashes of what was proven above a height. */
  listAbove(height: number): readonly string[];
  /** Transactions below `height` that were marked as recorded, until they are forgotten, left out or kept. */
  listOld(height: number): readonly ProvenTransaction[];
  forget(some: readonly ProvenTransaction[]): void;
  /**
   * Forgets them, but knows of MOST_LEFT_OUT at most that they are proven: they need no other proof. Of too many, the addresses
   * with the most lose their newest. So a stranger who pays one of our addresses makes only that one be proven again.
   */
  leaveOut(some: readonly ProvenTransaction[]): void;
  /** listOld does not return them again. */
  keep(some: readonly ProvenTransaction[]): void;
  /**
   * Records above a fork count as nothing until `trustAll`: the blocks there are scanned again, and what no scan returns
   * is reverted. It outlives connections.
   */
  distrustAbove(fork: number): void;
  /** Call it when what was scanned above the fork is committed. */
  trustAll(): void;
  /** Whether a record in the tables makes a proof at this height superfluous. */
  trustsRecord(height: number): boolean;
}

export function createProvenPayments(): ProvenPayments {
  /** By transaction, in each block that was proven to hold it. */
  const held = new Map<string, readonly ProvenTransaction[]>();
  const all = () => [...held.values()].flat();
  const blocksOf = (txid: string) =>
    [...(held.get(txid) ?? []).map(({ block }) => block), leftOut.get(txid) ?? []].flat();
  const unrecorded = new Set<ProvenTransaction>();
  /** Recorded ones that are not forgotten, left out or kept. */
  const fresh = new Set<ProvenTransaction>();
  const leftOut = createLeftOut();
  let trustedUpTo = Number.POSITIVE_INFINITY;
  const forget = (some: readonly ProvenTransaction[]) => {
    for (const proven of some) {
      const { txid } = proven.transaction;
      const left = (held.get(txid) ?? []).filter((one) => one !== proven);
      if (left.length > 0) held.set(txid, left);
      else held.delete(txid);
      unrecorded.delete(proven);
      fresh.delete(proven);
    }
  };
  return {
    distrustAbove(fork) {
      trustedUpTo = Math.min(trustedUpTo, fork);
    },
    trustAll() {
      trustedUpTo = Number.POSITIVE_INFINITY;
    },
    trustsRecord: (height) => height <= trustedUpTo,
    lists: (txid, blockHash) => held.get(txid)?.some(({ block }) => block.hash === blockHash) ?? false,
    has: (txid, blockHash) => blocksOf(txid).some(({ hash }) => hash === blockHash),
    hasAt: (txid, at) => blocksOf(txid).some(({ height }) => height === at),
    add(proven) {
      const { txid } = proven.transaction;
      const known = held.get(txid) ?? [];
      if (known.some(({ block }) => block.hash === proven.block.hash)) return;
      held.set(txid, [...known, proven]);
      leftOut.delete(txid);
      unrecorded.add(proven);
    },
    list: (from, to) => all().filter(({ block }) => block.height >= from && block.height <= to),
    listUnrecorded: (height) => [...unrecorded].filter(({ block }) => block.height <= height),
    markRecorded(recorded) {
      for (const proven of recorded) if (unrecorded.delete(proven)) fresh.add(proven);
    },
    listAbove: (height) => [
      ...new Set(
        all().flatMap(({ block, scriptHash }) =>
          block.height > height && scriptHash !== null ? [scriptHash] : [],
        ),
      ),
    ],
    listOld: (height) => [...fresh].filter(({ block }) => block.height < height),
    forget,
    leaveOut(some) {
      forget(some);
      leftOut.add(some);
    },
    keep(some) {
      for (const proven of some) fresh.delete(proven);
    },
  };
}

/** The block of each transaction that was left out. */
function createLeftOut() {
  const held = new Map<string, Pick<ProvenTransaction, "block" | "scriptHash">>();
  return {
    get: (txid: string) => held.get(txid)?.block,
    delete: (txid: string) => held.delete(txid),
    add(some: readonly ProvenTransaction[]) {
      for (const { transaction, block, scriptHash } of some)
        held.set(transaction.txid, { block, scriptHash });
      if (held.size <= MOST_LEFT_OUT) return;
      const byAddress = Map.groupBy(held.values(), ({ scriptHash }) => scriptHash);
      const counts = [...byAddress.values()].map(({ length }) => length);
      const share = computeShare(counts, MOST_LEFT_OUT);
      const kept = new Map<string | null, number>();
      let all = 0;
      for (const [txid, { scriptHash }] of held) {
        const count = kept.get(scriptHash) ?? 0;
        // The first of an address stay: a history is read from its first transaction on, again and again.
        if (count >= share || all >= MOST_LEFT_OUT) held.delete(txid);
        else {
          kept.set(scriptHash, count + 1);
          all += 1;
        }
      }
    },
  };
}

/** Returns the most that each may have, at least 1, so that all together have `most` at most. Those who have less leave the rest to others. */
function computeShare(counts: readonly number[], most: number): number {
  let left = most;
  const inOrder = counts.toSorted((a, b) => a - b);
  for (const [place, count] of inOrder.entries()) {
    const share = Math.floor(left / (inOrder.length - place));
    if (count > share) return Math.max(1, share);
    left -= count;
  }
  return most;
}
