import type { AddressBook } from "../address-book.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { accountOf } from "./fetch-address-balances.ts";
import { fetchSignatures, fetchTokenAccounts } from "./fetch-signatures.ts";
import type { LateSlots } from "./late-slots.ts";
import { ASKED_AGAIN, type Range } from "./list-address.ts";

/** Slots after which the next address is asked about: about 13 seconds. */
const EVERY_SLOTS = 32;
/** The same while no payment is expected: with every third pass of 30 seconds. */
const IDLE_EVERY_SLOTS = 256;
/** Slots without a question after a failure: about ten minutes. */
const FAILED_SLOTS = 1_500;
/** Anybody can name an address in many transactions, for a fee each. A list of more pages is not read. */
const MOST_PAGES = 5;
/** A round after failures asks for no more slots than these, about four days. */
const MOST_SLOTS = 1_000_000;

export interface Turn {
  readonly client: RpcClient;
  readonly book: AddressBook;
  readonly mints: ReadonlySet<string>;
  /** The range that is read now. */
  readonly range: Range;
  /** The newest slot that the node has shown. */
  readonly head: number;
  /** No payment is expected, and blocks are not read: token accounts that wallets do not use are asked about, too. */
  readonly isIdle: boolean;
}

/**
 * Asks about one address after the other while whole blocks are read: a block's answer may have left a payment out, and nothing else in it shows
 * that. While no payment is expected, it finds what a comparison of holdings does not: a payment that left at once, and one to another token account. A node that does not answer is asked about the next address later, and its blocks are read in the meantime.
 */
export function openTurns(late: LateSlots) {
  let last: number | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** The first slots that this round of all addresses and the one before it were asked about. */
  let rounds: readonly [before: number, now: number] | null = null;
  let hasFailed = false;
  const ask = async ({ client, book, mints, range, head, isIdle }: Turn): Promise<void> => {
    if (range.to - askedAt < (isIdle ? IDLE_EVERY_SLOTS : EVERY_SLOTS)) return;
    askedAt = range.to;
    rounds ??= [range.from, range.from];
    const [next] = await book.listBefore(last, 1);
    last = next?.id ?? null;
    if (next === undefined) {
      // The next round asks again for the slots of addresses that were not answered about.
      rounds = [Math.max(hasFailed ? rounds[0] : rounds[1], range.from - MOST_SLOTS), range.from];
      hasFailed = false;
      late.forgetBelow(rounds[0] - ASKED_AGAIN);
      return;
    }
    const from = Math.max(0, rounds[0] - ASKED_AGAIN);
    const accounts = new Set([null, ...mints].map((mint) => accountOf(next.address, mint).account));
    try {
      for (const mint of isIdle ? mints : []) {
        const found = await fetchTokenAccounts(client, { owner: next.address, mint, at: head });
        for (const account of found.units.keys()) accounts.add(account);
      }
      const lists = [...accounts].map((account) =>
        fetchSignatures(client, account, { from, at: head, mostPages: MOST_PAGES }),
      );
      const named = (await Promise.all(lists)).flat().filter(({ slot }) => slot >= from);
      late.add(named, range.from);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      hasFailed = true;
      askedAt = range.to + FAILED_SLOTS;
    }
  };
  /** The lowest slot that a later question may ask for, in a range from `slot` on. */
  const lowest = (slot: number) => Math.min(slot, rounds?.[0] ?? slot) - ASKED_AGAIN;
  return { ask, lowest };
}
