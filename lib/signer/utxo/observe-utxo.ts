import { isFinalBlock } from "#lib/chains/finality-rules.ts";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import type { TransactionPayments } from "#lib/chains/transactions.ts";
import { listByRefids } from "#lib/domain/withdrawals/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { Observed } from "../chain-signer.ts";
import { boundTime } from "../node-bounds.ts";
import type { JournalEntry } from "../types.ts";
import { findDead } from "./outcome-rules.ts";

interface ObserveDeps {
  readonly db: Db;
  readonly adapter: TransactionNetwork;
  /** The blocks that transactions were last seen in: a node without an index finds them there. */
  readonly blocks: Map<string, string>;
  readonly now: () => Date;
}

/** Reads from one node what became of transactions that are not settled. The head is read first, so they are never older than it. */
export async function observeUtxo(deps: ObserveDeps, own: readonly JournalEntry[]): Promise<Observed> {
  const { adapter, blocks, now } = deps;
  await addRecordedBlocks(deps, own);
  const { head, found } = await adapter.nodes.withOne({ lastBlock: null }, async (node) => {
    const head = await node.blocks.fetchHead();
    if (head.time) boundTime(head.time, now(), adapter.network);
    const found = new Map<string, TransactionPayments | null>();
    for (const { hash } of own)
      found.set(hash, await node.transactions.fetchPayments(hash, blocks.get(hash) ?? null));
    return { head, found };
  });
  const blockOf = ({ hash }: JournalEntry) => found.get(hash)?.block ?? null;
  const isInFinalBlock = (entry: JournalEntry) => {
    const block = blockOf(entry);
    return block !== null && isFinalBlock(adapter.data.finality, block.height, head);
  };
  for (const entry of own) {
    const block = blockOf(entry);
    if (block !== null) blocks.set(entry.hash, block.hash);
  }
  const final = own.filter((entry) => isInFinalBlock(entry) || isSpentByFinal(entry, own, isInFinalBlock));
  const dead = findDead(own, final);
  const settled = [
    ...final.map((entry) => ({ entry, outcome: "final" as const })),
    ...dead.map((entry) => ({ entry, outcome: "dead" as const })),
  ];
  for (const { entry } of settled) blocks.delete(entry.hash);
  const open = own.filter((entry) => !settled.some((one) => one.entry === entry));
  const inBlocks = open.filter((entry) => blockOf(entry) !== null);
  // A transaction in a block, though not final, excludes the others for now.
  const waiting = open.filter(
    (entry, at) =>
      !inBlocks.some((one) => excludes(one, entry)) &&
      !open.slice(at + 1).some((later) => excludes(later, entry)),
  );
  return { settled, waiting, headTime: head.time ?? now() };
}

const excludes = (one: JournalEntry, other: JournalEntry) =>
  one.spends.some((spent) => other.spends.includes(spent));

/** A final transaction that spends an output of it proves it, when no node finds it any more. */
const isSpentByFinal = (
  { hash }: JournalEntry,
  own: readonly JournalEntry[],
  isFinal: (entry: JournalEntry) => boolean,
) => own.some((other) => isFinal(other) && other.spends.some((spent) => spent.startsWith(`${hash}:`)));

/** The worker keeps the block of each transaction that it follows. The database may be wrong: then the node finds nothing there. */
async function addRecordedBlocks({ db, blocks }: ObserveDeps, own: readonly JournalEntry[]): Promise<void> {
  const [first] = own;
  const refids = own
    .filter(({ hash }) => !blocks.has(hash))
    .flatMap(({ payouts }) => payouts.map(({ refid }) => refid));
  if (first === undefined || refids.length === 0) return;
  for (const { transactions } of await listByRefids(db, first.env, [...new Set(refids)]))
    for (const { hash, block } of transactions) if (block !== null) blocks.set(hash, block);
}
