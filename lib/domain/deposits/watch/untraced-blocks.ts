import type { BlockRange } from "#lib/chains/blocks.ts";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkScope } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { findAttentionOf, listDueAttention } from "#lib/domain/attention/queries.ts";
import { attentionSubject } from "#lib/domain/attention/rules.ts";
import { clearAttention, isNodeFaultOfUnit, logSetAside, setAside } from "#lib/domain/attention/set-aside.ts";
import { recordScan } from "../record/record-scan.ts";
import type { BlockRef, WatchContext } from "../types.ts";
import { readAgain } from "./read-again.ts";

const prefixOf = ({ env, network }: NetworkScope) => attentionSubject("blocks", `${env}:${network}:`);
const subjectOf = (scope: NetworkScope, { from, to }: BlockRange) => `${prefixOf(scope)}${from}-${to}`;

function parseRange(scope: NetworkScope, subject: string): BlockRange | null {
  const [, from, to] = /^([0-9]+)-([0-9]+)$/.exec(subject.slice(prefixOf(scope).length)) ?? [];
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) };
}

/**
 * Sets blocks aside that were read without their traces, so that the operator sees them and they are read again
 * (retryUntraced). A range that follows a set-aside one extends it. Call it before the cursor passes them: a crash in between
 * only reads them once more.
 */
export async function noteUntraced(watch: WatchContext, heights: readonly number[]): Promise<void> {
  const [first, last] = [heights[0], heights.at(-1)];
  if (first === undefined || last === undefined) return;
  const { db } = watch.database;
  const before = await findAttentionOf(db, prefixOf(watch), `-${first - 1}`);
  const joined = before === null ? null : parseRange(watch, before);
  const range = { from: joined?.from ?? first, to: last };
  const error = new NodeError(
    "refused",
    "no node traces these blocks: coins that contracts sent are not read",
  );
  const unit = await db.transaction(async (tx) => {
    if (before !== null) await clearAttention(tx, [before]);
    return setAside(tx, { subject: subjectOf(watch, range), height: range.from }, error, watch.now());
  });
  logSetAside(watch.log, [unit]);
}

/**
 * Reads a part of the oldest blocks again that were read without traces and are due. The rest of its range is due next. While
 * no node traces them, they stay set aside. Returns whether any deposit was in them: its confirmations must be counted. Throws
 * NodeError when the node answers nothing else, too.
 */
export async function retryUntraced(watch: WatchContext, at: BlockRef, nodeHeight: number): Promise<boolean> {
  // Only a network that reads what contracts send has such blocks.
  if (!getFamily(watch.network).hasTraces || watch.adapter.missesContracts) return false;
  const { db } = watch.database;
  const now = watch.now();
  const [due] = await listDueAttention(db, prefixOf(watch), {
    now,
    limit: 1,
    upTo: at.height,
    waiting: false,
  });
  if (due === undefined) return false;
  const { subject } = due;
  const range = parseRange(watch, subject);
  if (range === null) {
    await clearAttention(db, [subject]);
    return false;
  }
  if ((await watch.adapter.blocks.fetchHash(at.height)) !== at.hash) return false;
  const to = Math.min(range.to, at.height, range.from + watch.adapter.data.batchBlocks - 1);
  let found = 0;
  try {
    const observations = await readAgain(watch, { from: range.from, to }, at);
    found = observations.length;
    const scan = { from: at, to: at, fork: null, blocks: [], observations, nodeHeight, mempool: null };
    if ((await recordScan(watch, scan, new Set(), now)) === null) return false;
  } catch (error) {
    if (!(await isNodeFaultOfUnit(error, watch.adapter))) throw error;
    logSetAside(watch.log, [await setAside(db, due, error, now)]);
    return false;
  }
  await db.transaction(async (tx) => {
    await clearAttention(tx, [subject]);
    if (to === range.to) return;
    const rest = { subject: subjectOf(watch, { from: to + 1, to: range.to }), height: to + 1 };
    const error = new NodeError("refused", "these blocks are read again");
    await setAside(tx, rest, error, new Date(now.getTime() - 60_000));
  });
  return found > 0;
}
