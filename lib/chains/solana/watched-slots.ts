import type { Logger } from "pino";
import type { AddressBook } from "../address-book.ts";
import { NodeError } from "../network.ts";
import type { RpcClient } from "../rpc-client.ts";
import { fetchSignatures, fetchTokenAccounts, fetchTokenAccountsIn } from "./fetch-signatures.ts";
import type { SolanaBlockHeader } from "./parse-block.ts";

/** Asked at once. */
const AT_ONCE = 4;
/** With more addresses than this the blocks are read, however many they are. */
const MOST_ADDRESSES = 10_000;
/**
 * Slots before a range that are asked about again with it, about four minutes: a node's index of signatures may be behind its
 * blocks. It costs no further call.
 */
const ASKED_AGAIN = 750;
/** A node that refused is asked again after this time. */
const REFUSED_MS = 3_600_000;

/** The slots from..to in which an address or a token account of it is named. */
interface Coverage {
  readonly from: number;
  readonly to: number;
  readonly slots: readonly number[];
  /** Calls that it took. */
  readonly calls: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** What was learned from one node. */
export interface WatchedSlots {
  /** The newest block that the node has shown. Null: none yet. */
  head: SolanaBlockHeader | null;
  /**
   * The slots of the range that can hold payments to us. Null: its blocks are to be read, because that takes fewer calls,
   * or because the node refuses. Throws NodeError.
   */
  find(client: RpcClient, range: Range): Promise<ReadonlySet<number> | null>;
  /** Slots up to this one that the node listed only after their range was read. They are returned until they are dropped. */
  listLate(slot: number): readonly number[];
  dropLate(slots: readonly number[]): void;
}

/** The addresses to look for, and the mints of which they may have tokens. */
export interface Watched {
  /** Null: they are not known, so all blocks are read. */
  book: AddressBook | null;
  readonly mints: ReadonlySet<string>;
  readonly log?: Logger | undefined;
}

/**
 * Finds the slots to read by asking for the transactions of every address and of every token account of it, up to the
 * node's head, so that catching up asks once. What is asked: an address is named by what pays SOL to it, and by what it
 * signs. Tokens arrive in a token account, and only that account is named. A token account that was given away or closed is
 * in no list, but its owner has signed for that: it is found in that transaction.
 */
export function openWatchedSlots(watched: Watched): WatchedSlots {
  let covered: ReadonlyMap<string, Coverage> = new Map();
  let refusedAt = Number.NEGATIVE_INFINITY;
  const late = createLateSlots();

  async function cover(client: RpcClient, addresses: readonly string[], range: Range): Promise<void> {
    const next = new Map(addresses.flatMap((a) => (covered.has(a) ? [[a, covered.get(a) as Coverage]] : [])));
    covered = next;
    const missing = addresses.filter((address) => !covers(next.get(address), range));
    const to = Math.max(range.to, self.head?.slot ?? 0);
    for (let i = 0; i < missing.length; i += AT_ONCE) {
      const parts = missing.slice(i, i + AT_ONCE).map(async (address) => {
        // Kept one by one: after a failure the next pass continues.
        const coverage = await coverAddress(client, address, { from: range.from, to }, watched.mints);
        late.add(coverage.slots, range.from);
        next.set(address, coverage);
      });
      const failed = (await Promise.allSettled(parts)).find((part) => part.status === "rejected");
      if (failed) throw failed.reason;
    }
  }

  const self: WatchedSlots = {
    head: null,
    listLate: late.list,
    dropLate: late.drop,
    async find(client, range) {
      const { book, mints, log } = watched;
      // The head is written completely. Of what is above it the node may not have listed everything yet.
      if (book === null || self.head === null || self.head.slot < range.to) return null;
      if (performance.now() - refusedAt < REFUSED_MS) return null;
      const gap = self.head.slot - range.from + 1;
      const most = Math.min(gap, MOST_ADDRESSES);
      // After the head was read: an address is listed before anybody can pay to it.
      const addresses = (await book.listBefore(null, most + 1)).map(({ address }) => address);
      if (addresses.length > most || countCalls(addresses, range) > gap) return null;
      try {
        await cover(client, addresses, range);
      } catch (error) {
        if (!(error instanceof NodeError) || error.kind !== "refused") throw error;
        refusedAt = performance.now();
        log?.warn(
          { err: error },
          "the node does not list the transactions of our addresses: every block is read",
        );
        return null;
      }
      const slots = [...covered.values()].flatMap((coverage) => coverage.slots);
      return new Set(slots.filter((slot) => slot >= range.from && slot <= range.to));

      function countCalls(all: readonly string[], wanted: Range): number {
        return all
          .map((address) => covered.get(address))
          .map((coverage) => (covers(coverage, wanted) ? 0 : (coverage?.calls ?? 1 + mints.size)))
          .reduce((sum, calls) => sum + calls, 0);
      }
    },
  };
  return self;
}

/** Remembers which slots were listed, and finds those that were not when their range was read. */
function createLateSlots() {
  const known = new Set<number>();
  const late = new Set<number>();
  /** Of what was read before, nothing is known. */
  let first: number | null = null;
  return {
    /** `from`: the first slot of the range that is read now. */
    add(slots: readonly number[], from: number) {
      first ??= from;
      for (const slot of slots) {
        if (slot >= first && slot < from && !known.has(slot)) late.add(slot);
        known.add(slot);
      }
      for (const slot of known) if (slot < from - ASKED_AGAIN) known.delete(slot);
    },
    list: (slot: number): readonly number[] => [...late].filter((one) => one <= slot).sort((a, b) => a - b),
    drop(slots: readonly number[]) {
      for (const slot of slots) late.delete(slot);
    },
  };
}

function covers(coverage: Coverage | undefined, { from, to }: Range): boolean {
  return coverage !== undefined && coverage.from <= from && coverage.to >= to;
}

async function coverAddress(
  client: RpcClient,
  owner: string,
  { from, to }: Range,
  mints: ReadonlySet<string>,
): Promise<Coverage> {
  const accounts = new Set<string>();
  const since = Math.max(0, from - ASKED_AGAIN);
  let at = to;
  for (const mint of mints) {
    const listed = await fetchTokenAccounts(client, { owner, mint, at });
    at = listed.slot;
    for (const account of listed.accounts) accounts.add(account);
  }
  // Up to the slot of the lists: what left them by then was signed by the owner.
  const signed = await fetchSignatures(client, owner, { from: since, at });
  const calls = mints.size + 1 + accounts.size;
  if (mints.size > 0) {
    for (const { signature } of signed) {
      for (const account of await fetchTokenAccountsIn(client, signature, { owner, mints }))
        accounts.add(account);
    }
  }
  const slots = new Set(signed.map(({ slot }) => slot));
  for (const account of accounts) {
    for (const { slot } of await fetchSignatures(client, account, { from: since, at: to })) slots.add(slot);
  }
  return { from, to, slots: [...slots], calls };
}
