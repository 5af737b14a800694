import type { AccountSignature } from "./fetch-signatures.ts";

/** The signatures of transactions, by slot. */
export type NamedSlots = ReadonlyMap<number, ReadonlySet<string>>;

/** Slots that are read again at once. The others wait for the next pass. */
const MOST_AT_ONCE = 64;

/**
 * Remembers which transactions nodes have listed, and finds those of slots that were read before they were listed: the index was behind the
 * blocks, or an answer left a transaction out.
 */
export function createLateSlots() {
  const known = new Map<string, number>();
  const late = new Map<number, Set<string>>();
  /** Nothing is known of the slots before this one. */
  let first: number | null = null;
  return {
    /** Begins with the first slot that is read. */
    begin(slot: number) {
      first ??= slot;
    },
    /** Adds transactions that name us. `from` is the first slot of the range that is read now. */
    add(named: readonly AccountSignature[], from: number) {
      for (const { slot, signature, failed } of named) {
        if (failed || known.has(signature)) continue;
        known.set(signature, slot);
        if (first !== null && slot >= first && slot < from)
          late.set(slot, (late.get(slot) ?? new Set()).add(signature));
      }
    },
    /** Forgets what was listed of slots below this one, which no list is asked for any more. */
    forgetBelow(slot: number) {
      for (const [signature, at] of known) if (at < slot) known.delete(signature);
    },
    /** Slots up to this one that must be read again, the oldest first. They are returned until they are dropped. */
    list(slot: number): NamedSlots {
      const due = [...late].filter(([one]) => one <= slot).sort(([a], [b]) => a - b);
      return new Map(due.slice(0, MOST_AT_ONCE));
    },
    drop(slots: readonly number[]) {
      for (const slot of slots) late.delete(slot);
    },
  };
}

export type LateSlots = ReturnType<typeof createLateSlots>;
