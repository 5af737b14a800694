import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { type EvmBlockHeader, parseEvmHeader } from "./codec.ts";

export function toHexHeight(height: number): string {
  return `0x${height.toString(16)}`;
}

/**
 * Fetches the headers at these heights, none of which is above the node's head. Null where the node lacks the block. It takes one
 * request. See fetchChainHeaders for heights that may be above the head.
 */
export async function fetchEvmHeaders(
  client: RpcClient,
  heights: readonly number[],
): Promise<readonly (EvmBlockHeader | null)[]> {
  const answers = await client.batch(
    heights.map((height) => ({ method: "eth_getBlockByNumber", params: [toHexHeight(height), false] })),
  );
  return answers.map((answer, i) => readHeader(answer, heights[i] ?? -1));
}

/**
 * Fetches the blocks at these heights that are in the node's chain now. Null where the chain is not that long. One request.
 * BNB Smart Chain's node answers blocks by number and receipts above its own head after it was killed, of blocks that no
 * longer exist. So a block whose fate is asked for counts only at or below the head.
 */
export async function fetchChainHeaders(
  client: RpcClient,
  heights: readonly number[],
): Promise<readonly (EvmBlockHeader | null)[]> {
  const method = "eth_getBlockByNumber";
  const [newest, ...answers] = await client.batch(
    ["latest", ...heights.map(toHexHeight)].map((block) => ({ method, params: [block, false] })),
  );
  const head = parseEvmHeader(newest);
  if (head === null) throw new NodeError("malformed", "the node knows no latest block");
  return heights.map((height, i) => (height > head.height ? null : readHeader(answers[i], height)));
}

function readHeader(answer: unknown, height: number): EvmBlockHeader | null {
  const header = parseEvmHeader(answer);
  if (header === null || header.height === height) return header;
  throw new NodeError("malformed", `asked for block ${height}, the node sent ${header.height}`);
}

/** Throws NodeError("inconsistent") where the previous block is not the block's parent. */
export function checkParent(header: EvmBlockHeader, before: EvmBlockHeader | undefined): void {
  if (before && header.parentHash !== before.hash) {
    throw new NodeError("inconsistent", `block ${header.height} does not follow block ${before.height}`);
  }
}
