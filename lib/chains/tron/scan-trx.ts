import type { EvmBlockHeader } from "../evm/codec.ts";
import { checkParent, fetchEvmHeaders } from "../evm/headers.ts";
import type {
  BlocksAhead,
  HexFilter,
  NativeEffect,
  NativeMovement,
  NativeNode,
  NativeReader,
  NativeScan,
} from "../evm/native-reader.ts";
import type { NodeClient } from "../node-client.ts";
import { NodeError } from "../node-error.ts";
import { checkNamed, parseFields, throwMalformed } from "../parse-json.ts";
import { leaveOutOthers, type UnreadableEntry } from "../unreadable.ts";
import {
  type FetchedTronBlock,
  listTronAddresses,
  parseTransactionKind,
  parseTransactionResults,
  parseTronBlock,
  parseTrxTransfer,
  type TrxTransfer,
} from "./block.ts";
import { callTronApi } from "./http-api.ts";
import { listInternalReceiver, parseInternalTransfers } from "./internal-transfers.ts";
import { listLogReceivers } from "./log-receivers.ts";

/** Blocks in one request. */
const BLOCKS = 4;
/** Requests under way. Enough to catch up with a distant node; 8 of the largest blocks are about 50 MB. */
const AT_ONCE = 2;
/** Characters of answers in memory before their transfers are matched. */
const HELD_CHARACTERS = 16_000_000;
/** Types of transactions that move TRX or a TRC-10 token only as they state. */
const CODELESS: ReadonlySet<unknown> = new Set(["TransferContract", "TransferAssetContract"]);

/**
 * Reads TRX with java-tron's HTTP API. A TransferContract moves TRX between accounts and leaves no log. TRX that contracts
 * move is in the results of a block (internal transactions). Rewards of voters and block producers are not read.
 */
export const TRX: NativeReader = {
  showsLogs: true,
  fetchAhead,
  scanNative: (node, range, ours, options) => scanTrx(node, range, ours, options?.contracts ?? []),
  fetchEffect: ({ line }, { txHash }) => readOutcome(line, txHash),
};

interface Candidate extends TrxTransfer {
  readonly header: EvmBlockHeader;
}

/**
 * Reads blocks in order, with the next requests under way. Each block must follow the one before, and the
 * last must be the JSON-RPC's block, too. Results are requested for every block with transactions.
 */
async function scanTrx(
  { line, client, reportUnreadable, knownHead, ahead }: NativeNode,
  { from, to }: { readonly from: number; readonly to: number },
  ours: HexFilter,
  contracts: readonly string[],
): Promise<NativeScan> {
  if (to < from) throw new RangeError("scan: an empty range");
  const headers: EvmBlockHeader[] = [];
  const movements: NativeMovement[] = [];
  let candidates: Candidate[] = [];
  let inner: NativeMovement[] = [];
  let outcomes: Outcomes = new Map();
  let receivers: string[] = [];
  let mayPayByLogs = false;
  let held = 0;
  const unreadable: UnreadableEntry[] = [];
  const unreadableMoves: UnreadableEntry[] = [];
  for await (const { blocks, size } of readBlocks(line, { from, to, ahead: ahead() }, unreadable)) {
    const called = blocks.filter(({ txHashes }) => txHashes.length > 0);
    const results = called.map(async (one) => ({ ...one, ...(await fetchResults(line, one.header)) }));
    for (const { header, txHashes, value, length } of await Promise.all(results)) {
      const named = parseTransactionResults(value, header);
      for (const txHash of txHashes) findOutcome(named, txHash);
      if (named.size > new Set(txHashes).size)
        throw new NodeError("inconsistent", `the node left transactions out of block ${header.height}`);
      for (const outcome of named) outcomes.set(...outcome);
      inner.push(...parseInternalTransfers(value, header, unreadableMoves));
      const paid = listLogReceivers(value, contracts);
      // A block that runs code has logs. Without any, its results may be cut.
      if (paid === null || (paid.logs === 0 && !header.hasNoCalls)) mayPayByLogs = true;
      else receivers.push(...paid.receivers);
      held += length;
    }
    for (const { header, transfers } of blocks) {
      checkParent(header, headers.at(-1));
      headers.push(header);
      for (const transfer of transfers) candidates.push({ ...transfer, header });
    }
    held += size;
    if (held > HELD_CHARACTERS || headers.at(-1)?.height === to) {
      movements.push(...(await matchTransfers({ candidates, inner, outcomes }, ours)));
      mayPayByLogs ||= (await ours(receivers)).size > 0;
      receivers = [];
      candidates = [];
      inner = [];
      outcomes = new Map();
      held = 0;
    }
  }
  await leaveOutOthers(unreadable, listTronAddresses, ours, reportUnreadable);
  await leaveOutOthers(unreadableMoves, listInternalReceiver, ours, reportUnreadable);
  // The JSON-RPC is asked where it has not shown the block, and something is to be recorded.
  const isFound = movements.length > 0 || mayPayByLogs;
  const shown = ahead() === null ? knownHead() : isFound ? null : headers.at(-1);
  const [tip] = shown?.height === to ? [shown] : await fetchEvmHeaders(client, [to]);
  if (tip?.hash !== headers.at(-1)?.hash) {
    throw new NodeError("inconsistent", `the node's two interfaces do not have the same block ${to}`);
  }
  return { movements, headers, untraced: [], mayPayByLogs };
}

