import { LOG_SPAN } from "../learned-sizes.ts";
import { NodeError } from "../network.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { UnreadableEntry } from "../unreadable.ts";
import { CHAIN_ID_CALL, checkChainId } from "./chain-state.ts";
import type { SilentBlocks } from "./check-log-index.ts";
import {
  type EvmBlockHeader,
  parseEvmHeader,
  parseTransferLogs,
  TRANSFER_TOPIC,
  type TransferLog,
  toAddressTopic,
} from "./codec.ts";
import type { NativeNode } from "./native-reader.ts";

/**
 * Blocks at the end of a range that are requested by hash. A node that does not have a block reports an
 * error by hash, but returns no logs by height. Nodes behind one URL can have different heights.
 */
const BY_HASH = 16;

export interface LogScan {
  readonly logs: readonly TransferLog[];
  readonly tip: EvmBlockHeader;
  readonly parentHash: string;
  /** Headers already read, by height. */
  readonly headers: ReadonlyMap<number, EvmBlockHeader>;
  /** Blocks without a log. */
  readonly silent: SilentBlocks;
  /** Logs of the contracts that cannot be parsed. */
  readonly unreadable: readonly UnreadableEntry[];
}

export function toHexHeight(height: number): string {
  return `0x${height.toString(16)}`;
}

/** Fetches the headers at these heights. Null where the chain is not that long. One request. */
export async function fetchEvmHeaders(
  client: RpcClient,
  heights: readonly number[],
): Promise<readonly (EvmBlockHeader | null)[]> {
  const answers = await client.batch(
    heights.map((height) => ({ method: "eth_getBlockByNumber", params: [toHexHeight(height), false] })),
  );
  return answers.map((answer, i) => {
    const header = parseEvmHeader(answer);
    if (header !== null && header.height !== heights[i]) {
      throw new NodeError("malformed", `asked for block ${heights[i]}, the node sent ${header.height}`);
    }
    return header;
  });
}

/**
 * Token transfers of blocks from..to, all of one branch. `whole` has the headers that were read before: all
 * of them in order, or none. Throws NodeError("inconsistent") when the chain was reorganized, and
 * NodeError("wrong_chain") when the node is of another chain now: a branch of it may have the same first blocks.
 */
export async function scanLogs(
  { client, knownHead }: Pick<NativeNode, "client" | "knownHead">,
  { chainId, contracts }: { readonly chainId: number; readonly contracts: readonly string[] },
  { from, to }: { from: number; to: number },
  whole: readonly EvmBlockHeader[] = [],
): Promise<LogScan> {
  const firstByHash = Math.max(from, to - BY_HASH + 1);
  const newest =
    whole.length > 0
      ? whole.slice(firstByHash - from)
      : await readBranch(client, { from: firstByHash, to }, knownHead());
  const [first, tip] = [newest[0], newest.at(-1)];
  if (first === undefined || tip === undefined) throw new RangeError("scan: an empty range");
  const read = whole.length > 0 ? whole : newest;
  const headers = new Map(read.map((header) => [header.height, header]));
  // An empty list of contracts would mean every contract.
  if (contracts.length === 0) {
    checkChainId(await client.call(CHAIN_ID_CALL.method), chainId);
    const silent = { newest: [], older: [] };
    return { logs: [], tip, parentHash: read[0]?.parentHash ?? "", headers, silent, unreadable: [] };
  }

  const filter = { address: contracts, topics: [TRANSFER_TOPIC] };
  const unreadable: UnreadableEntry[] = [];
  const older = { from, to: firstByHash - 1 };
  const byHeight =
    firstByHash > from
      ? await inParts(client, older, async ({ fromBlock, toBlock }) =>
          parseTransferLogs(await client.call("eth_getLogs", [{ ...filter, fromBlock, toBlock }]), {
            unreadable,
          }),
        )
      : [];
  const [id, ...byHash] = await client.batch([
    CHAIN_ID_CALL,
    ...newest.map(({ hash }) => ({ method: "eth_getLogs", params: [{ ...filter, blockHash: hash }] })),
  ]);
  checkChainId(id, chainId);
  const logs = [...byHeight, ...byHash.flatMap((answer) => parseTransferLogs(answer, { unreadable }))];
  let parentHash = first.parentHash;
  if (firstByHash > from) {
    // Read after the logs, so the branch was the same before (first's parent) and after.
    const known = whole[0];
    const after = await fetchEvmHeaders(client, known ? [firstByHash - 1] : [firstByHash - 1, from]);
    const [last, oldest = known] = after;
    if (!oldest || last?.hash !== first.parentHash) {
      throw new NodeError("inconsistent", "the chain moved while it was read");
    }
    parentHash = oldest.parentHash;
  }
  for (const log of logs) checkBelongs(log, contracts, { from, to }, headers.get(log.blockHeight));
  const silent = {
    newest: newest.flatMap(({ height }, i) => (isEmpty(byHash[i]) ? height : [])),
    older: unreadable.length === 0 ? pickHeights(beforeFirst(byHeight, older)) : [],
  };
  return { logs, tip, parentHash, headers, silent, unreadable };
}

