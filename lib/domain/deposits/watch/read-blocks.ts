import { type ChainHead, type ChainTransfer, NodeError } from "#lib/chains/network.ts";
import { listLinksByAddress } from "#lib/domain/payment-links/queries.ts";
import { recordCollectingAddress } from "#lib/domain/wallets/record-account.ts";
import type { WalletAddress } from "#lib/domain/wallets/types.ts";
import { failpoint } from "../failpoint.ts";
import type { Scan } from "../record/record-scan.ts";
import { type Cursor, listBlocksBelow } from "../record/store.ts";
import { unmatchedReasonFor } from "../rules.ts";
import type { BlockRef, TransferObservation, WatchContext } from "../types.ts";
import { findAddressOwners } from "./find-address-owners.ts";

/** The node's chain and our record of it share no block: where every node says so, only a person can tell why. */
export class NoCommonBlockError extends NodeError {}

/** A node sent blocks that this program cannot read: the node's fault, or the program's. */
export class UnreadableBlocksError extends NodeError {}

/** Is it that, or are the errors of several nodes? Their cause is the first of them. */
export function isUnreadableBlocksError(error: unknown): boolean {
  return [error, (error as Error).cause].some((one) => one instanceof UnreadableBlocksError);
}

const FORK_SEARCH_BLOCKS = 100;

/**
 * What comes after the cursor, at most `atOnce` blocks: the next blocks, or, where the chain no longer holds the cursor's
 * block, those after the fork. null when there is nothing. Throws NodeError.
 */
export async function readBlocks(
  watch: WatchContext,
  cursor: Cursor,
  head: ChainHead,
  atOnce: number,
): Promise<Omit<Scan, "mempool"> | null> {
  const from: BlockRef = { height: cursor.height, hash: cursor.hash };
  if (head.height === cursor.height && head.hash === cursor.hash) return null;
  const to = Math.min(head.height, cursor.height + atOnce);
  if (to > cursor.height) {
    const branch = await readBranch(watch, from.height + 1, to, atOnce);
    if (branch.parentHash === from.hash) return { ...branch, from, fork: null, nodeHeight: head.height };
  }
  // Another chain may answer at the same URL by now, and two chains may share their first blocks: money is taken back by
  // the configured one alone.
  await watch.adapter.checkIdentity();
  const fork = await findFork(watch, from);
  watch.log.warn({ height: from.height, fork: fork.height }, "the chain replaced blocks that were read");
  failpoint("fork-found");
  const branch = await readBranch(watch, fork.height + 1, to, atOnce);
  if (branch.parentHash !== fork.hash) {
    throw new NodeError("inconsistent", "the chain moved while its fork was read");
  }
  return { ...branch, from, fork, nodeHeight: head.height };
}

type Branch = Pick<Scan, "to" | "blocks" | "observations"> & { readonly parentHash: string };

/** Blocks from..to in scans of at most `atOnce` each, every one on top of the one before. */
async function readBranch(watch: WatchContext, from: number, to: number, atOnce: number): Promise<Branch> {
  const blocks: BlockRef[] = [];
  const observations: TransferObservation[] = [];
  let parentHash = "";
  for (let start = from; start <= to; start += atOnce) {
    const end = Math.min(to, start + atOnce - 1);
    const part = await scanTransfers(watch, start, end);
    if (start === from) parentHash = part.parentHash;
    else if (part.parentHash !== blocks.at(-1)?.hash) {
      throw new NodeError("inconsistent", "the chain moved between two scans");
    }
    blocks.push({ height: end, hash: part.tipHash });
    observations.push(...part.observations);
  }
  failpoint("blocks-read");
  return { to: blocks.at(-1) ?? { height: to, hash: "" }, blocks, observations: observations, parentHash };
}

/** Blocks from..to read whole: what they hold of ours, and how they hang on the chain. Throws NodeError. */
export async function scanTransfers(watch: WatchContext, from: number, to: number) {
  const { collectingAddress: collecting } = watch.adapter;
  const owners = new Map<string, WalletAddress>();
  let ours: unknown = null;
  const filter = async (candidates: readonly string[]) => {
    const found = await findAddressOwners(watch, candidates).catch((error: unknown) => {
      ours = error;
      throw error;
    });
    for (const [address, owner] of found) owners.set(address, owner);
    return new Set([...owners.keys(), ...(collecting === undefined ? [] : [collecting])]);
  };
  const scan = await watch.adapter.scanBlocks({ from, to }, filter).catch((error: unknown) => {
    if (error instanceof NodeError || error === ours) throw error;
    const message = `blocks ${from} to ${to} cannot be read: ${String(error)}`;
    throw new UnreadableBlocksError("malformed", message, { cause: error });
  });
  if (collecting !== undefined && !owners.has(collecting)) {
    const collected = scan.transfers.some(({ address }) => address === collecting);
    if (collected) owners.set(collecting, await recordCollectingAddress(watch.database.db, watch.adapter));
  }
  const observations = await toObservations(watch, scan.transfers, owners);
  return { observations, tipHash: scan.tipHash, parentHash: scan.parentHash };
}

/**
 * What waits for a block. To be read before the head: what has left the mempool by then stands in a block up to that
 * head, or is gone. Throws NodeError.
 */
export async function readMempool(watch: WatchContext): Promise<readonly TransferObservation[]> {
  const transfers = await watch.adapter.scanMempool(
    async (candidates) => new Set((await findAddressOwners(watch, candidates)).keys()),
  );
  const owners = await findAddressOwners(watch, [...new Set(transfers.map(({ address }) => address))]);
  return toObservations(watch, transfers, owners);
}

/** Transfers with whose they are, and whether anything may credit them. */
async function toObservations(
  watch: WatchContext,
  transfers: readonly ChainTransfer[],
  owners: ReadonlyMap<string, WalletAddress>,
): Promise<TransferObservation[]> {
  const owned = transfers.map((transfer) => {
    const owner = owners.get(transfer.address);
    if (!owner) throw new Error(`the network's adapter returned ${transfer.address}, which is not ours`);
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
    unmatchedReason: unmatchedReasonFor(transfer, watch.network, owner, links.get(owner.id) ?? null),
  }));
}

/** The newest block read before the cursor that the chain still holds. */
async function findFork(watch: WatchContext, cursor: BlockRef): Promise<BlockRef> {
  for (let below = cursor.height; ; ) {
    const blocks = await listBlocksBelow(watch.database.db, watch, below, FORK_SEARCH_BLOCKS);
    for (const block of blocks) {
      const hash = await watch.adapter.fetchBlockHash(block.height);
      if (hash === null) throw new NodeError("inconsistent", `the node does not have block ${block.height}`);
      if (hash === block.hash) return block;
      below = block.height;
    }
    if (blocks.length < FORK_SEARCH_BLOCKS) {
      throw new NoCommonBlockError(
        "wrong_chain",
        `no block that was read below ${cursor.height} is in the node's chain: ` +
          "another chain, or a reorganisation deeper than is kept; nothing is written until it is resolved",
      );
    }
  }
}
