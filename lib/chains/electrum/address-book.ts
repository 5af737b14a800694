import { hash } from "node:crypto";
import type { AddressBook, WatchedAddress } from "../address-book.ts";

/** Addresses that each server reports at once. A server with default limits takes 4,000 in 11 s. */
export const LIVE_ADDRESSES = 4_000;
const PAGE = 1_000;
/** So many of the newest are listed each time: an address may be committed after others with a higher id. */
const OVERLAP = 100;
/** Everything is listed again this often: that may have taken longer. */
const RELIST_MS = 600_000;

/** The newest addresses, by the name that the protocol has for them. Shared by all servers of a network. */
export interface LiveAddresses {
  /** By script hash, oldest first. */
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
  let hashes: ReadonlyMap<string, string> = new Map();
  let listedAt = Number.NEGATIVE_INFINITY;

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
  return {
    hashes: () => hashes,
    async refresh() {
      const now = await list();
      if (now === held || (now.length === 0 && held.length === 0)) return false;
      held = now;
      hashes = new Map(now.map(({ address }) => [hashOf(address), address]));
      return true;
    },
    listOthers: (id, limit) => book.listBefore(id ?? held[0]?.id ?? null, limit),
  };
}
