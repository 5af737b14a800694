import { and, asc, desc, eq, gt, inArray, isNotNull, lt, lte, min, sql } from "drizzle-orm";
import { NO_POSITION } from "#lib/chains/network.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { deposits, watchCursors, watchedBlocks } from "../tables.ts";
import type {
  BlockRef,
  NetworkScope,
  PendingDeposit,
  RecordedDeposit,
  TransferObservation,
} from "../types.ts";

export type Cursor = typeof watchCursors.$inferSelect;

const isCursorOf = ({ env, network }: NetworkScope) =>
  and(eq(watchCursors.env, env), eq(watchCursors.network, network));
const isCursorAt = (scope: NetworkScope, { height, hash }: BlockRef) =>
  and(isCursorOf(scope), eq(watchCursors.height, height), eq(watchCursors.hash, hash));
const isBlockOf = ({ env, network }: NetworkScope) =>
  and(eq(watchedBlocks.env, env), eq(watchedBlocks.network, network));
const isDepositOf = ({ env, network }: NetworkScope) =>
  and(eq(deposits.env, env), eq(deposits.network, network));
/** An array as one parameter: any number of rows is one statement. */
const column = (values: readonly (string | number | boolean | null)[], type: string) =>
  sql`${sql.param(values)}::${sql.raw(type)}[]`;

/** Where a cursor stands before its first pass: below every block, with nothing but an error to tell. */
const BEFORE_FIRST_PASS: BlockRef = { height: -1, hash: "" };

/** null before the first pass. */
export async function findCursor(db: Db, scope: NetworkScope): Promise<Cursor | null> {
  const row = await findWatchState(db, scope);
  return row && row.height > BEFORE_FIRST_PASS.height ? row : null;
}

/** As loadCursor, and before the first pass too: what went wrong with it. */
export async function findWatchState(db: Db, scope: NetworkScope): Promise<Cursor | null> {
  const [row] = await db.select().from(watchCursors).where(isCursorOf(scope));
  return row ?? null;
}

/** When the network's first address was given out; null: none was. */
export async function findFirstAddressTime(db: Db, { env, network }: NetworkScope): Promise<Date | null> {
  const [row] = await db
    .select({ at: min(addresses.createdAt) })
    .from(addresses)
    .where(and(eq(addresses.env, env), eq(addresses.network, network)));
  return row?.at ?? null;
}

/** A first cursor; one that exists already stays as it is. */
export async function insertCursor(
  tx: Tx,
  { env, network }: NetworkScope,
  at: BlockRef,
  now: Date,
): Promise<void> {
  const { height, hash } = at;
  await tx
    .insert(watchCursors)
    .values({ env, network, height, hash, nodeHeight: height, updatedAt: now })
    .onConflictDoUpdate({
      target: [watchCursors.env, watchCursors.network],
      set: { height, hash, nodeHeight: height, updatedAt: now },
      setWhere: eq(watchCursors.height, BEFORE_FIRST_PASS.height),
    });
}

/** Compare-and-set: false when the cursor does not stand at `from` any more. Locks it until the transaction ends. */
export async function moveCursor(
  tx: Tx,
  scope: NetworkScope,
  from: BlockRef,
  to: BlockRef & { readonly nodeHeight: number },
  now: Date,
): Promise<boolean> {
  const moved = await tx
    .update(watchCursors)
    .set({ height: to.height, hash: to.hash, nodeHeight: to.nodeHeight, updatedAt: now })
    .where(isCursorAt(scope, from))
    .returning({ height: watchCursors.height });
  return moved.length === 1;
}

/** True when the cursor stands there; it then does until the transaction ends. */
export async function lockCursor(tx: Tx, scope: NetworkScope, at: BlockRef): Promise<boolean> {
  const rows = await tx
    .select({ height: watchCursors.height })
    .from(watchCursors)
    .where(isCursorAt(scope, at))
    .for("update");
  return rows.length === 1;
}

/** Notes how far the node stands and, after a whole pass, when it began; with either, that all is well. */
export async function updateWatchProgress(
  db: Db,
  scope: NetworkScope,
  at: BlockRef,
  pass: { readonly nodeHeight: number; readonly passStartedAt: Date | null },
  now: Date,
): Promise<void> {
  await db
    .update(watchCursors)
    .set({
      nodeHeight: pass.nodeHeight,
      ...(pass.passStartedAt && { passStartedAt: pass.passStartedAt }),
      error: null,
      updatedAt: now,
    })
    .where(isCursorAt(scope, at));
}

/** Also where no pass has succeeded yet: a node that is dead from the start shows. */
export async function upsertWatchError(
  db: Db,
  { env, network }: NetworkScope,
  error: string,
  now: Date,
): Promise<void> {
  await db
    .insert(watchCursors)
    .values({
      env,
      network,
      ...BEFORE_FIRST_PASS,
      nodeHeight: BEFORE_FIRST_PASS.height,
      error,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [watchCursors.env, watchCursors.network],
      set: { error, updatedAt: now },
    });
}

