import type { AccountSignature } from "./fetch-signatures.ts";
import { openLateQueues } from "./late-queues.ts";
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
/** See PAUSE_SLOTS. */
function openPause() {
  let slots = 0;
  let until = 0;
  let passes = 0;
  return {
    begin(slot: number) {
      slots = Math.min(PAUSE_SLOTS.most, Math.max(PAUSE_SLOTS.first, 2 * slots));
      until = slot + slots;
      passes = 0;
    },
    /** As many passes end a pause, too: the chain may have stopped. */
    isOver: (slot: number) => slot >= until || passes++ >= slots,
    /** The next pause is a short one. */
    reset() {
      slots = 0;
    },
  };
}

/**
 * Remembers which transactions nodes have listed, and finds those of slots that were read before they were listed: the index was behind the
 * blocks, or an answer left a transaction out. Addresses take turns, so that many transactions that name one delay no payment to another.
 */
export function createLateSlots(reportFull: (address: string) => void = () => {}) {
  const known = new Map<string, number>();
  const late = openLateQueues();
  /** The addresses of which some were left out. */
  const full = new Set<string>();
  const failures = new Map<number, number>();
  /** The newest slot that was asked for. */
  let newest = 0;
  const pause = openPause();
  const remove = (slot: number) => {
    late.remove(slot);
    failures.delete(slot);
  };

  return {
    /**
     * Adds transactions that name an address. The range that begins with `from` is not read yet: later lists show whether one of it is late. Slots
     * before the first range were read by another process. They are read again, because that one may have ended before the node listed them.
     * Returns false if some are left out, because too many wait: a later list must have them.
     */
    add(named: readonly AccountSignature[], from: number, address: string): boolean {
      let isWhole = true;
      for (const { slot, signature, failed } of named) {
        const isDone = known.has(signature) && late.find(slot)?.has(signature) !== true;
        if (failed || slot >= from || isDone) continue;
        if (late.add(slot, signature, address)) known.set(signature, slot);
        else isWhole = false;
      }
      if (!isWhole && !full.has(address)) reportFull(address);
      if (isWhole) full.delete(address);
      else full.add(address);
      return isWhole;
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
      if (!pause.isOver(slot)) return new Map();
      const fresh = late.pick(
        MOST_AT_ONCE - Math.min(FAILED_AT_ONCE, failures.size),
        (one) => one <= slot && !failures.has(one),
      );
      const failed = late.pick(MOST_AT_ONCE - fresh.length, (one) => one <= slot && failures.has(one));
      return new Map([...fresh, ...failed].map((one) => [one, late.find(one) ?? new Set()]));
    },
    /** Asks for no slot for a while: the node did not answer. */
    pause() {
      pause.begin(newest);
    },
    /** Lets the other slots come first. `isRefuted`: the node has shown the block without the transaction. Returns whether the slot is given up. */
    postpone(slot: number, isRefuted: boolean): boolean {
      const count = (failures.get(slot) ?? 0) + (isRefuted ? 1 : 0);
      late.postpone(slot);
      failures.set(slot, count);
      const isGivenUp = late.find(slot) === null || count >= MOST_FAILURES || slot < newest - OLDEST;
      if (isGivenUp) remove(slot);
      return isGivenUp;
    },
    drop(slots: readonly number[]) {
      if (slots.length > 0) pause.reset();
      for (const slot of slots) remove(slot);
    },
  };
}

export type LateSlots = ReturnType<typeof createLateSlots>;
