import type { AddressBook, WatchedAddress } from "../address-book.ts";

/** Slots after which the next address is asked about: about 10 seconds. */
const EVERY_SLOTS = 32;
/** The same for few addresses, while no payment is expected, or lists are asked for: with every third pass of 30 seconds. */
const SLOW_EVERY_SLOTS = 256;
/** The first rounds, and a round after failures, ask for these slots again, about four days: another process may not have ended its round. */
export const MOST_SLOTS = 1_000_000;
/** A round takes no more slots than this, so that MOST_SLOTS covers three rounds. */
const ROUND_SLOTS = MOST_SLOTS / 3;
/** With more addresses a round takes longer. All blocks are read then (watched-slots.ts). */
const MOST_ADDRESSES = Math.floor(ROUND_SLOTS / EVERY_SLOTS);

/** A round of all addresses. */
interface Round {
  /** The first slot that its addresses are asked about. */
  readonly from: number;
  /** The slots at which the round before it and this one began. */
  readonly before: number;
  readonly begun: number;
}

/** Decides which address has its turn, and which slots it is asked about. */
export function openRounds() {
  let last: number | null = null;
  let slowEvery = SLOW_EVERY_SLOTS;
  let round: Round | null = null;
  /** True if a round left addresses out: the first one begins anywhere, so that processes that end early ask about all addresses together. */
  let hasFailed = true;

  /** Begins a round. Returns its addresses. */
  const begin = async (book: AddressBook, next: Round) => {
    const all = await book.listBefore(null, MOST_ADDRESSES);
    const fitting = Math.floor(ROUND_SLOTS / Math.max(1, all.length));
    slowEvery = Math.max(EVERY_SLOTS, Math.min(SLOW_EVERY_SLOTS, fitting));
    round = next;
    return all;
  };
  const beginFirst = async (book: AddressBook, slot: number): Promise<Round> => {
    const from = slot - MOST_SLOTS;
    const first = { from, before: from, begun: slot };
    const all = await begin(book, first);
    const one = all[Math.floor(Math.random() * all.length)];
    last = one === undefined ? null : one.id + 1;
    return first;
  };
  const beginNext = async (book: AddressBook, slot: number, { from, before, begun }: Round) => {
    // Addresses that were not answered about are asked about the same slots again: about those since the round before at least.
    const again = Math.max(from, Math.min(before, slot - MOST_SLOTS));
    // All slots are asked about twice: one answer may leave something out.
    await begin(book, { from: hasFailed ? again : before, before: begun, begun: slot });
    hasFailed = false;
  };

  return {
    /** The address that is asked about from a slot on. Null: the round has ended, and the next one begins. `slot`: the first one of the range. */
    async findNext(
      book: AddressBook,
      slot: number,
    ): Promise<(WatchedAddress & { readonly from: number }) | null> {
      const current = round ?? (await beginFirst(book, slot));
      const [next] = await book.listBefore(last, 1);
      last = next?.id ?? null;
      if (next !== undefined) return { ...next, from: current.from };
      await beginNext(book, slot, current);
      return null;
    },
    /** The round has left an address out. */
    fail() {
      hasFailed = true;
    },
    /** Slots between two turns. */
    everySlots: (isSlow: boolean) => (isSlow ? slowEvery : EVERY_SLOTS),
    /** The first slot that addresses are asked about. Null: there was no turn. */
    from: () => round?.from ?? null,
  };
}