/** Remembers blocks that were read, and forgets those below `oldest`. */
export async function insertReadBlocks(
  tx: Tx,
  { env, network }: NetworkScope,
  blocks: readonly BlockRef[],
  oldest: number,
): Promise<void> {
  if (blocks.length === 0) return;
  await tx
    .insert(watchedBlocks)
    .values(blocks.map(({ height, hash }) => ({ env, network, height, hash })))
    .onConflictDoUpdate({
      target: [watchedBlocks.env, watchedBlocks.network, watchedBlocks.height],
      set: { hash: sql`excluded.hash` },
    });
  await tx.delete(watchedBlocks).where(and(isBlockOf({ env, network }), lt(watchedBlocks.height, oldest)));
}

export async function deleteBlocksAbove(tx: Tx, scope: NetworkScope, height: number): Promise<void> {
  await tx.delete(watchedBlocks).where(and(isBlockOf(scope), gt(watchedBlocks.height, height)));
}

/** Blocks read below a height, newest first. */
export async function listBlocksBelow(
  db: Db,
  scope: NetworkScope,
  height: number,
  limit: number,
): Promise<readonly BlockRef[]> {
  return db
    .select({ height: watchedBlocks.height, hash: watchedBlocks.hash })
    .from(watchedBlocks)
    .where(and(isBlockOf(scope), lt(watchedBlocks.height, height)))
    .orderBy(desc(watchedBlocks.height))
    .limit(limit);
}

/**
 * The deposits of these transactions, whatever their state, every one in a block above `forkHeight` and, with
 * `waiting`, every one that was last seen in the mempool.
 */
export async function listRecordedDeposits(
  tx: Tx,
  scope: NetworkScope,
  txHashes: readonly string[],
  { forkHeight, waiting }: { readonly forkHeight: number | null; readonly waiting: boolean },
): Promise<RecordedDeposit[]> {
  const observed = sql`${deposits.txHash} = any(${column(txHashes, "text")})`;
  const above = forkHeight === null ? sql`false` : gt(deposits.blockHeight, forkHeight);
  const unconfirmed = waiting ? sql`(${deposits.status} = 0 and ${deposits.blockHash} is null)` : sql`false`;
  return tx
    .select({
      id: deposits.id,
      txHash: deposits.txHash,
      position: deposits.position,
      token: deposits.token,
      addressId: deposits.addressId,
      amount: deposits.amount,
      status: deposits.status,
      unmatchedReason: deposits.unmatchedReason,
      creditRound: deposits.creditRound,
      spends: deposits.spends,
      blockHeight: deposits.blockHeight,
      blockHash: deposits.blockHash,
    })
    .from(deposits)
    .where(and(isDepositOf(scope), sql`(${observed} or ${above} or ${unconfirmed})`))
    .orderBy(asc(deposits.id));
}

/** A observation with what the deposit needs beyond it. */
export interface DepositPlacement {
  readonly observation: TransferObservation;
  readonly requiredConfirmations: number;
  /** Earlier than now when it replaces a transaction that was seen before. */
  readonly firstSeenAt: Date;
}

/** When money spent from these outpoints was first seen on its way to us, by outpoint. */
export async function findFirstSeenTimes(
  tx: Tx,
  { env, network }: NetworkScope,
  outpoints: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (outpoints.length === 0) return new Map();
  const { rows } = await tx.execute<{ outpoint: string; first: string }>(sql`
    select outpoint, min(first_seen_at) as first from deposits, unnest(spends) as outpoint
    where env = ${env} and network = ${network} and cardinality(spends) > 0
      and spends && ${column(outpoints, "text")}
    group by outpoint`);
  return new Map(rows.map(({ outpoint, first }) => [outpoint, new Date(first)]));
}

/** Returns the ids. One that is there already is left alone. */
export async function insertDeposits(
  tx: Tx,
  scope: NetworkScope,
  rows: readonly DepositPlacement[],
  now: Date,
): Promise<number[]> {
  const ids: number[] = [];
  // PostgreSQL takes 65,535 parameters a statement.
  for (let i = 0; i < rows.length; i += 1_000) {
    const inserted = await tx
      .insert(deposits)
      .values(
        rows.slice(i, i + 1_000).map(({ observation, requiredConfirmations, firstSeenAt }) => {
          const { block, spends, minConfirmations: _, ...rest } = observation;
          return {
            ...rest,
            env: scope.env,
            network: scope.network,
            spends: [...spends],
            blockHeight: block?.height ?? null,
            blockHash: block?.hash ?? null,
            blockTime: block?.time ?? null,
            requiredConfirmations,
            firstSeenAt,
            createdAt: now,
            updatedAt: now,
          };
        }),
      )
      .onConflictDoNothing()
      .returning({ id: deposits.id });
    ids.push(...inserted.map(({ id }) => id));
  }
  return ids;
}

/** Frees the positions of these deposits for others of their transactions. */
export async function clearPositions(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(deposits)
    .set({ position: sql`${NO_POSITION} - ${deposits.id}` })
    .where(inArray(deposits.id, [...ids]));
}

/**
 * Puts deposits where they were observed, each as one that stays what it is, or as one seen anew. Their first sight stays
 * the earliest.
 */
