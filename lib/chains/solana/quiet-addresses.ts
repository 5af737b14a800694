import { type AddressMemory, type Holdings, type Range, slotOf } from "./list-address.ts";

/**
 * Returns what an address held when everything up to then was listed or read, as a start for slots from `from` on. "waiting": the blocks up to
 * then are still to be read. Null: nothing is known.
 */
export function findStartOf(memory: AddressMemory, from: number): Holdings | "waiting" | null {
  const { doubt, base, covered } = memory;
  // A start from a slot on says nothing of the slots before it.
  if (memory.from > from) return null;
  if (doubt !== null) return from > slotOf(doubt) ? doubt : "waiting";
  return covered === null ? null : base;
}

/** Returns whether the same accounts hold the same. An account that wallets do not use is in no second answer, so it counts as a change. */
export function holdsTheSame(start: Holdings, held: Holdings): boolean {
  const isSame = ([account, { units }]: [string, { readonly units: bigint }]) =>
    start.get(account)?.units === units;
  return start.size === held.size && [...held].every(isSame);
}

/** An address that holds what it held: nothing has paid it, as only its owner can send what it got. */
export function rememberQuiet(memory: AddressMemory, start: Holdings, range: Range): AddressMemory {
  return { ...memory, from: range.from, covered: range, base: start, doubt: null };
}

/** An address whose holdings are a start as soon as the blocks up to their slot were read. */
export function rememberHeld(memory: AddressMemory, held: Holdings, range: Range): AddressMemory {
  return { ...memory, from: range.from, covered: null, doubt: held };
}
