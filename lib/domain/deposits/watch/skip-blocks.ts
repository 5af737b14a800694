import type { ChainHead } from "#lib/chains/blocks.ts";
import { hasAddresses } from "#lib/domain/wallets/queries.ts";
import { networksSharingAddresses } from "../find-address-owners.ts";
import type { Cursor } from "../record/cursor-store.ts";
import { estimateBlocksSince } from "../rules.ts";
import type { WatchContext } from "../types.ts";
import type { PassMemory } from "./pass-rules.ts";
import type { ReadBlocks } from "./read-blocks.ts";

/**
 * Returns the step from the cursor to the head where no address was allocated yet: no block up to the head can pay us, so none is read. Call it
 * after the head was read. An address that is allocated later is paid in a later block. Returns null where the blocks must be read.
 * Throws NodeError("wrong_chain") if the node is of another chain that is far longer: the cursor would never be reached again.
 */
export async function skipBlocks(
  { adapter, database, env, now }: WatchContext,
  memory: PassMemory,
  cursor: Cursor,
  head: ChainHead,
): Promise<ReadBlocks | null> {
  // Where addresses are tags, the account itself can be paid without one.
  if (memory.hasAddresses || head.height <= cursor.height || adapter.addresses.tags !== null) return null;
  memory.hasAddresses = await hasAddresses(database.db, env, networksSharingAddresses(adapter));
  if (memory.hasAddresses) return null;
  // No read block shows that it follows the cursor. A request of its own is only made for more blocks than the chain can have since.
  const most = estimateBlocksSince(cursor.updatedAt, now(), adapter.data.blockSeconds);
  if (head.height - cursor.height > most) await adapter.blocks.checkIdentity();
  const from = { height: cursor.height, hash: cursor.hash };
  const to = { height: head.height, hash: head.hash };
  return { from, fork: null, to, blocks: [to], observations: [], untraced: [], nodeHeight: head.height };
}
