import type { AddressFilter, BlockRange, ChainHead, ScanOptions } from "#lib/chains/blocks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";
import { listLinksByAddress } from "#lib/domain/payment-links/queries.ts";
import {
  listCollectingAccounts,
  recordCollectingAddress,
} from "#lib/domain/wallets/record-collecting-address.ts";
import type { WalletAddress } from "#lib/domain/wallets/types.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { findAddressOwners } from "../find-address-owners.ts";
import { type Cursor, listBlocksBelow } from "../record/cursor-store.ts";
import type { Scan } from "../record/record-scan.ts";
import { unmatchedReasonFor } from "../rules.ts";
import type { BlockRef, TransferObservation, WatchContext } from "../types.ts";

/** The node's chain and our stored blocks share no block. When every node reports this, the operator must find out why. */
class NoCommonBlockError extends NodeError {}

/** A node sent blocks that this program cannot read. The fault is in the node or in this program. */
class UnreadableBlocksError extends NodeError {}

/** Returns whether the error is an UnreadableBlocksError, or the errors of several nodes with one as their cause. */
export function isUnreadableBlocksError(error: unknown): boolean {
  return [error, (error as Error).cause].some((one) => one instanceof UnreadableBlocksError);
}

/** Returns the error of a scan. Any error but a NodeError is a fault in the blocks or in this program. */
export function toNodeError(error: unknown, { from, to }: BlockRange): NodeError {
  if (error instanceof NodeError) return error;
  const message = `blocks ${from} to ${to} cannot be read: ${String(error)}`;
  return new UnreadableBlocksError("malformed", message, { cause: error });
}

/** How many stored blocks one query reads while it searches the fork. */
const FORK_SEARCH_BLOCKS = 100;

export interface ReadOptions extends ScanOptions {
  /** Blocks in a scan. */
  readonly atOnce: number;
}

export interface ReadBlocks extends Omit<Scan, "mempool"> {
  /** Heights of blocks that were read without their traces. */
  readonly untraced: readonly number[];
}

/**
 * Reads the blocks after the cursor, at most `atOnce`, and writes nothing. After a reorg, when the cursor's block is no
 * longer in the chain, it reads the blocks after the fork up to the cursor's height or beyond, or up to the head where that is
 * lower: it has more work then. Returns null when there are no new blocks. Throws NodeError.
 */
export async function readBlocks(
  watch: WatchContext,
  cursor: Cursor,
  head: ChainHead,
  { atOnce, ...options }: ReadOptions,
): Promise<ReadBlocks | null> {
  const from: BlockRef = { height: cursor.height, hash: cursor.hash };
  if (head.height === cursor.height && head.hash === cursor.hash) return null;
  const to = Math.min(head.height, cursor.height + atOnce);
  if (to > cursor.height) {
    const branch = await readBranch(watch, { from: from.height + 1, to }, atOnce, options);
    if (branch.parentHash === from.hash) return { ...branch, from, fork: null, nodeHeight: head.height };
  }
  // A reorg reverts credits. Another chain may answer at the same URL now and share its first blocks with ours, so the
  // chain's identity is checked first.
  await watch.adapter.blocks.checkIdentity();
  const fork = await findFork(watch, Math.min(from.height, to + 1));
  watch.log.warn(
    { height: from.height, fork: fork.height },
    "reorg: the chain replaced blocks that were read",
  );
  failpoint("fork-found");
  if (fork.height === to) throw new NodeError("inconsistent", "the node has no block after the fork");
  await watch.adapter.blocks.readAgainAbove(fork.height);
  const branch = await readBranch(watch, { from: fork.height + 1, to }, atOnce, options);
  if (branch.parentHash !== fork.hash) {
    throw new NodeError("inconsistent", "the chain changed while the fork was read");
  }
  return { ...branch, from, fork, nodeHeight: head.height };
}

type Branch = Pick<Scan, "to" | "blocks" | "observations"> & {
  readonly parentHash: string;
  readonly untraced: readonly number[];
};

/** Reads blocks from..to in scans of at most `atOnce` blocks. Each scan must continue the one before. */
async function readBranch(
  watch: WatchContext,
  { from, to }: BlockRange,
  atOnce: number,
  options: ScanOptions,
): Promise<Branch> {
  const blocks: BlockRef[] = [];
  const observations: TransferObservation[] = [];
  const untraced: number[] = [];
  let parentHash = "";
  for (let start = from; start <= to; start += atOnce) {
    const end = Math.min(to, start + atOnce - 1);
    const part = await scanTransfers(watch, start, end, options);
    if (start === from) parentHash = part.parentHash;
    else if (part.parentHash !== blocks.at(-1)?.hash) {
      throw new NodeError("inconsistent", "the chain changed between two scans");
    }
    blocks.push({ height: end, hash: part.tipHash });
    observations.push(...part.observations);
    untraced.push(...part.untraced);
  }
  failpoint("blocks-read");
  return { to: blocks.at(-1) ?? { height: to, hash: "" }, blocks, observations, untraced, parentHash };
}

