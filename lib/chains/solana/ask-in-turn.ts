import type { AddressBook } from "../address-book.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { accountOf } from "./fetch-address-balances.ts";
import { fetchSignatures, fetchTokenAccounts } from "./fetch-signatures.ts";
import type { LateSlots } from "./late-slots.ts";
import { ASKED_AGAIN, type Range } from "./list-address.ts";

/** Slots after which the next address is asked about: about 13 seconds. */
const EVERY_SLOTS = 32;
/** The same while no payment is expected, or lists are asked for: with every third pass of 30 seconds. */
const SLOW_EVERY_SLOTS = 256;
/** Slots without a question after a failure: about ten minutes. */
const FAILED_SLOTS = 1_500;
/** Anybody can name an address in many transactions, for a fee each. A list of more pages is not read. */
const MOST_PAGES = 5;
/** The first rounds, and a round after failures, ask for these slots again, about four days: another process may not have ended its round. */
const MOST_SLOTS = 1_000_000;

export interface Turn {
  readonly client: RpcClient;
  readonly book: AddressBook;
  readonly mints: ReadonlySet<string>;
  /** The range that is read now. */
  readonly range: Range;
  /** The newest slot that the node has shown. */
  readonly head: number;
  /** No payment is expected, or no blocks are read: fewer calls matter more than seconds. */
  readonly isSlow: boolean;
}

/**
 * Asks about one address after the other: a block's answer may have left a payment out, and nothing else in it shows that. It also finds what a
 * comparison of holdings does not: a payment that left at once, and one to another token account. A round continues when payments are expected
 * again, and the first two cover what another process compared. A node that does not answer is asked about the next address later.
 */
export function openTurns(late: LateSlots) {
  let last: number | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** The first slots that this round of all addresses and the one before it were asked about. */
  let rounds: readonly [before: number, now: number] | null = null;
  /** True if a round left addresses out: the first one begins anywhere, so that processes that end early ask about all addresses together. */
  let hasFailed = true;
  let showsAccounts = true;
  const ask = async ({ client, book, mints, range, head, isSlow }: Turn): Promise<void> => {
    if (range.to - askedAt < (isSlow ? SLOW_EVERY_SLOTS : EVERY_SLOTS)) return;
    askedAt = range.to;
    if (rounds === null) {
      rounds = [range.from - MOST_SLOTS, range.from];
      const [newest] = await book.listBefore(null, 1);
      last = newest === undefined ? null : 1 + Math.ceil(Math.random() * newest.id);
    }
    const [next] = await book.listBefore(last, 1);
    last = next?.id ?? null;
    if (next === undefined) {
      // The next round asks again for the slots of addresses that were not answered about.
      const failedFrom = Math.max(rounds[0], range.from - MOST_SLOTS);
      rounds = [hasFailed ? Math.min(failedFrom, rounds[1]) : rounds[1], range.from];
      hasFailed = false;
      late.forgetBelow(rounds[0] - ASKED_AGAIN);
      return;
    }
    const from = Math.max(0, rounds[0] - ASKED_AGAIN);
    const accounts = new Set([null, ...mints].map((mint) => accountOf(next.address, mint).account));
    try {
      const others = await listTokenAccounts(client, { owner: next.address, mints, at: head });
      showsAccounts = others !== null;
      // A node refuses in passing, too.
      if (!showsAccounts) hasFailed = true;
      for (const account of others ?? []) accounts.add(account);
      const lists = [...accounts].map((account) =>
        fetchSignatures(client, account, { from, at: head, mostPages: MOST_PAGES }),
      );
      const named = (await Promise.all(lists)).flat().filter(({ slot }) => slot >= from);
      const recorded = await book.findRecordedBlocks(named.map(({ signature }) => signature));
      late.add(
        named.filter(({ signature }) => !recorded.has(signature)),
        range.from,
      );
    } catch (error) {
      hasFailed = true;
      if (!(error instanceof NodeError)) throw error;
      askedAt = range.to + FAILED_SLOTS;
    }
  };
  /** The lowest slot that a later question may ask for, in a range from `slot` on. */
  const lowest = (slot: number) => Math.min(slot, rounds?.[0] ?? slot) - ASKED_AGAIN;
  return { ask, lowest, showsAccounts: () => showsAccounts };
}

/** Lists all token accounts of an owner. Null: the node refuses to. */
async function listTokenAccounts(
  client: RpcClient,
  { owner, mints, at }: { readonly owner: string; readonly mints: ReadonlySet<string>; readonly at: number },
): Promise<readonly string[] | null> {
  const found: string[] = [];
  try {
    for (const mint of mints)
      found.push(...(await fetchTokenAccounts(client, { owner, mint, at })).units.keys());
  } catch (error) {
    if (error instanceof NodeError && error.kind === "refused") return null;
    throw error;
  }
  return found;
}
