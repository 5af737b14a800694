import { LOG_SPAN } from "../learned-sizes.ts";
import { NodeError } from "../node-error.ts";
import { parseList } from "../parse-json.ts";
import type { RpcCall, RpcClient } from "../rpc-client.ts";
import type { UnreadableEntry } from "../unreadable.ts";
import { type AskedLogs, findMissedLogs } from "./block-logs.ts";
import { CHAIN_ID_CALL, checkChainId } from "./chain-state.ts";
import { type EvmBlockHeader, parseTransferLogs, TRANSFER_TOPIC, type TransferLog } from "./codec.ts";
import { checkParent, fetchEvmHeaders, toHexHeight } from "./headers.ts";
import type { NativeNode, NativeScan } from "./native-reader.ts";

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

/** So many of the newest blocks are asked for with one request: blocks, logs and the chain's id. */
const FEW = 4;

/** Whether these are a few blocks up to the head that the node has just shown. */
export const isNewest = ({ knownHead }: Pick<NativeNode, "knownHead">, { from, to }: Range): boolean =>
  to - from < FEW && knownHead()?.height === to;

interface Range {
  readonly from: number;
  readonly to: number;
}

type Asked = AskedLogs & { readonly chainId: number };
type LogNode = Pick<NativeNode, "client" | "joining" | "knownHead">;

/**
 * Token transfers of blocks from..to, all of one branch. `native` reads the headers of all of them in order. Absent: none are read. An empty
 * answer counts for a block whose header agrees with it, or whose own logs do (findMissedLogs). Throws NodeError("inconsistent") when
 * the chain was reorganized, and NodeError("wrong_chain") when the node is of another chain now: a branch of it may have the same
 * first blocks.
 */
export async function scanLogs(
  node: LogNode,
  asked: Asked,
  range: Range,
  native?: Promise<Pick<NativeScan, "headers">>,
): Promise<LogScan> {
  // An empty list of contracts would mean every contract.
  if (asked.contracts.length === 0) return readHeaders(node, asked.chainId, range, native);
  if (isNewest(node, range)) return scanNewest(node, asked, range, native);
  return scanMany(node, asked, range, (await native)?.headers ?? []);
}

async function readHeaders(
  { client, knownHead }: LogNode,
  chainId: number,
  range: Range,
  native: Promise<Pick<NativeScan, "headers">> | undefined,
): Promise<LogScan> {
  const read = (await native)?.headers ?? (await readBranch(client, range, knownHead()));
  const [first, tip] = [read[0], read.at(-1)];
  if (first === undefined || tip === undefined) throw new RangeError("scan: an empty range");
  checkChainId(await client.call(CHAIN_ID_CALL.method), chainId);
  const headers = new Map(read.map((header) => [header.height, header]));
  return { logs: [], tip, parentHash: first.parentHash, headers, unreadable: [] };
}

/**
 * Asks for everything at once: the newest block's logs by its hash, which the head has shown, and those of the others by height. Every block's
 * header is read, so each log and each silence is compared with its block.
 */
async function scanNewest(
  { joining: client, knownHead }: LogNode,
  { chainId, ...asked }: Asked,
  range: Range,
  native: Promise<Pick<NativeScan, "headers">> | undefined,
): Promise<LogScan> {
  const { contracts } = asked;
  const head = knownHead();
  const byHash = head === null ? [] : [askByHash(contracts, head)];
  const [read, [id, ofHead], others] = await Promise.all([
    native === undefined ? readBranch(client, range, head) : native.then(({ headers }) => headers),
    client.batch([CHAIN_ID_CALL, ...byHash]),
    readByHeight(client, contracts, { from: range.from, to: range.to - 1 }),
  ]);
  checkChainId(id, chainId);
  const [first, tip] = [read[0], read.at(-1)];
  if (first === undefined || tip === undefined) throw new RangeError("scan: an empty range");
  const headers = new Map(read.map((header) => [header.height, header]));
  const answered = [...others, ...parseList("logs", ofHead ?? [])];
  const missed = await readMissed(client, asked, range, { answered, headers });
  const found = checkLogs([...answered, ...missed], contracts, range, headers);
  return { ...found, tip, parentHash: first.parentHash, headers };
}

async function scanMany(
  { client, knownHead }: LogNode,
  { chainId, ...asked }: Asked,
  { from, to }: Range,
  whole: readonly EvmBlockHeader[],
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
  const byHeight = await readByHeight(client, contracts, { from, to: firstByHash - 1 });
  const [id, ...byHash] = await client.batch([
    CHAIN_ID_CALL,
    ...newest.map((header) => askByHash(contracts, header)),
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
  return {
    ...checkLogs([...answered, ...missed], contracts, { from, to }, headers),
    tip,
    parentHash,
    headers,
  };
}

const filterOf = (contracts: readonly string[]) => ({ address: contracts, topics: [TRANSFER_TOPIC] });

/** A node that lacks the block refuses this. Its logs then count as left out. */
const askByHash = (contracts: readonly string[], { hash }: EvmBlockHeader): RpcCall => ({
  method: "eth_getLogs",
  params: [{ ...filterOf(contracts), blockHash: hash }],
  nullByErrorText: /./,
});

/** One block may have more logs than a node sends in one answer. It counts as left out, and is read whole. */
function readByHeight(client: RpcClient, contracts: readonly string[], range: Range): Promise<unknown[]> {
  const read = async ({ fromBlock, toBlock }: LogPart) =>
    parseList("logs", await client.call("eth_getLogs", [{ ...filterOf(contracts), fromBlock, toBlock }]));
  return inParts(client, range, read, async () => []);
}

function checkLogs(
  answered: readonly unknown[],
  contracts: readonly string[],
  range: Range,
  headers: ReadonlyMap<number, EvmBlockHeader>,
): Pick<LogScan, "logs" | "unreadable"> {
  const unreadable: UnreadableEntry[] = [];
  const logs = withoutRepeats(parseTransferLogs(answered, { unreadable }));
  for (const log of logs) checkBelongs(log, contracts, range, headers.get(log.blockHeight));
  return { logs, unreadable };
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