/**
 * Reads blocks from..to completely. Returns the transfers to our addresses, the hash of the last block and the hash of
 * the parent of the first. Throws NodeError. A database error inside the address filter is thrown as it is.
 */
export async function scanTransfers(watch: WatchContext, from: number, to: number, options?: ScanOptions) {
  const collecting = await listCollectingAccounts(watch.database.db, watch.adapter);
  const owners = new Map<string, WalletAddress>();
  let filterError: unknown = null;
  const filter = async (candidates: readonly string[]) => {
    const found = await findAddressOwners(watch, candidates).catch((error: unknown) => {
      filterError = error;
      throw error;
    });
    for (const [address, owner] of found) owners.set(address, owner);
    return new Set([...owners.keys(), ...collecting.keys()]);
  };
  const range = { from, to, accounts: [...collecting.values()] };
  const scan = await watch.adapter.blocks.scan(range, filter, options).catch((error: unknown) => {
    throw error === filterError ? error : toNodeError(error, { from, to });
  });
  for (const [address, identity] of collecting) {
    if (owners.has(address) || !scan.transfers.some((transfer) => transfer.address === address)) continue;
    owners.set(
      address,
      await recordCollectingAddress(watch.database.db, watch.adapter, { address, identity }),
    );
  }
  const observations = await toObservations(watch, scan.transfers, owners);
  const { tipHash, parentHash, untraced = [] } = scan;
  return { observations, tipHash, parentHash, untraced };
}

/** Filters addresses by whether they are ours. */
export function filterOwn(watch: WatchContext): AddressFilter {
  return async (candidates) => new Set((await findAddressOwners(watch, candidates)).keys());
}

/** Adds to each transfer its owner. All of them were ours when they were read. */
export async function observeOwn(
  watch: WatchContext,
  transfers: readonly ChainTransfer[],
): Promise<readonly TransferObservation[]> {
  if (transfers.length === 0) return [];
  const owners = await findAddressOwners(watch, [...new Set(transfers.map(({ address }) => address))]);
  return toObservations(watch, transfers, owners);
}

/** Adds to each transfer its owner and the reason why it is not credited automatically, if there is one. */
async function toObservations(
  watch: WatchContext,
  transfers: readonly ChainTransfer[],
  owners: ReadonlyMap<string, WalletAddress>,
): Promise<TransferObservation[]> {
  const owned = transfers.map((transfer) => {
    const owner = owners.get(transfer.address);
    if (!owner)
      throw new Error(`the network's adapter returned ${transfer.address}, which is not our address`);
    return { transfer, owner };
  });
  const ofLinks = owned.filter(({ owner }) => owner.purpose === "payment_link");
  const links = await listLinksByAddress(watch.database.db, [
    ...new Set(ofLinks.map(({ owner }) => owner.id)),
  ]);
  return owned.map(({ transfer: { address: _, ...transfer }, owner }) => ({
    ...transfer,
    addressId: owner.id,
    merchantId: owner.merchantId,
    unmatchedReason: unmatchedReasonFor(transfer, watch.adapter.data, owner, links.get(owner.id) ?? null),
  }));
}

/** Returns the newest stored block below a height that is still in the chain. Throws NoCommonBlockError. */
async function findFork(watch: WatchContext, above: number): Promise<BlockRef> {
  for (let below = above; ; ) {
    const blocks = await listBlocksBelow(watch.database.db, watch, below, FORK_SEARCH_BLOCKS);
    for (const block of blocks) {
      const hash = await watch.adapter.blocks.fetchHash(block.height);
      if (hash === null) throw new NodeError("inconsistent", `the node does not have block ${block.height}`);
      if (hash === block.hash) return block;
      below = block.height;
    }
    if (blocks.length < FORK_SEARCH_BLOCKS) {
      throw new NoCommonBlockError(
        "wrong_chain",
        `no stored block below ${above} is in the node's chain. The node is on another chain, or the reorg is ` +
          "deeper than the stored blocks. Nothing is written until this is resolved",
      );
    }
  }
}
