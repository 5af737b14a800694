import type { RpcClient } from "../rpc-client.ts";
import { accountOf } from "./fetch-address-balances.ts";
import {
  type AddressMemory,
  fetchHoldings,
  type Holdings,
  NOTHING_SHOWN,
  type Range,
  slotOf,
} from "./list-address.ts";

interface Compared {
  readonly addresses: readonly string[];
  readonly mints: ReadonlySet<string>;
  /** Addresses whose holdings one call returns. */
  readonly together: number;
  readonly range: Range;
  /** The findings about them are added. */
  readonly memory: Map<string, AddressMemory>;
}

/**
 * Returns the addresses that may have been paid: an address that holds what it held was not, as only its owner can send what it got. Null where
 * the blocks are to be read: earlier holdings are not known, or lists would take more calls than the blocks.
 */
export async function findChanged(
  client: RpcClient,
  { addresses, mints, together, range, memory }: Compared,
): Promise<readonly string[] | null> {
  const gap = range.to - range.from + 1;
  if (Math.ceil(addresses.length / together) > gap) return null;
  const recall = (address: string) => memory.get(address) ?? NOTHING_SHOWN;
  const starts = new Map(addresses.map((address) => [address, findStart(recall(address), range.from)]));
  const asked = addresses.filter((address) => starts.get(address) !== "waiting");
  const changed = new Map<string, Holdings>();
  for (let i = 0; i < asked.length; i += together) {
    const { of } = await fetchHoldings(client, asked.slice(i, i + together), mints, range.to);
    for (const [address, held] of of) {
      const start = starts.get(address);
      if (start instanceof Map && holdsTheSame(start, held, (account) => isUsual(account, address, mints))) {
        memory.set(address, {
          ...recall(address),
          from: range.from,
          covered: range,
          base: start,
          doubt: null,
        });
      } else changed.set(address, held);
    }
  }
  const lists = [...changed.keys()].map((address) => recall(address).calls ?? 1 + mints.size);
  const fits = lists.reduce((sum, count) => sum + count, 0) <= gap;
  if (fits && asked.length === addresses.length) return [...changed.keys()];
  // These holdings are a start as soon as the blocks up to their slot were read.
  for (const [address, held] of changed)
    memory.set(address, { ...recall(address), from: range.from, covered: null, doubt: held });
  return null;
}

/**
 * Returns the holdings of an address when everything up to then was listed or read, as a start for slots from `from` on. "waiting": the blocks
 * up to then are still to be read. Null: nothing is known.
 */
function findStart(memory: AddressMemory, from: number): Holdings | "waiting" | null {
  const { doubt, base, covered } = memory;
  // A start from a slot on says nothing of the slots before it.
  if (memory.from > from) return null;
  if (doubt !== null) return from > slotOf(doubt) ? doubt : "waiting";
  return covered === null ? null : base;
}

/** Returns whether wallets use this account of an address: what it holds is compared. */
const isUsual = (account: string, address: string, mints: ReadonlySet<string>) =>
  [null, ...mints].some((mint) => accountOf(address, mint).account === account);

/**
 * Returns whether the compared accounts hold the same. Others are asked about in turn (ask-in-turn.ts): anyone can make them, and a list in each
 * pass would cost as much as the blocks.
 */
function holdsTheSame(start: Holdings, held: Holdings, isCompared: (account: string) => boolean): boolean {
  const gone = [...start.keys()].filter((account) => !held.has(account));
  return (
    [...held].every(([account, { units }]) => start.get(account)?.units === units) && !gone.some(isCompared)
  );
}
