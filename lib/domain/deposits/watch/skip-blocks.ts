import type { ChainHead } from "#lib/chains/blocks.ts";
import { hasAddresses } from "#lib/domain/wallets/queries.ts";
import { networksSharingAddresses } from "../find-address-owners.ts";
import type { BlockRef, WatchContext } from "../types.ts";
import type { PassMemory } from "./pass-rules.ts";
import type { ReadBlocks } from "./read-blocks.ts";

/**
 * Returns the step from the cursor to the head where no address was allocated yet: no block up to the head can pay us, so none is read. Call it
 * after the head was read. An address that is allocated later is paid in a later block. Returns null where the blocks must be read.
 */
export async function skipBlocks(
  { adapter, database, env }: WatchContext,
  memory: PassMemory,
  cursor: BlockRef,
  head: ChainHead,
): Promise<ReadBlocks | null> {
  // Where addresses are tags, the account itself can be paid without one.
  if (memory.hasAddresses || head.height <= cursor.height || adapter.addresses.tags !== null) return null;
  memory.hasAddresses = await hasAddresses(database.db, env, networksSharingAddresses(adapter));
  if (memory.hasAddresses) return null;
  const from = { height: cursor.height, hash: cursor.hash };
  const to = { height: head.height, hash: head.hash };
  return { from, fork: null, to, blocks: [to], observations: [], untraced: [], nodeHeight: head.height };
}