/** See NativeReader. */
async function fetchAhead(line: NodeClient, above: number): Promise<BlocksAhead | null> {
  const from = above + 1;
  const { sent, size } = await fetchBlocks(line, from, from + BLOCKS);
  if (sent.length === 0 || sent.length >= BLOCKS) return null;
  const newest = parseTronBlock(sent.at(-1), above + sent.length, []);
  return newest && { from, newest: newest.header, sent, size };
}

/** `endNum` is not included. */
async function fetchBlocks(line: NodeClient, startNum: number, endNum: number) {
  const { value, text } = await callTronApi(line, "getblockbylimitnext", { startNum, endNum });
  const { block: sent = [] } = parseFields("a list of blocks", value);
  return Array.isArray(sent) ? { sent, size: text.length } : throwMalformed("a list of blocks", sent);
}

async function* readBlocks(
  line: NodeClient,
  { from, to, ahead }: { readonly from: number; readonly to: number; readonly ahead: BlocksAhead | null },
  unreadable: UnreadableEntry[],
): AsyncGenerator<{ readonly blocks: readonly FetchedTronBlock[]; readonly size: number }> {
  const request = (startNum: number) => {
    const endNum = Math.min(startNum + BLOCKS, to + 1);
    const answer = ahead?.from === startNum ? Promise.resolve(ahead) : fetchBlocks(line, startNum, endNum);
    // Awaited below, unless the caller stops before that.
    answer.catch(() => {});
    return { startNum, endNum, answer };
  };
  const asked: ReturnType<typeof request>[] = [];
  for (let next = from; next <= to || asked.length > 0; ) {
    while (next <= to && asked.length < AT_ONCE) {
      asked.push(request(next));
      next += BLOCKS;
    }
    const { startNum, endNum, answer } = asked.shift() as ReturnType<typeof request>;
    const { sent, size } = await answer;
    const blocks = Array.from({ length: endNum - startNum }, (_, i) => {
      const block = parseTronBlock(sent[i] ?? {}, startNum + i, unreadable);
      if (block === null) throw new NodeError("inconsistent", `the node does not have block ${startNum + i}`);
      return block;
    });
    yield { blocks, size };
  }
}

/** The results of transactions, by hash. */
type Outcomes = Map<string, "done" | "failed">;

function findOutcome(outcomes: ReadonlyMap<string, "done" | "failed">, txHash: string): "done" | "failed" {
  const outcome = outcomes.get(txHash);
  if (outcome === undefined) {
    throw new NodeError("inconsistent", `the node does not tell what came of ${txHash}`);
  }
  return outcome;
}

interface Held {
  readonly candidates: readonly Candidate[];
  /** The movements of contracts. */
  readonly inner: readonly NativeMovement[];
  /** The outcomes of all transactions in these blocks. */
  readonly outcomes: Outcomes;
}

async function fetchResults(line: NodeClient, header: EvmBlockHeader) {
  const { value, text } = await callTronApi(line, "gettransactioninfobyblocknum", { num: header.height });
  return { header, value, length: text.length };
}

/** Keeps our successful transfers. */
async function matchTransfers(
  { candidates, inner, outcomes }: Held,
  ours: HexFilter,
): Promise<readonly NativeMovement[]> {
  const known = await ours([...candidates, ...inner].map(({ address }) => address));
  const mine = candidates.filter(({ address }) => known.has(address));
  const moved = inner.filter(({ address }) => known.has(address));
  const paid = mine.flatMap(({ txHash, sender, address, amount, result, header }) => {
    const outcome = findOutcome(outcomes, txHash);
    if (result === null) throw new NodeError("malformed", `the block of ${txHash} does not tell its result`);
    if (result !== "SUCCESS" || outcome === "failed") return [];
    return { txHash, sender, address, amount, blockHeight: header.height, blockHash: header.hash };
  });
  return [...paid, ...moved];
}

/**
 * See NativeReader.fetchEffect. The JSON-RPC's `value` is not used: it also holds amounts of TRC-10 tokens,
 * and votes. Types other than the two transfers may move TRX in other ways, as contracts do.
 */
async function readOutcome(line: NodeClient, txHash: string): Promise<NativeEffect> {
  const { value } = await callTronApi(line, "gettransactionbyid", { value: txHash.slice(2) });
  if (Object.keys(value).length === 0) {
    throw new NodeError("inconsistent", `the node has a receipt of ${txHash}, and no transaction`);
  }
  checkNamed("the transaction", `0x${String((value as { txID?: unknown }).txID)}`, txHash);
  const transfer = parseTrxTransfer(value);
  if (transfer === null) return { moved: null, codeRan: !CODELESS.has(parseTransactionKind(value)) };
  if (transfer.result === null)
    throw new NodeError("malformed", `the node does not tell the result of ${txHash}`);
  const { address, amount, result } = transfer;
  return { moved: result === "SUCCESS" ? { address, amount } : null, codeRan: false };
}
