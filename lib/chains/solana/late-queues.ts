/**
 * Slots that wait for one address, and for all together. Anybody can name an address, for a fee each. What is more is not remembered: the address
 * is asked about again. While all together are too many, an address may have one slot only.
 */
export const MOST_WAITING = { ofOne: 5_000, ofAll: 100_000 } as const;

interface LateSlot {
  readonly signatures: Set<string>;
  /** The addresses in whose lists the transactions are. */
  readonly addresses: Set<string>;
}

/** Late slots, in a queue for each address that their transactions name. The addresses take turns. */
export function openLateQueues() {
  const slots = new Map<number, LateSlot>();
  /** The address that waits longest is the first one. */
  const queues = new Map<string, Set<number>>();

  return {
    /** Returns false if too many slots wait. */
    add(slot: number, signature: string, address: string): boolean {
      const queue = queues.get(address) ?? new Set();
      const most = slots.size < MOST_WAITING.ofAll ? MOST_WAITING.ofOne : 1;
      if (!queue.has(slot) && queue.size >= most) return false;
      const { signatures, addresses } = slots.get(slot) ?? { signatures: new Set(), addresses: new Set() };
      slots.set(slot, { signatures: signatures.add(signature), addresses: addresses.add(address) });
      queues.set(address, queue.add(slot));
      return true;
    },
    /** The transactions that a slot waits for. Null: it does not wait. */
    find: (slot: number): ReadonlySet<string> | null => slots.get(slot)?.signatures ?? null,
    /** Lets the other slots of the same addresses come first. */
    postpone(slot: number) {
      for (const address of slots.get(slot)?.addresses ?? []) {
        queues.get(address)?.delete(slot);
        queues.get(address)?.add(slot);
      }
    },
    remove(slot: number) {
      for (const address of slots.get(slot)?.addresses ?? []) {
        const queue = queues.get(address);
        queue?.delete(slot);
        if (queue?.size === 0) queues.delete(address);
      }
      slots.delete(slot);
    },
    /** Slots of the addresses in turn: one of each, then a second one of each. */
    pick(most: number, isWanted: (slot: number) => boolean): readonly number[] {
      const picked = new Set<number>();
      const turns = [...queues].map(([address, queue]) => ({
        address,
        queue,
        wanted: choose(queue, isWanted),
      }));
      for (let i = 0; i < turns.length && picked.size < most; i++) {
        const turn = turns[i];
        const next = turn?.wanted.next();
        if (turn === undefined || next?.done !== false) continue;
        picked.add(next.value);
        turns.push(turn);
        queues.delete(turn.address);
        queues.set(turn.address, turn.queue);
      }
      return [...picked];
    },
  };
}

function* choose(slots: Iterable<number>, isWanted: (slot: number) => boolean): Generator<number, undefined> {
  for (const slot of slots) if (isWanted(slot)) yield slot;
}
