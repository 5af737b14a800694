import { NodeError } from "../node-error.ts";
import { parseFields, parseList } from "../parse-json.ts";
import type { RpcCall, RpcClient } from "../rpc-client.ts";
import { parseSlots, parseSolanaHeader, type SolanaBlockHeader } from "./parse-block.ts";

/** Only final blocks are read. */
export const FINALIZED = { commitment: "finalized" } as const;

/**
 * Newest transaction version. A node refuses a whole block that has a newer version than requested. Since
 * version 1 is active (SIMD-0385), nearly every block of the main network has one. The parts read here are
 * the same in all versions.
 */
export const NEWEST_VERSION = 1;

const SKIPPED = Symbol("skipped");

/**
 * Error codes for a slot without a block (docs.anza.xyz, RPC error codes). Not final yet (-32004) or not
 * stored completely yet (-32014). Skipped, as far as the node or its archive knows (-32007, -32009).
 */
const NO_BLOCK: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  [-32_004, null],
  [-32_014, null],
  [-32_007, SKIPPED],
  [-32_009, SKIPPED],
]);

/** The node is below minContextSlot (rpc-client-api, custom_error.rs). */
const NOT_THERE_YET: ReadonlyMap<unknown, unknown> = new Map([[-32_016, null]]);

/** Asks a node that is at this slot or further: `call` has it as minContextSlot. */
export async function askAt(client: RpcClient, slot: number, call: RpcCall): Promise<unknown> {
  const [answer] = await client.batch([{ ...call, resultsByErrorCode: NOT_THERE_YET }]);
  if (answer === null) throw new NodeError("inconsistent", `the node is not at slot ${slot} yet`);
  return answer;
}

/**
 * Requests a block with these details: "none", "accounts" for what each transaction did to its accounts, with what the
 * block's leader got, or "full" for transactions as getTransaction answers them.
 */
function blockCall(slot: number, transactionDetails: "none" | "accounts" | "full"): RpcCall {
  const rewards = transactionDetails === "accounts";
  const options = { transactionDetails, rewards, maxSupportedTransactionVersion: NEWEST_VERSION };
  return { method: "getBlock", params: [slot, { ...FINALIZED, ...options }], resultsByErrorCode: NO_BLOCK };
}

/** Fetches a block that the node listed, with its transactions. */
export async function fetchSolanaBlock(
  client: RpcClient,
  slot: number,
): Promise<{ readonly header: SolanaBlockHeader; readonly transactions: readonly unknown[] }> {
  const [block] = await client.batch([blockCall(slot, "accounts")]);
  if (block === null || block === SKIPPED) throw missingBlockError(slot);
  const header = parseSolanaHeader(slot, block);
  const { transactions, rewards } = block as { readonly transactions?: unknown; readonly rewards?: unknown };
  const entries = parseList("a block's transactions", transactions);
  // The leader gets a part of the fees, so transactions that paid less are not all of the block's. A fee that is not shown
  // makes the sum NaN, which is not less.
  const fees = entries.map((entry) => Number(Object(Object(entry).meta).fee));
  if (fees.reduce((sum, fee) => sum + fee, 0) < sumLeaderFees(rewards))
    throw new NodeError("inconsistent", `the node left transactions of block ${slot} out`);
  return { header, transactions: entries };
}

/** Fetches the transactions of a block, each as getTransaction answers it with encoding "json". They may be some ten megabytes. */
export async function fetchFullTransactions(client: RpcClient, slot: number): Promise<readonly unknown[]> {
  const [block] = await client.batch([blockCall(slot, "full")]);
  if (block === null || block === SKIPPED) throw missingBlockError(slot);
  return parseList("a block's transactions", parseFields("a block", block).transactions);
}

/** Lamports of fees that a block's leader got. 0 where the node does not show it. */
const sumLeaderFees = (rewards: unknown): number =>
  (Array.isArray(rewards) ? rewards : [])
    .map((reward) => Object(reward) as Record<string, unknown>)
    .reduce((sum, { rewardType, lamports }) => sum + (rewardType === "Fee" ? Number(lamports) || 0 : 0), 0);

/** Null: the chain is not that long yet. "skipped": the node has no block there, although it is further. */
export async function fetchBlockHeader(
  client: RpcClient,
  slot: number,
): Promise<SolanaBlockHeader | null | "skipped"> {
  const [block] = await client.batch([blockCall(slot, "none")]);
  if (block === SKIPPED) return "skipped";
  return block === null ? null : parseSolanaHeader(slot, block);
}

/** Fetches the slots from..to that have a block. The node leaves out slots that are not final. */
export async function fetchSlots(client: RpcClient, from: number, to: number): Promise<readonly number[]> {
  return parseSlots(await client.call("getBlocks", [from, to, FINALIZED]), from, to);
}

/** Fetches the first final block above a slot. Null: there is none yet. */
export async function fetchNextHeader(client: RpcClient, above: number): Promise<SolanaBlockHeader | null> {
  const answer = await client.call("getBlocksWithLimit", [above + 1, 1, FINALIZED]);
  const [slot] = parseSlots(answer, above + 1, Number.MAX_SAFE_INTEGER);
  if (slot === undefined) return null;
  const header = await fetchBlockHeader(client, slot);
  if (header === "skipped") throw missingBlockError(slot);
  return header;
}

/**
 * Hash of the block of a slot. For a skipped slot: the last block before it, which is the parent of the next
 * block. Null: the chain is not that long.
 */
export async function fetchSolanaBlockHash(client: RpcClient, slot: number): Promise<string | null> {
  const header = await fetchBlockHeader(client, slot);
  if (header !== "skipped") return header?.hash ?? null;
  const next = await fetchNextHeader(client, slot);
  if (next === null) return null;
  if (next.parentSlot >= slot) throw missingBlockError(slot);
  return next.parentHash;
}

/** The chain has this block and the node does not. A node that started from a snapshot lacks older blocks. */
export function missingBlockError(slot: number): NodeError {
  return new NodeError("inconsistent", `the node does not have block ${slot}`);
}

/** The node shows a block that looks whole without a transaction that it has listed. */
export class LeftOutError extends NodeError {
  constructor(slot: number) {
    super("inconsistent", `the node left a listed transaction of block ${slot} out`);
  }
}
