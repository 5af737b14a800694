import { decideFate, fetchFate, type TransactionFate, type TransactionTrace } from "../fate.ts";
import type { NodePool } from "../node-pool.ts";
import { parseFields, parseList, parseUint } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { FINALIZED, fetchBlockHeader } from "./fetch-blocks.ts";
import { parseSlots, type SolanaBlockHeader } from "./parse-block.ts";
import type { SolanaNode } from "./types.ts";

/**
 * Blocks after the block of its blockhash in which a transaction can be: nodes take a blockhash that up to 150 others follow, and the last of
 * these is the parent's (agave, MAX_PROCESSING_AGE and BlockhashQueue). It is one block more than lastValidBlockHeight says.
 */
export const LIFETIME_BLOCKS = 151;
/** Questions to find a block by its height. With every second slot skipped, that many find one in any history. */
const MOST_STEPS = 64;

/**
 * The nodes' proof about a transaction. `lastValid`: the last height at which its blockhash is said to be valid. `blocks`: how many could
 * contain it. Dead only if every node is past the last of these blocks and does not know the transaction, and a node has all of them.
 */
export async function fetchSolanaFate(
  pool: Pick<NodePool<SolanaNode>, "askEach">,
  signature: string,
  { lastValid, blocks = LIFETIME_BLOCKS }: { readonly lastValid: number; readonly blocks?: number },
): Promise<TransactionFate> {
  const fate = await fetchFate(pool, ({ client }) => fetchTrace(client, signature, lastValid));
  // Every node denies it. Whether one has all blocks costs many questions.
  return fate === "dead"
    ? decideFate(await pool.askEach(({ client }) => fetchProof(client, signature, lastValid, blocks)))
    : fate;
}

/**
 * Asks one node. absent: it is past the last block that could contain it. In this order: what is asked later may come from another node
 * behind the same address.
 */
async function fetchTrace(
  client: RpcClient,
  signature: string,
  lastValid: number,
): Promise<TransactionTrace> {
  const final = await fetchFinal(client);
  const status = await fetchStatus(client, signature);
  if (status.trace !== null) return status.trace;
  return final.height > lastValid && status.slot >= final.slot ? "absent" : "known";
}

/** The proof of a node that denied it. */
async function fetchProof(
  client: RpcClient,
  signature: string,
  lastValid: number,
  blocks: number,
): Promise<TransactionTrace> {
  const final = await fetchFinal(client);
  const last = lastValid + 1;
  const first = Math.max(0, last - blocks + 1);
  const isWhole = final.height >= last && (await holdsBlocks(client, final, { first, last }));
  // Only now: a node stores what a block did to its transactions after the block, and sends a block when both are stored.
  const { trace, slot } = await fetchStatus(client, signature);
  if (trace !== null) return "known";
  return isWhole && slot >= final.slot ? "absent" : "unknown";
}

/** The newest final block. */
async function fetchFinal(client: RpcClient): Promise<{ readonly slot: number; readonly height: number }> {
  const epoch = parseFields("its epoch", await client.call("getEpochInfo", [FINALIZED]));
  return {
    slot: parseUint("its final slot", epoch.absoluteSlot),
    height: parseUint("its final block height", epoch.blockHeight),
  };
}

/** Fetches a transaction's status from all of a node's history, and how far the node is. */
async function fetchStatus(
  client: RpcClient,
  signature: string,
): Promise<{ readonly trace: "final" | "known" | null; readonly slot: number }> {
  const answer = await client.call("getSignatureStatuses", [[signature], { searchTransactionHistory: true }]);
  const { context, value } = parseFields("statuses", answer);
  const [entry = null] = parseList("statuses", value);
  const slot = parseUint("a context's slot", parseFields("a context", context).slot);
  if (entry === null) return { trace: null, slot };
  return { trace: isFinal(entry) ? "final" : "known", slot };
}

/** Whether an entry of getSignatureStatuses is of a transaction in a final block. */
export const isFinal = (entry: unknown): boolean =>
  parseFields("a transaction's status", entry).confirmationStatus === "finalized";

/**
 * Whether the node has every final block of these heights. Slots are skipped, and a node that was off and started again from a snapshot lacks
 * blocks in the middle of its history, which look the same in its lists. Heights count blocks alone: so the node must list, from the first
 * block on, as many as there are heights, and the last of them must have the last height (solana.com/docs/rpc/http/getblockswithlimit).
 */
async function holdsBlocks(
  client: RpcClient,
  final: { readonly slot: number; readonly height: number },
  { first, last }: { readonly first: number; readonly last: number },
): Promise<boolean> {
  const from = await findBlock(client, final, first);
  if (from === null) return false;
  const count = last - first + 1;
  const answer = await client.call("getBlocksWithLimit", [from, count, FINALIZED]);
  const slots = parseSlots(answer, from, Number.MAX_SAFE_INTEGER);
  const end = slots.length === count ? slots.at(-1) : undefined;
  return end !== undefined && heightOf(await fetchBlockHeader(client, end)) === last;
}

const heightOf = (header: SolanaBlockHeader | null | "skipped"): number | null =>
  header === null || header === "skipped" ? null : header.height;

/**
 * The slot of the final block of a height. Null if the node does not have it, or lacks blocks on the way. A block is at least as many slots
 * below another as it is heights, so each step comes closer from above and never passes it.
 */
async function findBlock(
  client: RpcClient,
  final: { readonly slot: number; readonly height: number },
  height: number,
): Promise<number | null> {
  let { slot, height: reached } = final;
  let ceiling = slot;
  for (let step = 0; step < MOST_STEPS && reached > height; step++) {
    const from = Math.min(ceiling, slot - (reached - height));
    if (from < 0) return null;
    const answer = await client.call("getBlocksWithLimit", [from, 1, FINALIZED]);
    const [found] = parseSlots(answer, from, Number.MAX_SAFE_INTEGER);
    if (found === undefined || found > ceiling) return null;
    const header = await fetchBlockHeader(client, found);
    if (header === null || header === "skipped" || header.height === null) return null;
    slot = found;
    reached = header.height;
    // The next block down is not above its parent: without it, the node would list this block again.
    ceiling = header.parentSlot;
  }
  return reached === height ? slot : null;
}
