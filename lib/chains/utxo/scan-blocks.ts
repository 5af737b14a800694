import type { AddressFilter, ScanResult } from "../blocks.ts";
import { NodeError } from "../node-error.ts";
import type { ChainTransfer } from "../transfers.ts";
import { parseUtxoBlock } from "./block.ts";
import { type CoreNode, getResult, OUT_OF_RANGE } from "./core-client.ts";
import {
  collectCandidates,
  matchCandidates,
  type OutputCandidate,
  type OutputReader,
} from "./match-outputs.ts";
import { parseHash, parseHex } from "./parse-json.ts";

/** Raw bytes per request, and in memory before their outputs are matched. */
const REQUEST_BYTES = 2_000_000;
const HELD_BYTES = 8_000_000;
const REQUEST_BLOCKS = 100;

/** Fetches the hashes at these heights of the node's chain. Null where it is not that long. One request. */
export async function fetchBlockHashes(
  node: CoreNode,
  from: number,
  to: number,
): Promise<readonly (string | null)[]> {
  const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const answers = await node.batch(heights.map((height) => ({ method: "getblockhash", params: [height] })));
  return answers.map((answer) =>
    !answer.ok && answer.code === OUT_OF_RANGE
      ? null
      : parseHash("a block's hash", getResult(answer, "getblockhash")),
  );
}

/**
 * Reads blocks from..to completely. Each block's parent is the one read before it, so all are of one branch.
 */
export async function scanUtxoBlocks(
  node: CoreNode,
  reader: OutputReader,
  { from, to }: { readonly from: number; readonly to: number },
  ours: AddressFilter,
): Promise<ScanResult> {
  if (to < from) throw new RangeError("scan: an empty range");
  const hashes = (await fetchBlockHashes(node, from, to)).map((hash, i) => {
    if (hash === null) throw new NodeError("inconsistent", `the node does not have block ${from + i}`);
    return hash;
  });
  const transfers: ChainTransfer[] = [];
  let candidates: OutputCandidate[] = [];
  let held = 0;
  let parentHash = "";
  let previous: string | null = null;
  let height = from;
  for await (const raw of readRawBlocks(node, hashes)) {
    const { hash, parentHash: parent, time, transactions } = parseUtxoBlock(raw, reader.blockExtra);
    if (hash !== hashes[height - from]) {
      throw new NodeError("malformed", `asked for block ${hashes[height - from]}, the node sent ${hash}`);
    }
    if (previous !== null && parent !== previous) {
      throw new NodeError("inconsistent", `block ${height} does not follow block ${height - 1}`);
    }
    if (previous === null) parentHash = parent;
    previous = hash;
    const block = { height, hash, time };
    for (const transaction of transactions)
      collectCandidates(reader, { raw, transaction, block }, candidates);
    held += raw.length;
    if (held > HELD_BYTES || height === to) {
      transfers.push(...(await matchCandidates(reader, candidates, ours)));
      candidates = [];
      held = 0;
    }
    height += 1;
  }
  return { transfers, tipHash: previous ?? "", parentHash };
}

/**
 * Reads the blocks' bytes in order, as many in a request as their size allows. The next request is already
 * under way.
 */
async function* readRawBlocks(node: CoreNode, hashes: readonly string[]): AsyncGenerator<Buffer> {
  const request = (from: number, count: number) => {
    const part = hashes.slice(from, from + count);
    // Not 0, which older forks of Core (dogecoind 1.14.0) refuse.
    const answers = node.batch(part.map((hash) => ({ method: "getblock", params: [hash, false] })));
    // Awaited below, unless the caller stops before that.
    answers.catch(() => {});
    return answers;
  };
  let count = 1;
  let answers = request(0, count);
  for (let next = count; ; ) {
    const blocks = (await answers).map((answer) => parseHex("a block", getResult(answer, "getblock")));
    const mean = blocks.reduce((sum, { length }) => sum + length, 0) / blocks.length;
    count = Math.max(1, Math.min(REQUEST_BLOCKS, Math.floor(REQUEST_BYTES / mean)));
    const more = next < hashes.length;
    if (more) answers = request(next, count);
    yield* blocks;
    if (!more) return;
    next += count;
  }
}
