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

  const fetchBalances = async (tools: PostponedTools): Promise<CoinBalances | null> => {
    const named = (await book?.listBefore(null, MOST_COMPARED + 1)) ?? [];
    if (named.length > MOST_COMPARED) return null;
    return tools.fetchBalances(named.map(({ address }) => address));
  };

  /** Compares balances. Where they differ, or nothing is known, the results of the blocks that wait are read with the next passes. */
  const settle = async (tools: PostponedTools, blocks: BlockRange, height: number) => {
    const now = await fetchBalances(tools);
    // The node that answered may be behind the blocks.
    if (now !== null && now.height < blocks.to) return;
    waiting = null;
    const before = start;
    const isSame = now !== null && before !== null && isUnchanged(before, now);
    if (isSame && isIdle) return;
    start = null;
    next = null;
    // No later comparison covers the newest of them, which a node that is behind does not know.
    const from = isSame ? Math.max(blocks.from, height - MARGIN) : Math.max(1, blocks.from - MARGIN);
    unread = { from, to: height };
  };

  const findStart = async (tools: PostponedTools, height: number) => {
    next ??= await fetchBalances(tools);
    if (next !== null && height >= next.height + MARGIN) start = next;
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
    } else if (start === null) await findStart(tools, height);
    return NONE;
  };

  return {
    watch(named) {
      book = named;
    },
    postpone(range, idle) {
      if (idle === undefined) return false;
      isIdle = idle;
      if (unread === undefined) {
        const below = { from: Math.max(1, range.from - LOOK_BACK), to: range.from - 1 };
        unread = countOf(below) > 0 ? below : null;
      }
      const together: BlockRange = {
        from: Math.min(waiting?.from ?? range.from, range.from),
        to: Math.max(waiting?.to ?? range.to, range.to),
      };
      if (!isIdle || start === null || unread !== null || countOf(together) > MOST_WAITING) return false;
      waiting = together;
      return true;
    },
    async list(tools, height) {
      try {
        return await list(tools, height);
      } catch (error) {
        // Nothing else of the pass waits for them. They are asked for again with the next one.
        if (!(error instanceof NodeError) || error.kind === "rate_limited" || error.kind === "wrong_chain")
          throw error;
        if (!hasFailed) log?.warn({ err: error, ...unread }, FAILED);
        hasFailed = true;
        return NONE;
      }
    },
  };
}
const isUnchanged = (before: CoinBalances, now: CoinBalances): boolean =>
  [...now.of].every(([address, units]) => before.of.get(address) === units);
