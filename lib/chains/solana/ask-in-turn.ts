import type { AddressBook } from "../address-book.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { accountOf } from "./fetch-address-balances.ts";
import { fetchSignatures } from "./fetch-signatures.ts";
import type { LateSlots } from "./late-slots.ts";
import { ASKED_AGAIN, type Range } from "./list-address.ts";

/** Slots after which the next address is asked about: about 13 seconds. */
const EVERY_SLOTS = 32;

export interface Turn {
  readonly client: RpcClient;
  readonly book: AddressBook;
  readonly mints: ReadonlySet<string>;
  /** The range that is read now. */
  readonly range: Range;
  /** The newest slot that the node has shown. */
  readonly head: number;
}

/**
 * Asks about one address after the other while whole blocks are read: a block's answer may have left a payment out, and nothing else in it shows
 * that. A node that does not answer is asked about the next address later: the blocks do not wait for it.
 */
export function openTurns(late: LateSlots) {
  let last: number | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** The first slots that this round of all addresses and the one before it were asked about. */
  let rounds: readonly [before: number, now: number] | null = null;
  return async ({ client, book, mints, range, head }: Turn): Promise<void> => {
    if (range.to - askedAt < EVERY_SLOTS) return;
    askedAt = range.to;
    rounds ??= [range.from, range.from];
    const [next] = await book.listBefore(last, 1);
    last = next?.id ?? null;
    if (next === undefined) {
      rounds = [rounds[1], range.from];
      late.forgetBelow(rounds[0] - ASKED_AGAIN);
      return;
    }
    const from = Math.max(0, rounds[0] - ASKED_AGAIN);
    const accounts = [null, ...mints].map((mint) => accountOf(next.address, mint).account);
    try {
      const lists = accounts.map((account) => fetchSignatures(client, account, { from, at: head }));
      const named = (await Promise.all(lists)).flat().filter(({ slot }) => slot >= from);
      late.add(named, range.from);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
    }
  };
}
