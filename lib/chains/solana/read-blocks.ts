import { NodeError } from "../network.ts";
import type { RpcCall, RpcClient } from "../rpc-client.ts";
import { parseSlots, parseSolanaHeader, type SolanaBlockHeader } from "./answers.ts";

/** Only what is final is ever read. */
export const FINALIZED = { commitment: "finalized" } as const;

/**
 * Of transactions. A node refuses a whole block for one that is newer than what was asked for; since version 1 is on
 * (SIMD-0385) nearly every block of the main network has one. What is read here is the same in all of them.
 */
export const NEWEST_VERSION = 1;

const SKIPPED = Symbol("skipped");

/**
 * What a node says of a slot that it has no block of (docs.anza.xyz, RPC error codes): above what is final (-32004), or
 * not written down whole yet (-32014); skipped, as far as it or its archive knows (-32007, -32009).
 */
const NO_BLOCK: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  [-32_004, null],
  [-32_014, null],
  [-32_007, SKIPPED],
  [-32_009, SKIPPED],
]);

/** Asks for a block with these details: "none", or "accounts" for what each transaction did to which account. */
function blockCall(slot: number, transactionDetails: "none" | "accounts"): RpcCall {
  const options = { transactionDetails, rewards: false, maxSupportedTransactionVersion: NEWEST_VERSION };
  return { method: "getBlock", params: [slot, { ...FINALIZED, ...options }], resultsByErrorCode: NO_BLOCK };
}

/** A block that the node listed, with its transactions. */
export async function fetchSolanaBlock(
  client: RpcClient,
  slot: number,
): Promise<{ readonly header: SolanaBlockHeader; readonly transactions: unknown }> {
  const [block] = await client.batch([blockCall(slot, "accounts")]);
  if (block === null || block === SKIPPED) throw missingBlockError(slot);
  const header = parseSolanaHeader(slot, block);
  return { header, transactions: (block as { transactions?: unknown }).transactions };
}

/** null: not that far yet. "skipped": the node has none, though it has come further. */
export async function fetchBlockHeader(
  client: RpcClient,
  slot: number,
): Promise<SolanaBlockHeader | null | "skipped"> {
  const [block] = await client.batch([blockCall(slot, "none")]);
  if (block === SKIPPED) return "skipped";
  return block === null ? null : parseSolanaHeader(slot, block);
}

/** Slots from..to that have a block. The node leaves out those above what it calls final. */
export async function fetchSlots(client: RpcClient, from: number, to: number): Promise<readonly number[]> {
  return parseSlots(await client.call("getBlocks", [from, to, FINALIZED]), from, to);
}

/** The first final block above a slot; null: there is none yet. */
export async function fetchNextHeader(client: RpcClient, above: number): Promise<SolanaBlockHeader | null> {
  const answer = await client.call("getBlocksWithLimit", [above + 1, 1, FINALIZED]);
  const [slot] = parseSlots(answer, above + 1, Number.MAX_SAFE_INTEGER);
  if (slot === undefined) return null;
  const header = await fetchBlockHeader(client, slot);
  if (header === "skipped") throw missingBlockError(slot);
  return header;
}

/**
 * Hash of the block of a slot; of a skipped one, of the last block before it, which the next block names as its parent.
 * null: the chain has not come that far.
 */
export async function fetchSolanaBlockHash(client: RpcClient, slot: number): Promise<string | null> {
  const header = await fetchBlockHeader(client, slot);
  if (header !== "skipped") return header?.hash ?? null;
  const next = await fetchNextHeader(client, slot);
  if (next === null) return null;
  if (next.parentSlot >= slot) throw missingBlockError(slot);
  return next.parentHash;
}

/** A block that the chain has and the node has not: one that began with a snapshot lacks what was before. */
export function missingBlockError(slot: number): NodeError {
  return new NodeError("inconsistent", `the node does not have block ${slot}`);
}
