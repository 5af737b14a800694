import type { AccountSignature } from "./fetch-signatures.ts";
import { MOST_SLOTS } from "./rounds.ts";

/** The signatures of transactions, by slot. */
export type NamedSlots = ReadonlyMap<number, ReadonlySet<string>>;

/** Slots that are read again in one pass. The others wait for the next pass. */
const MOST_AT_ONCE = 8;
/** The places among them that slots have which failed before. They hold back no other. */
const FAILED_AT_ONCE = 2;
/** Slots without a question after a node did not answer one, doubled once: about a minute. Each would slow all its calls down. */
const PAUSE_SLOTS = { first: 150, most: 300 } as const;
/** A slot is given up after so many answers without it: its node lists a transaction that its block lacks for good. */
const MOST_FAILURES = 100;
/** The same after so many slots, more than a new process asks for: no node has the block any more. */
const OLDEST = 2 * MOST_SLOTS;

/**
 * Remembers which transactions nodes have listed, and finds those of slots that were read before they were listed: the index was behind the
 * blocks, or an answer left a transaction out.
 */
export function createLateSlots() {
  const known = new Map<string, number>();
  const late = new Map<number, Set<string>>();
  const failures = new Map<number, number>();
  /** The newest slot that was asked for. */
  let newest = 0;
  let pause = 0;
  let pausedUntil = 0;
  return {
    /**
     * Adds transactions that name us. The range that begins with `from` is not read yet: later lists show whether one of it is late. Slots
     * before the first range were read by another process. They are read again, because that one may have ended before the node listed them.
     */
    add(named: readonly AccountSignature[], from: number) {
      for (const { slot, signature, failed } of named) {
        if (failed || slot >= from || known.has(signature)) continue;
        known.set(signature, slot);
        late.set(slot, (late.get(slot) ?? new Set()).add(signature));
      }
    },
    /** Adds transactions that were found in their blocks. */
    addFound(slots: NamedSlots) {
      for (const [slot, signatures] of slots) for (const one of signatures) known.set(one, slot);
    },
    /** Forgets what was listed of slots below this one, which no list is asked for any more. */
    forgetBelow(slot: number) {
      for (const [signature, at] of known) if (at < slot) known.delete(signature);
    },
    /** Some slots up to this one that must be read again. They are returned until they are dropped. */
    list(slot: number): NamedSlots {
      newest = Math.max(newest, slot);
      if (slot < pausedUntil) return new Map();
      const waiting = [...late].filter(([one]) => one <= slot);
      const failed = waiting.filter(([one]) => failures.has(one));
      const places = MOST_AT_ONCE - Math.min(FAILED_AT_ONCE, failed.length);
      const fresh = waiting.filter(([one]) => !failures.has(one)).slice(0, places);
      return new Map([...fresh, ...failed].slice(0, MOST_AT_ONCE));
    },
    /** Asks for no slot for a while: the node did not answer. */
    pause() {
      pause = Math.min(PAUSE_SLOTS.most, Math.max(PAUSE_SLOTS.first, 2 * pause));
      pausedUntil = newest + pause;
    },
    /** Lets the other slots come first. `isRefuted`: the node has shown the block without the transaction. Returns whether the slot is given up. */
    postpone(slot: number, isRefuted: boolean): boolean {
      const named = late.get(slot);
      const count = (failures.get(slot) ?? 0) + (isRefuted ? 1 : 0);
      late.delete(slot);
      failures.delete(slot);
      if (named === undefined || count >= MOST_FAILURES || slot < newest - OLDEST) return true;
      late.set(slot, named);
      failures.set(slot, count);
      return false;
    },
    drop(slots: readonly number[]) {
      if (slots.length > 0) pause = 0;
      for (const slot of slots) {
        late.delete(slot);
        failures.delete(slot);
      }
    },
  };
}

export type LateSlots = ReturnType<typeof createLateSlots>;
