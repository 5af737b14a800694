import { hash } from "node:crypto";
import type { AddressBook, WatchedAddress } from "../address-book.ts";

/** Addresses that each server reports at once. A server with default limits takes 4,000 in 11 s. */
const LIVE_ADDRESSES = 4_000;
const PAGE = 1_000;
/** So many of the newest are listed each time: an address may be committed after others with a higher id. */
const OVERLAP = 100;
/** Everything is listed again this often: that may have taken longer. */
const RELIST_MS = 600_000;
/** Addresses of links that end soon. Each was live when it was new, so most still are. */
const DUE_ADDRESSES = 1_000;
const DUE_EVERY_MS = 30_000;

/**
 * The newest addresses, and those of links that end soon, by the name that the protocol has for them. A link ends as unpaid
 * only after its addresses were read past its end. Shared by all servers of a network.
 */
export interface LiveAddresses {
  /** By script hash: those of links that end soon, then the newest first. */
  hashes(): ReadonlyMap<string, string>;
  /** Reads the addresses that were allocated since. Returns whether there were any. */
  refresh(): Promise<boolean>;
  /** The next page below `id` of those that are not live, newest first. Null: begin with the newest of them. */
  listOthers(id: number | null, limit: number): Promise<readonly WatchedAddress[]>;
}

/** The protocol's name of a script: its SHA-256, in reverse byte order. */
export function hashScript(script: Uint8Array): string {
  return hash("sha256", script, "buffer").reverse().toString("hex");
}

export function openLiveAddresses(
  book: AddressBook,
  hashOf: (address: string) => string,
  capacity = LIVE_ADDRESSES,
): LiveAddresses {
  /** Oldest first. */
  let held: readonly WatchedAddress[] = [];
  let due: readonly WatchedAddress[] = [];
  let hashes: ReadonlyMap<string, string> = new Map();
  let listedAt = Number.NEGATIVE_INFINITY;
  let dueAt = Number.NEGATIVE_INFINITY;

  async function listNewest(): Promise<readonly WatchedAddress[]> {
    const newest: WatchedAddress[] = [];
    while (newest.length < capacity) {
      const limit = Math.min(PAGE, capacity - newest.length);
      const page = await book.listBefore(newest.at(-1)?.id ?? null, limit);
      newest.push(...page);
      if (page.length < limit) break;
    }
    return newest.toReversed();
  }

  async function list(): Promise<readonly WatchedAddress[]> {
    const newest = held.at(-1);
    if (newest === undefined || performance.now() - listedAt >= RELIST_MS) {
      listedAt = performance.now();
      return listNewest();
    }
    const listed = await book.listAfter(held.at(-OVERLAP)?.id ?? 0, PAGE);
    const known = new Set(held.slice(-PAGE).map(({ id }) => id));
    const lowest = held[0]?.id ?? 0;
    const fresh = listed.filter(({ id }) => id > lowest && !known.has(id));
    if (fresh.length === 0) return held;
    return [...held, ...fresh].sort((a, b) => a.id - b.id).slice(-capacity);
  }
  async function listDue(): Promise<readonly WatchedAddress[]> {
    if (performance.now() - dueAt < DUE_EVERY_MS) return due;
    dueAt = performance.now();
    const listed = await book.listDue(DUE_ADDRESSES);
    const lowest = held[0]?.id ?? 0;
    return listed.filter(({ id }) => id < lowest);
  }
  return {
    hashes: () => hashes,
    async refresh() {
      const now = await list();
      const isNew = now !== held && now.length + held.length > 0;
      if (isNew) held = now;
      const dueNow = await listDue();
      const isOther = dueNow !== due && dueNow.length + due.length > 0;
      due = dueNow;
      if (isNew || isOther)
        hashes = new Map([...due, ...held.toReversed()].map(({ address }) => [hashOf(address), address]));
      return isNew || isOther;
    },
    listOthers: (id, limit) => book.listBefore(id ?? held[0]?.id ?? null, limit),
  };
}
