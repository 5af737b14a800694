import type { TronSending } from "#lib/chains/tron/sending.ts";
import type { TronSendState } from "#lib/chains/tron/types.ts";
import { listRecentSweeps } from "../sweep-turns.ts";
import type { JournalEntry } from "../types.ts";
import { readSigned } from "./transaction.ts";

const readings = new WeakMap<JournalEntry, ReturnType<typeof readSigned>>();

/** What an entry's bytes say, read once. */
function readEntry(entry: JournalEntry): ReturnType<typeof readSigned> {
  const known = readings.get(entry) ?? readSigned(entry.raw);
  readings.set(entry, known);
  return known;
}

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

interface HotAccount {
  /** Canonical. */
  readonly sender: string;
  readonly sending: TronSending;
  readonly now: () => Date;
}

/** The most that the sweeps of the last 24 hours can have burned, in sun. What an address was sent is what it can burn. */
export function sumCosts(
  own: readonly JournalEntry[],
  { sender, now, sending }: HotAccount,
  { prices }: TronSendState,
): bigint {
  const recent = listRecentSweeps(own, now());
  const given = new Set(recent.flatMap((entry) => readEntry(entry).receiver ?? []));
  return recent.reduce((sum, entry) => {
    const { moves } = entry;
    const { type, feeLimit, bandwidth } = readEntry(entry);
    const funded = moves.filter(
      ({ from, token }) => from === sender && sending.findToken(token)?.contract === null,
    );
    const isNew = type === "AccountCreateContract" || funded.length > 0;
    const fromAddress = moves.find(({ from }) => from !== sender)?.from;
    const isPaidFor = fromAddress !== undefined && (given.has(fromAddress) || isFunded(recent, fromAddress));
    return (
      sum +
      bandwidth * prices.bandwidth +
      (isNew ? prices.newAccount + prices.newAccountBandwidth : 0n) +
      funded.reduce((sent, { amount }) => sent + amount, 0n) +
      (isPaidFor ? 0n : feeLimit)
    );
  }, 0n);
}

const isFunded = (recent: readonly JournalEntry[], address: string): boolean =>
  recent.some(({ moves }) => moves.some(({ to }) => to === address));
