import type { AddressBook } from "../address-book.ts";
import type { AddressFilter, LateTransfers } from "../blocks.ts";
import { LOG_SPAN, openLearnedSizes } from "../learned-sizes.ts";
import type { NetworkData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import type { ChainTransfer } from "../transfers.ts";
import { parseTransferLogs, TRANSFER_TOPIC, type TransferLog, toAddressTopic } from "./codec.ts";
import { toHexHeight } from "./headers.ts";
import { type Range, readLogTransfers, type TransferSource } from "./scan-transfers.ts";

/** Blocks of this time are looked through again. */
const WINDOW_SECONDS = 600;
/** The time between two requests: the shorter one where a node takes too few blocks in one request to cover all with the other. */
const EVERY_SECONDS = { most: 120, least: 10 };
/** Addresses in a request: as many of the newest as of the others, which take turns. Nodes take 1,000 topics. */
const ADDRESSES = 500;

/**
 * Looks through the last blocks again for tokens that paid our addresses. A filter in the header proves that a block has no logs of a token. It does
 * not prove that an answer has all of them: one that lacks some of a block looks whole. So each block is asked about again, five times where the
 * node takes the whole window in a request and less where it takes few blocks. Blocks that another process read are looked through too, so a restart
 * hides nothing.
 */
export interface SecondLook {
  /** See AddressWatch. Until then, nothing is looked through again. */
  watch(book: AddressBook): void;
  /** See LateReports.list. */
  list(source: TransferSource, height: number, ours: AddressFilter): Promise<LateTransfers>;
}

export function openSecondLook({ blockSeconds }: Pick<NetworkData, "blockSeconds">): SecondLook {
  const blocks = {
    window: Math.ceil(WINDOW_SECONDS / blockSeconds),
    most: Math.ceil(EVERY_SECONDS.most / blockSeconds),
    least: Math.ceil(EVERY_SECONDS.least / blockSeconds),
  };
  const ranges = createRanges(blocks);
  const pickAddresses = createAddressTurns();
  /** The heights of what was listed before, by transfer. */
  const listed = new Map<string, number>();
  let book: AddressBook | null = null;
  return {
    watch(named) {
      book = named;
    },
    async list(source, height, ours) {
      const range = source.tokens.contracts.length === 0 ? null : ranges.take(height);
      const transfers: ChainTransfer[] = [];
      const isFresh = ({ blockHash, txHash, logIndex }: TransferLog) =>
        !listed.has(keyOf(blockHash, source.dialect.fromRpcHash(txHash), logIndex));
      try {
        if (book !== null && range !== null) {
          const addresses = await pickAddresses(book);
          transfers.push(...(await look(source, { range, addresses, isFresh }, ours)));
        }
      } catch (error) {
        if (!isAboutLook(error)) throw error;
        ranges.halve();
      }
      for (const [key, at] of listed) if (at < height - blocks.window) listed.delete(key);
      const done = () => {
        for (const { txHash, position, block } of transfers)
          if (block !== null) listed.set(keyOf(block.hash, txHash, position), block.height);
      };
      return { transfers, done };
    },
  };
}

const keyOf = (blockHash: string, txHash: string, position: number) => `${blockHash} ${txHash} ${position}`;

/** The first reading does not depend on a look. A node that does not answer this question in time may answer all others. */
const isAboutLook = (error: unknown) =>
  error instanceof NodeError && error.kind !== "rate_limited" && error.kind !== "wrong_chain";

/** The blocks of each look: as many of the window as the node takes in one request, downwards, and then from the top again. */
function createRanges(blocks: { readonly window: number; readonly most: number; readonly least: number }) {
  let lookedAt: number | null = null;
  let isRefused = false;
  /** A failure may be a passing one, so the span grows again. */
  const sizes = openLearnedSizes();
  const span = () => sizes.get(LOG_SPAN, blocks.window);
  /** Each block is looked at twice, if the node takes as many blocks as come in the shorter time. */
  const every = () => Math.min(blocks.most, Math.max(blocks.least, Math.floor(span() / 2)));
  let end: number | null = null;
  return {
    halve() {
      // The next pass asks for less. One block is the least: a node that refuses it refuses something else.
      isRefused = span() > 1;
      sizes.shrink(LOG_SPAN, span() / 2);
    },
    /** Null: no look is due. */
    take(height: number): Range | null {
      lookedAt = Math.min(lookedAt ?? height, height);
      if (!isRefused && height - lookedAt < every()) return null;
      isRefused = false;
      lookedAt = height;
      const first = Math.max(0, height - blocks.window + 1);
      const to = end !== null && end >= first && end <= height ? end : height;
      const from = Math.max(first, to - span() + 1);
      end = from - 1;
      return from > to ? null : { from, to };
    },
  };
}

function createAddressTurns() {
  let below: number | null = null;
  return async (book: AddressBook): Promise<readonly string[]> => {
    const newest = await book.listBefore(null, ADDRESSES);
    const oldest = newest.length < ADDRESSES ? undefined : newest.at(-1);
    const others = oldest === undefined ? [] : await book.listBefore(below ?? oldest.id, ADDRESSES);
    below = others.length < ADDRESSES ? null : (others.at(-1)?.id ?? null);
    return [...newest, ...others].map(({ address }) => address);
  };
}

async function look(
  source: TransferSource,
  {
    range,
    addresses,
    isFresh,
  }: {
    readonly range: Range;
    readonly addresses: readonly string[];
    /** Whether the log was not listed before: others cost no further call. */
    readonly isFresh: (log: TransferLog) => boolean;
  },
  ours: AddressFilter,
): Promise<readonly ChainTransfer[]> {
  if (addresses.length === 0) return [];
  const { tokens, dialect, node } = source;
  const topics = [TRANSFER_TOPIC, null, addresses.map((address) => toAddressTopic(dialect.toHex(address)))];
  const address = tokens.contracts.map(({ contract }) => contract);
  const blocks = { fromBlock: toHexHeight(range.from), toBlock: toHexHeight(range.to) };
  const logs = parseTransferLogs(await node.client.call("eth_getLogs", [{ address, topics, ...blocks }]), {
    unreadable: [],
  });
  const inRange = logs.filter(({ blockHeight }) => blockHeight >= range.from && blockHeight <= range.to);
  return readLogTransfers(source, inRange.filter(isFresh), ours);
}
