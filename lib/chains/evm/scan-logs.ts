import { LOG_SPAN } from "../learned-sizes.ts";
import { NodeError } from "../node-error.ts";
import { parseList } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { UnreadableEntry } from "../unreadable.ts";
import { type AskedLogs, findMissedLogs } from "./block-logs.ts";
import { CHAIN_ID_CALL, checkChainId } from "./chain-state.ts";
import { type EvmBlockHeader, parseTransferLogs, TRANSFER_TOPIC, type TransferLog } from "./codec.ts";
import { checkParent, fetchEvmHeaders, toHexHeight } from "./headers.ts";
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
  /** Logs of the contracts that cannot be parsed. */
  readonly unreadable: readonly UnreadableEntry[];
}

/**
 * Token transfers of blocks from..to, all of one branch. `whole` has the headers that were read before: all
 * of them in order, or none. An empty answer counts for a block whose header agrees with it, or whose own logs do
 * (findMissedLogs). Throws NodeError("inconsistent") when the chain was reorganized, and
 * NodeError("wrong_chain") when the node is of another chain now: a branch of it may have the same first blocks.
 */
export async function scanLogs(
  { client, knownHead }: Pick<NativeNode, "client" | "knownHead">,
  { chainId, ...asked }: AskedLogs & { readonly chainId: number },
  { from, to }: { from: number; to: number },
  whole: readonly EvmBlockHeader[] = [],
): Promise<LogScan> {
  const { contracts } = asked;
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
    return { logs: [], tip, parentHash: read[0]?.parentHash ?? "", headers, unreadable: [] };
  }

  const filter = { address: contracts, topics: [TRANSFER_TOPIC] };
  // One block may have more logs than a node sends in one answer. It counts as left out, and is read whole.
  const readPart = async ({ fromBlock, toBlock }: { fromBlock: string; toBlock: string }) =>
    parseList("logs", await client.call("eth_getLogs", [{ ...filter, fromBlock, toBlock }]));
  const byHeight = await inParts(client, { from, to: firstByHash - 1 }, readPart, async () => []);
  const [id, ...byHash] = await client.batch([
    CHAIN_ID_CALL,
    ...newest.map(({ hash }) => ({
      method: "eth_getLogs",
      params: [{ ...filter, blockHash: hash }],
      nullByErrorText: /./,
    })),
  ]);
  checkChainId(id, chainId);
  const answered = [...byHeight, ...byHash.flatMap((answer) => parseList("logs", answer ?? []))];
  const missed = await readMissed(client, asked, { from, to }, { answered, headers });
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
  const unreadable: UnreadableEntry[] = [];
  const logs = withoutRepeats(parseTransferLogs([...answered, ...missed], { unreadable }));
  for (const log of logs) checkBelongs(log, contracts, { from, to }, headers.get(log.blockHeight));
  return { logs, tip, parentHash, headers, unreadable };
}

/** Headers in a request. */
const HEADERS_AT_ONCE = 50;

/**
 * Reads the logs that the answers leave out of blocks from..to. The blocks next to one that was left out are read whole,
 * too: an answer that was cut ends in the middle of a block. The headers that are read for it are added to `headers`.
 */
async function readMissed(
  client: RpcClient,
  asked: AskedLogs,
  { from, to }: { readonly from: number; readonly to: number },
  {
    answered,
    headers,
  }: { readonly answered: readonly unknown[]; readonly headers: Map<number, EvmBlockHeader> },
): Promise<readonly unknown[]> {
  const named = new Set(
    answered.map((log) => Number((Object(log) as { blockNumber?: unknown }).blockNumber)),
  );
  const silent = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(
    (height) => !named.has(height),
  );
  const readHeaders = async (heights: readonly number[]) => {
    const unread = heights.filter((height) => !headers.has(height));
    for (let i = 0; i < unread.length; i += HEADERS_AT_ONCE) {
      const part = unread.slice(i, i + HEADERS_AT_ONCE);
      for (const [at, header] of (await fetchEvmHeaders(client, part)).entries()) {
        if (header === null) throw new NodeError("inconsistent", `the node does not have block ${part[at]}`);
        headers.set(header.height, header);
      }
    }
    return heights.flatMap((height) => headers.get(height) ?? []);
  };
  const missed = await findMissedLogs(client, asked, await readHeaders(silent));
  const adjacent = new Set(
    missed.flatMap(({ height }) => [height - 1, height + 1]).filter((at) => named.has(at)),
  );
  const again = await findMissedLogs(client, asked, await readHeaders([...adjacent]));
  return [...missed, ...again].flatMap(({ logs }) => logs);
}

function withoutRepeats(logs: readonly TransferLog[]): readonly TransferLog[] {
  return [...new Map(logs.map((log) => [`${log.txHash} ${log.logIndex}`, log])).values()];
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

/** geth 1.17 (-32602) and BNB Smart Chain's node 1.7 (-32000): the range ends above the node's head. */
const ABOVE_HEAD = /extends beyond current head|invalid block range params/i;

interface LogPart {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly to: number;
}

/**
 * Fetches logs by height. A span that the node refused is halved, remembered for this node, and grows again
 * within minutes. `readAlone` reads a block that is refused by itself. Such a block says nothing about spans. Absent: its
 * refusal is thrown.
 */
export async function inParts<L>(
  { sizes }: RpcClient,
  { from, to }: { from: number; to: number },
  read: (part: LogPart) => Promise<readonly L[]>,
  readAlone?: (height: number, refusal: NodeError) => Promise<readonly L[]>,
): Promise<L[]> {
  const logs: L[] = [];
  const before = sizes.get(LOG_SPAN, Number.MAX_SAFE_INTEGER);
  let isRestored = true;
  for (let start = from; start <= to; ) {
    const span = sizes.get(LOG_SPAN, to - start + 1);
    const end = start + span - 1;
    try {
      const part = { fromBlock: toHexHeight(start), toBlock: toHexHeight(end), to: end };
      for (const log of await read(part)) logs.push(log);
      if (!isRestored) sizes.shrink(LOG_SPAN, before);
      isRestored = true;
    } catch (error) {
      if (!(error instanceof NodeError && error.kind === "refused")) throw error;
      // The node is behind. A smaller span would not help.
      if (ABOVE_HEAD.test(error.message))
        throw new NodeError("inconsistent", error.message, { cause: error });
      if (end > start) {
        sizes.shrink(LOG_SPAN, span / 2);
        continue;
      }
      if (!readAlone) throw error;
      logs.push(...(await readAlone(start, error)));
      isRestored = false;
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