export async function updatePlacements(
  tx: Tx,
  rows: readonly (DepositPlacement & { readonly id: number; readonly stays: boolean })[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const of = (pick: (row: (typeof rows)[number]) => string | number | boolean | null, type: string) =>
    column(rows.map(pick), type);
  await tx.execute(sql`
    update deposits d set
      status = case when v.stays then d.status else 0 end, position = v.position, token = v.token,
      address_id = v.address_id, merchant_id = case when v.stays then d.merchant_id else v.merchant_id end,
      unmatched_reason = case when v.stays then d.unmatched_reason else v.unmatched_reason end,
      amount = v.amount, sender = v.sender, extra = v.extra,
      block_height = v.block_height, block_hash = v.block_hash, block_time = v.block_time,
      required_confirmations = v.required, first_seen_at = least(d.first_seen_at, v.first_seen_at),
      confirmations = case when v.stays then d.confirmations else 0 end,
      confirmed_at = case when v.stays then d.confirmed_at end, updated_at = ${now.toISOString()}::timestamptz
    from unnest(
      ${of(({ id }) => id, "bigint")}, ${of(({ stays }) => stays, "boolean")},
      ${of(({ observation }) => observation.unmatchedReason, "text")},
      ${of(({ observation }) => observation.position, "integer")}, ${of(({ observation }) => observation.token, "text")},
      ${of(({ observation }) => observation.addressId, "bigint")}, ${of(({ observation }) => observation.merchantId, "bigint")},
      ${of(({ observation }) => observation.amount.toString(), "numeric")}, ${of(({ observation }) => observation.sender, "text")},
      ${of(({ observation }) => observation.extra ?? null, "text")},
      ${of(({ observation }) => observation.block?.height ?? null, "bigint")},
      ${of(({ observation }) => observation.block?.hash ?? null, "text")},
      ${of(({ observation }) => observation.block?.time.toISOString() ?? null, "timestamptz")},
      ${of(({ requiredConfirmations }) => requiredConfirmations, "integer")},
      ${of(({ firstSeenAt }) => firstSeenAt.toISOString(), "timestamptz")}
    ) as v(id, stays, unmatched_reason, position, token, address_id, merchant_id, amount, sender, extra, block_height, block_hash, block_time,
      required, first_seen_at)
    where d.id = v.id`);
}

/** Takes deposits out of their blocks: to wait (0), or dropped (2). */
export async function removeFromBlocks(
  tx: Tx,
  ids: readonly number[],
  status: 0 | 2,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(deposits)
    .set({
      status,
      blockHeight: null,
      blockHash: null,
      blockTime: null,
      confirmations: 0,
      confirmedAt: null,
      updatedAt: now,
    })
    .where(inArray(deposits.id, [...ids]));
}

/** Deposits in blocks up to the cursor's that are not in the books yet, by id. */
export async function listPendingDeposits(
  db: Db,
  scope: NetworkScope,
  upTo: number,
  afterId: number,
  limit: number,
): Promise<PendingDeposit[]> {
  const rows = await db
    .select({
      id: deposits.id,
      blockHeight: deposits.blockHeight,
      blockHash: deposits.blockHash,
      confirmations: deposits.confirmations,
      requiredConfirmations: deposits.requiredConfirmations,
    })
    .from(deposits)
    .where(
      and(
        isDepositOf(scope),
        sql`${deposits.status} = 0`,
        gt(deposits.id, afterId),
        isNotNull(deposits.blockHash),
        lte(deposits.blockHeight, upTo),
      ),
    )
    .orderBy(asc(deposits.id))
    .limit(limit);
  return rows.flatMap(({ blockHeight, blockHash, ...row }) =>
    blockHeight === null || blockHash === null ? [] : { ...row, blockHeight, blockHash },
  );
}

export async function updateConfirmations(
  tx: Tx,
  rows: readonly { readonly id: number; readonly confirmations: number }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    update deposits d set confirmations = v.confirmations, updated_at = ${now.toISOString()}::timestamptz
    from unnest(${column(
      rows.map(({ id }) => id),
      "bigint",
    )}, ${column(
      rows.map(({ confirmations }) => confirmations),
      "integer",
    )}) as v(id, confirmations)
    where d.id = v.id and d.status = 0`);
}

/**
 * Turns seen deposits into credited ones, or held ones where nothing may credit them, each in a round of its own;
 * returns those that it turned.
 */
export async function markConfirmed(tx: Tx, ids: readonly number[], now: Date) {
  if (ids.length === 0) return [];
  return tx
    .update(deposits)
    .set({
      status: sql`case when ${deposits.unmatchedReason} is null then 1 else 3 end`,
      confirmedAt: now,
      creditRound: sql`${deposits.creditRound} + 1`,
      updatedAt: now,
    })
    .where(and(inArray(deposits.id, [...ids]), eq(deposits.status, 0)))
    .returning({
      id: deposits.id,
      env: deposits.env,
      network: deposits.network,
      token: deposits.token,
      merchantId: deposits.merchantId,
      amount: deposits.amount,
      unmatchedReason: deposits.unmatchedReason,
      creditRound: deposits.creditRound,
    });
}
