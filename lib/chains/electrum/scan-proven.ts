import { setTimeout as delay } from "node:timers/promises";
import type { AddressBook } from "../address-book.ts";
import type { AddressFilter, ScanResult } from "../blocks.ts";
import type { MempoolReader } from "../mempool-reader.ts";
import { NodeError } from "../node-error.ts";
import type { ChainTransfer } from "../transfers.ts";
import {
  collectCandidates,
  matchCandidates,
  type OutputCandidate,
  type OutputReader,
  type RawTransaction,
} from "../utxo/match-outputs.ts";
import type { LiveAddresses } from "./address-book.ts";
import type { ElectrumServer } from "./electrum-server.ts";
import type { HeaderChain, ReplacedBlocks } from "./header-chain.ts";
import type { Header } from "./headers.ts";
import type { ProvenPayments, ProvenTransaction } from "./proven-payments.ts";
import type { ServerGroup } from "./server-group.ts";
import type { ElectrumSession } from "./session.ts";

/** The mempool is not worth a longer wait: what is still unread comes with the next pass. */
const WAITING_MS = 1_000;
/** A server this many blocks behind no longer says what waits. */
const STALE_BLOCKS = 1;

/** The addresses that are looked for. Null before the watcher named them. */
export interface LookedFor {
  book: AddressBook | null;
  live: LiveAddresses | null;
  /** The script hash of an address. */
  readonly hashOf: (address: string) => string;
}

export interface ScanContext {
  readonly reader: OutputReader;
  readonly servers: readonly ElectrumServer[];
  readonly group: ServerGroup;
  readonly proven: ProvenPayments;
  readonly replaced: ReplacedBlocks;
  readonly lookedFor: LookedFor;
}

/** Reads blocks. Each transfer is proven, and the chain is the one with the most work. See Blocks.scan. */
export async function scanProvenBlocks(
  context: ScanContext,
  { from, to }: { readonly from: number; readonly to: number },
  ours: AddressFilter,
): Promise<ScanResult> {
  if (to < from) throw new RangeError("scan: an empty range");
  const { group, proven } = context;
  const best = await group.best();
  await lookForNew(context);
  let read = await group.settle(best);
  const { session } = await best.open();
  if (read.height < to) {
    await session.refresh();
    read = await group.settle(best);
    if (read.height < to) throw new NodeError("inconsistent", `${best.name} is not at block ${to} yet`);
  }
  const first = await session.header(from);
  const last = await session.header(to);
  const held = session.chain();
  const isHeld = (height: number, header: Header | null) =>
    header !== null && (height < held.base || held.at(height) === header);
  if (first === null || last === null || !isHeld(from, first) || !isHeld(to, last)) {
    throw new NodeError("inconsistent", `${best.name} does not have block ${to}`);
  }
  if (held.at(read.height)?.hash !== read.hash)
    throw new NodeError("inconsistent", `${best.name} has replaced block ${read.height} while it was read`);
  // They count as recorded once they were listed as late and that is committed: this pass may fail.
  const found = await pickFromChain(session, held, proven.list(from, to));
  const transfers = await matchTransfers(context, found, ours);
  return { transfers, tipHash: last.hash, parentHash: first.parentHash };
}

/** Returns those whose block is in this chain, which is the session's or was before. */
export async function pickFromChain(
  session: ElectrumSession,
  held: HeaderChain,
  some: readonly ProvenTransaction[],
): Promise<readonly ProvenTransaction[]> {
  const found: ProvenTransaction[] = [];
  for (const one of some) {
    const { height, hash } = one.block;
    // Only a reorganization deeper than what is held replaces older blocks.
    const header = height < held.base ? await session.header(height) : held.at(height);
    if (header?.hash === hash) found.push(one);
  }
  return found;
}

/**
 * See Blocks.readAgainAbove. A transaction that is mined again at the same height leaves the status of its history as it was.
 * A transaction in a block that was not replaced is proven once more, too: the fork that was found may be far below the real one.
 */
export async function readHistoriesAgain(
  { lookedFor, servers, proven }: ScanContext,
  fork: number,
): Promise<void> {
  proven.distrustAbove(fork);
  const paid = (await lookedFor.book?.listPaidAbove(fork)) ?? [];
  if (paid.length === 0) return;
  const scriptHashes = paid.map((address) => lookedFor.hashOf(address));
  for (const server of servers) server.current()?.sync.touch(scriptHashes);
}

/** Reads what the servers say that waits. Nothing proves it. See MempoolReader. */
export function createMempoolReader(context: ScanContext): MempoolReader {
  let list = 0;
  return {
    async readStep({ ours, wanted }) {
      const seen = await wanted();
      const best = await context.group.best();
      await lookForNew(context);
      const { sync } = await best.open();
      const isRead = await Promise.race([
        sync.idle().then(() => true),
        delay(WAITING_MS, false, { ref: false }),
      ]);
      const found = listWaiting(context, best);
      const listed = new Set(found.map(({ transaction }) => transaction.txid));
      list += 1;
      return {
        node: best.name,
        list,
        looked: true,
        // A history that is still being read may name them.
        gone: isRead ? seen.filter((txHash) => !listed.has(txHash)) : [],
        transfers: await matchTransfers(context, found, ours),
        arrivals: isRead ? 0 : 1,
        backlog: 0,
        failure: null,
      };
    },
  };
}

function listWaiting({ servers }: ScanContext, best: ElectrumServer): readonly RawTransaction[] {
  const height = best.current()?.session.chain().height ?? 0;
  const spent = new Set<string>();
  const found: RawTransaction[] = [];
  for (const server of [best, ...servers.filter((one) => one !== best)]) {
    const open = server.current();
    if (open === null || open.session.chain().height < height - STALE_BLOCKS) continue;
    for (const { raw, transaction } of open.sync.waiting()) {
      // The best server decides between transactions that exclude each other.
      if (transaction.spends().some((outpoint) => spent.has(outpoint))) continue;
      for (const outpoint of transaction.spends()) spent.add(outpoint);
      found.push({ raw, transaction, block: null });
    }
  }
  return found;
}

/** Returns the transfers to us in these transactions. */
export function matchTransfers(
  { reader }: Pick<ScanContext, "reader">,
  found: readonly RawTransaction[],
  ours: AddressFilter,
): Promise<ChainTransfer[]> {
  const candidates: OutputCandidate[] = [];
  for (const one of found) collectCandidates(reader, one, candidates);
  return matchCandidates(reader, candidates, ours);
}

/** Learns new addresses, and asks about the next few old ones. */
async function lookForNew({ lookedFor: { live }, servers }: ScanContext): Promise<void> {
  if (live === null) return;
  // All servers learn of them, whatever fails afterwards: only this pass hears that they are new.
  if (await live.refresh()) for (const server of servers) server.current()?.sync.watch(live.hashes().keys());
  for (const server of servers) await server.sweep();
}
