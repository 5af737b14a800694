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

  /** Returns null if `held` stays as it is. */
  async function list(): Promise<readonly WatchedAddress[] | null> {
    const newest = held.at(-1);
    if (newest === undefined || performance.now() - listedAt >= RELIST_MS) {
      const all = await listNewest();
      listedAt = performance.now();
      return newest === undefined && all.length === 0 ? null : all;
    }
    const listed = await book.listAfter(held.at(-OVERLAP)?.id ?? 0, PAGE);
    const known = new Set(held.slice(-PAGE).map(({ id }) => id));
    const lowest = held[0]?.id ?? 0;
    const fresh = listed.filter(({ id }) => id > lowest && !known.has(id));
    if (fresh.length === 0) return null;
    return [...held, ...fresh].sort((a, b) => a.id - b.id).slice(-capacity);
  }
  /** Returns null until DUE_EVERY_MS have passed, and while the list stays empty. */
  async function listDue(lowest: number): Promise<readonly WatchedAddress[] | null> {
    if (performance.now() - dueAt < DUE_EVERY_MS) return null;
    const listed = await book.listDue(DUE_ADDRESSES);
    dueAt = performance.now();
    const found = listed.filter(({ id }) => id < lowest);
    return found.length + due.length === 0 ? null : found;
  }
  return {
    hashes: () => hashes,
    async refresh() {
      const newest = await list();
      const others = await listDue((newest ?? held)[0]?.id ?? 0);
      if (newest === null && others === null) return false;
      // All at once: after a failure in between, an address would be known and never watched.
      held = newest ?? held;
      due = others ?? due;
      hashes = new Map([...due, ...held.toReversed()].map(({ address }) => [hashOf(address), address]));
      return true;
    },
    listOthers: (id, limit) => book.listBefore(id ?? held[0]?.id ?? null, limit),
  };
}