const isEmpty = (answer: unknown) => Array.isArray(answer) && answer.length === 0;

/** The part of the range below its first log: an index of logs that began later has none there. */
function beforeFirst(
  logs: readonly TransferLog[],
  { from, to }: { readonly from: number; readonly to: number },
) {
  return { from, to: logs.reduce((last, { blockHeight }) => Math.min(last, blockHeight - 1), to) };
}

/** The first, the middle and the last height of a range. None of an empty one. */
function pickHeights({ from, to }: { readonly from: number; readonly to: number }): readonly number[] {
  return to < from ? [] : [...new Set([from, Math.floor((from + to) / 2), to])];
}

/** The headers of from..to, each the parent of the next. The head is not asked for again. */
async function readBranch(
  client: RpcClient,
  { from, to }: { readonly from: number; readonly to: number },
  head: EvmBlockHeader | null,
): Promise<readonly EvmBlockHeader[]> {
  const known = head?.height === to ? [head] : [];
  const heights = Array.from({ length: to - from + 1 - known.length }, (_, i) => from + i);
  const read = heights.length > 0 ? await fetchEvmHeaders(client, heights) : [];
  const headers = [...read, ...known].map((header, i) => {
    if (header === null) throw new NodeError("inconsistent", `the node does not have block ${from + i}`);
    return header;
  });
  for (const [i, header] of headers.entries()) checkParent(header, headers[i - 1]);
  return headers;
}

/** Throws NodeError("inconsistent") where the previous block is not the block's parent. */
export function checkParent(header: EvmBlockHeader, before: EvmBlockHeader | undefined): void {
  if (before && header.parentHash !== before.hash) {
    throw new NodeError("inconsistent", `block ${header.height} does not follow block ${before.height}`);
  }
}

/**
 * Transfers of contracts other than `listed` to `receivers` (20 bytes of hex each), in final blocks. Every
 * request includes the header of its last block from the same node. A node without that block would report
 * no logs instead of an error.
 */
export async function scanUnlistedLogs(
  client: RpcClient,
  listed: readonly string[],
  receivers: readonly string[],
  range: { from: number; to: number },
): Promise<readonly TransferLog[]> {
  const filter = { topics: [TRANSFER_TOPIC, null, receivers.map(toAddressTopic)] };
  const logs = await inParts(client, range, async ({ fromBlock, toBlock, to }) => {
    const [answer, last] = await client.batch([
      { method: "eth_getLogs", params: [{ ...filter, fromBlock, toBlock }] },
      { method: "eth_getBlockByNumber", params: [toBlock, false] },
    ]);
    if (parseEvmHeader(last)?.height !== to) {
      throw new NodeError("inconsistent", `the node does not have block ${to}`);
    }
    return parseTransferLogs(answer, { anyContract: true });
  });
  const wanted = new Set(receivers);
  for (const { address, blockHeight, txHash } of logs) {
    if (!wanted.has(address) || blockHeight < range.from || blockHeight > range.to) {
      throw new NodeError("inconsistent", `the node sent a log of ${txHash} that was not asked for`);
    }
  }
  return logs.filter(({ contract }) => !listed.includes(contract));
}

/** geth 1.17 (-32602) and BNB Smart Chain's node 1.7 (-32000): the range ends above the node's head. */
const ABOVE_HEAD = /extends beyond current head|invalid block range params/i;

/**
 * Fetches logs by height. A span that the node refused is halved, remembered for this node, and grows again
 * within minutes.
 */
async function inParts(
  { sizes }: RpcClient,
  { from, to }: { from: number; to: number },
  read: (part: { fromBlock: string; toBlock: string; to: number }) => Promise<readonly TransferLog[]>,
): Promise<TransferLog[]> {
  const logs: TransferLog[] = [];
  for (let start = from; start <= to; ) {
    const span = sizes.get(LOG_SPAN, to - start + 1);
    const end = start + span - 1;
    try {
      const part = { fromBlock: toHexHeight(start), toBlock: toHexHeight(end), to: end };
      for (const log of await read(part)) logs.push(log);
    } catch (error) {
      if (!(error instanceof NodeError && error.kind === "refused")) throw error;
      // The node is behind. A smaller span would not help.
      if (ABOVE_HEAD.test(error.message))
        throw new NodeError("inconsistent", error.message, { cause: error });
      if (end === start) throw error;
      sizes.shrink(LOG_SPAN, span / 2);
      continue;
    }
    start = end + 1;
  }
  return logs;
}

function checkBelongs(
  log: TransferLog,
  contracts: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
  header: EvmBlockHeader | undefined,
): void {
  const inRange = log.blockHeight >= from && log.blockHeight <= to;
  if (!inRange || !contracts.includes(log.contract) || (header && header.hash !== log.blockHash)) {
    throw new NodeError("inconsistent", `the node sent a log of ${log.txHash} that was not asked for`);
  }
}
