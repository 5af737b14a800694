import type { Logger } from "pino";
import type { AddressBook } from "../address-book.ts";
import type { BlockRange, LateTransfers } from "../blocks.ts";
import { NodeError } from "../node-error.ts";
import type { ChainTransfer } from "../transfers.ts";

/** Blocks whose results wait together: ten minutes. Balances are compared then. */
const TOGETHER = 200;
/** The most blocks that wait, with the last pass. */
const MOST_WAITING = 240;
/** Blocks until one is solid. A balance is compared with blocks on both sides of it. */
const MARGIN = 20;
/** Blocks whose results are read in one pass. */
const AT_ONCE = 40;
/** Blocks below the first scan of a process. An earlier process may have ended before it read their results. */
const LOOK_BACK = MOST_WAITING + MARGIN + 100;
/** With more addresses their balances take more than the results do. */
export const MOST_COMPARED = 2_000;

/** The coins of addresses, at the node's newest block or below. */
export interface CoinBalances {
  readonly height: number;
  readonly of: ReadonlyMap<string, bigint>;
}

/** The questions to the node of a pass. */
export interface PostponedTools {
  fetchBalances(addresses: readonly string[]): Promise<CoinBalances>;
  /** Reads blocks with their results. */
  read(range: BlockRange): Promise<readonly ChainTransfer[]>;
}

/**
 * Decides when the results of blocks are read. They show coins that contracts send, and java-tron answers those of one block at a time. While no
 * payment is expected they wait, ten minutes at most: where no address holds another amount then, no contract has paid one. Otherwise the
 * results of all these blocks are read, and their payments are late ones.
 */
export interface PostponedResults {
  /** See AddressWatch. Until then, nothing waits. */
  watch(book: AddressBook): void;
  /** Returns whether the results of these new blocks may wait, and remembers the blocks. `isIdle` undefined: they are read again. */
  postpone(range: BlockRange, isIdle: boolean | undefined): boolean;
  /** See LateReports.list. */
  list(tools: PostponedTools, height: number): Promise<LateTransfers>;
}

const FAILED = "coins that contracts sent while no payment was expected are not read yet";

const NONE: LateTransfers = { transfers: [], done: () => {} };
const countOf = (range: BlockRange | null) => (range === null ? 0 : range.to - range.from + 1);

export function openPostponedResults(log?: Logger): PostponedResults {
  let book: AddressBook | null = null;
  let isIdle = false;
  /** The balances of the addresses when all results up to then were read. Null: not known. */
  let start: CoinBalances | null = null;
  /** The next start, once the results of the blocks around it were read. */
  let next: CoinBalances | null = null;
  let waiting: BlockRange | null = null;
  /** Blocks whose results are to be read. Undefined before the first scan. */
  let unread: BlockRange | null | undefined;
  let hasFailed = false;

  /** Compares balances. Where they differ, or nothing is known, the results of the blocks that wait are read with the next passes. */
  const settle = async (tools: PostponedTools, blocks: BlockRange, height: number) => {
    const now = await fetchBalances(book, tools);
    // The node that answered may be behind the blocks.
    if (now !== null && now.height < blocks.to) return;
    waiting = null;
    const isSame = now !== null && start !== null && isUnchanged(start, now);
    if (isSame && isIdle) return;
    start = null;
    next = null;
    unread = { from: findFirst(blocks, height, isSame), to: height };
  };

  const list = async (tools: PostponedTools, height: number): Promise<LateTransfers> => {
    if (book === null || unread === undefined) return NONE;
    if (unread !== null) {
      const { from, to } = unread;
      const part = { from, to: Math.min(to, from + AT_ONCE - 1) };
      const transfers = await tools.read(part);
      const done = () => {
        hasFailed = false;
        unread = part.to < to ? { from: part.to + 1, to } : null;
      };
      return { transfers, done };
    }
    if (waiting !== null && (!isIdle || countOf(waiting) >= TOGETHER)) await settle(tools, waiting, height);
    else if (!isIdle) {
      start = null;
      next = null;
    } else if (start === null) {
      next ??= await fetchBalances(book, tools);
      if (next !== null && height >= next.height + MARGIN) start = next;
    }
    return NONE;
  };

  return {
    watch(named) {
      book = named;
    },
    postpone(range, idle) {
      if (idle === undefined) return false;
      isIdle = idle;
      if (unread === undefined) unread = findBelow(range.from);
      const together = join(waiting ?? range, range);
      if (!isIdle || start === null || unread !== null || countOf(together) > MOST_WAITING) return false;
      waiting = together;
      return true;
    },
    async list(tools, height) {
      try {
        return await list(tools, height);
      } catch (error) {
        if (!isAboutQuestion(error)) throw error;
        if (!hasFailed) log?.warn({ err: error, ...unread }, FAILED);
        hasFailed = true;
        return NONE;
      }
    },
  };
}
/** The blocks below the first scan of a process. Null: there is none. */
function findBelow(first: number): BlockRange | null {
  const below = { from: Math.max(1, first - LOOK_BACK), to: first - 1 };
  return countOf(below) > 0 ? below : null;
}

/** The first block to read after a comparison. No later one covers the newest blocks, which a node that is behind does not know. */
const findFirst = (blocks: BlockRange, height: number, isSame: boolean): number =>
  isSame ? Math.max(blocks.from, height - MARGIN) : Math.max(1, blocks.from - MARGIN);

/** Null: there are too many addresses. */
async function fetchBalances(book: AddressBook | null, tools: PostponedTools): Promise<CoinBalances | null> {
  const named = (await book?.listBefore(null, MOST_COMPARED + 1)) ?? [];
  if (named.length > MOST_COMPARED) return null;
  return tools.fetchBalances(named.map(({ address }) => address));
}

const join = (a: BlockRange, b: BlockRange): BlockRange => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
});

/** A node that does not answer this question may answer all others. It is asked again with the next pass. */
const isAboutQuestion = (error: unknown) =>
  error instanceof NodeError && error.kind !== "rate_limited" && error.kind !== "wrong_chain";

const isUnchanged = (before: CoinBalances, now: CoinBalances): boolean =>
  [...now.of].every(([address, units]) => before.of.get(address) === units);
