import type { JournalEntry } from "../types.ts";
import { readSigned } from "./transaction.ts";

const readings = new WeakMap<JournalEntry, ReturnType<typeof readSigned>>();

/** Reads an entry's bytes, once. */
function readEntry(entry: JournalEntry): ReturnType<typeof readSigned> {
  const known = readings.get(entry) ?? readSigned(entry.raw);
  readings.set(entry, known);
  return known;
}

/** Whether a hot account signed an entry, or the entry moves to it what an address holds. */
export const isOf = (sender: string, entry: JournalEntry): boolean =>
  readEntry(entry).owner === sender || entry.moves.some(({ to }) => to === sender);

/** Whether a transaction of a sweep is about an address. */
export function concerns(entry: JournalEntry, address: string): boolean {
  const { kind, moves } = entry;
  if (kind !== "sweep") return false;
  return (
    moves.some(({ from, to }) => from === address || to === address) || readEntry(entry).receiver === address
  );
}

/** Addresses with a delegation that was not ended after it, and when it was signed. */
export function listDelegated(own: readonly JournalEntry[]): Map<string, Date> {
  const open = new Map<string, Date>();
  for (const entry of own) {
    const { kind, moves, at } = entry;
    if (kind !== "sweep" || moves.length > 0) continue;
    const { type, receiver } = readEntry(entry);
    if (receiver === null) continue;
    if (type === "DelegateResourceContract") open.set(receiver, at);
    if (type === "UnDelegateResourceContract") open.delete(receiver);
  }
  return open;
}

/** Whether the hot account gave an address energy or coins for its sweep since a time: what the address then burns was counted with that. */
export const wasGiven = (own: readonly JournalEntry[], address: string, since: Date): boolean =>
  own.some(
    (entry) =>
      entry.kind === "sweep" &&
      entry.at > since &&
      (readEntry(entry).receiver === address || entry.moves.some(({ to }) => to === address)),
  );
