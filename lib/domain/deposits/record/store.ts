import { and, asc, eq, gt, isNotNull, lte, not, sql } from "drizzle-orm";
import type { NetworkScope } from "#lib/chains/networks.ts";
import { NO_POSITION } from "#lib/chains/transfers.ts";
import { waitsForRetry } from "#lib/domain/attention/queries.ts";
import { depositLiteral } from "#lib/domain/deposit-status.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { type SqlArrayType, sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { isDepositOf } from "../queries.ts";
import { deposits } from "../tables.ts";
import type { PendingDeposit, RecordedDeposit, TransferObservation } from "../types.ts";
import type { FirstSeen, RecordedPayment } from "./first-seen-rules.ts";

const IS_SEEN = sql`${deposits.status} = ${depositLiteral("seen")}`;

/** Any number of ids is one parameter. */
const isOneOf = (ids: readonly number[]) => sql`${deposits.id} = any(${sqlArray(ids, "bigint")})`;

/**
 * Lists the deposits that a scan can change: those of these transactions, whatever their status, those in a block above
 * `forkHeight` (null: no reorg) and, with `waiting`, those that were last seen in the mempool.
 */
export async function listRecordedDeposits(
  tx: Tx,
  scope: NetworkScope,
  txHashes: readonly string[],
  { forkHeight, waiting }: { readonly forkHeight: number | null; readonly waiting: boolean },
): Promise<RecordedDeposit[]> {
  const observed = sql`${deposits.txHash} = any(${sqlArray(txHashes, "text")})`;
  const above = forkHeight === null ? sql`false` : gt(deposits.blockHeight, forkHeight);
  const unconfirmed = waiting ? sql`(${IS_SEEN} and ${deposits.blockHash} is null)` : sql`false`;
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

/**
 * Lists the hashes of all transactions that were last seen in the mempool: what a list of the mempool does not name may be
 * gone. As many as payments to us wait.
 */
export async function listWaitingHashes(db: Db, scope: NetworkScope): Promise<string[]> {
  const rows = await db
    .selectDistinct({ txHash: deposits.txHash })
    .from(deposits)
    .where(and(isDepositOf(scope), sql`${IS_SEEN} and ${deposits.blockHash} is null`));
  return rows.map(({ txHash }) => txHash);
}

/** An observation and the other values that a deposit row needs. */
export interface DepositPlacement {
  readonly observation: TransferObservation;
  readonly requiredConfirmations: number;
  readonly firstSeen: FirstSeen;
}

/** The recorded transactions that spend one of these outpoints, each with all that it spends. By transaction hash. */
export async function listSpenders(
  tx: Tx,
  { env, network }: NetworkScope,
  outpoints: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (outpoints.length === 0) return new Map();
  const { rows } = await tx.execute<{ hash: string; spends: string[] }>(sql`
    select distinct on (tx_hash) tx_hash as hash, spends from deposits
    where env = ${env} and network = ${network} and cardinality(spends) > 0
      and spends && ${sqlArray(outpoints, "text")}
    order by tx_hash`);
  return new Map(rows.map(({ hash, spends }) => [hash, spends]));
}

/** Lists the payments of these transactions to these addresses, dropped ones too. */
export async function listRecordedPayments(
  tx: Tx,
  { env, network }: NetworkScope,
  txHashes: readonly string[],
  addressIds: readonly number[],
): Promise<RecordedPayment[]> {
  if (txHashes.length === 0) return [];
  interface Row extends Record<string, unknown> {
    hash: string;
    address: string;
    token: TokenCode;
    amount: string;
    seen: string;
  }
  const { rows } = await tx.execute<Row>(sql`
    select tx_hash as hash, address_id as address, token, sum(amount)::text as amount, max(first_seen_at)::text as seen
    from deposits
    where env = ${env} and network = ${network} and tx_hash = any(${sqlArray(txHashes, "text")})
      and address_id = any(${sqlArray(addressIds, "bigint")})
    group by tx_hash, address_id, token`);
  return rows.map(({ hash, address, token, amount, seen }) => ({
    txHash: hash,
    addressId: Number(address),
    token,
    amount: BigInt(amount),
    seenAt: new Date(seen),
  }));
}

const ROWS_AT_ONCE = 100;

/**
 * Inserts deposits and returns their ids. A deposit that exists is not changed, and its id is not returned. The first
 * deposit of each transaction gets the outpoints, the others none: rows must not grow as inputs times outputs.
 */
export async function insertDeposits(
  tx: Tx,
  scope: NetworkScope,
  rows: readonly DepositPlacement[],
  now: Date,
): Promise<number[]> {
  const ids: number[] = [];
  const first = new Map(rows.toReversed().map(({ observation }) => [observation.txHash, observation]));
  // PostgreSQL accepts at most 65,535 parameters in a statement, and building more rows at once blocks the process.
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
    const inserted = await tx
      .insert(deposits)
      .values(
        rows.slice(i, i + ROWS_AT_ONCE).map(({ observation, requiredConfirmations, firstSeen }) => {
          const { block, spends, minConfirmations: _, ...rest } = observation;
          return {
            ...rest,
            env: scope.env,
            network: scope.network,
            spends: first.get(observation.txHash) === observation ? [...spends] : [],
            blockHeight: block?.height ?? null,
            blockHash: block?.hash ?? null,
            blockTime: block?.time ?? null,
            requiredConfirmations,
            ...firstSeen,
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

/** Gives these deposits placeholder positions, so that other deposits of their transactions can use the real ones. */
export async function clearPositions(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(deposits)
    .set({ position: sql`${NO_POSITION} - ${deposits.id}` })
    .where(isOneOf(ids));
}

/**
 * Writes where deposits were observed. A deposit that `stays` keeps its status, merchant and confirmations. Any other
 * starts again as seen, with 0 confirmations. A credited one keeps its merchant then, too: the reversal is theirs, also where the operator
 * had resolved it. Address, token and amount are always the recorded ones (reconcile). The earlier first-seen time is kept, and so is the early amount.
 */
export async function updatePlacements(
  tx: Tx,
  rows: readonly (DepositPlacement & { readonly id: number; readonly stays: boolean })[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const of = (pick: (row: (typeof rows)[number]) => string | number | boolean | null, type: SqlArrayType) =>
    sqlArray(rows.map(pick), type);
  await tx.execute(sql`
    update deposits d set
      status = case when v.stays then d.status else ${depositLiteral("seen")} end, position = v.position,
      merchant_id = case when v.stays or d.status = ${depositLiteral("credited")} then d.merchant_id else v.merchant_id end,
      unmatched_reason = case when v.stays then d.unmatched_reason else v.unmatched_reason end,
      sender = v.sender, extra = v.extra,
      block_height = v.block_height, block_hash = v.block_hash, block_time = v.block_time,
      required_confirmations = v.required, first_seen_at = least(d.first_seen_at, v.first_seen_at),
      confirmations = case when v.stays then d.confirmations else 0 end,
      confirmed_at = case when v.stays then d.confirmed_at end, dropped_from = nullif(d.dropped_from, 'block'),
      updated_at = ${now.toISOString()}::timestamptz
    from unnest(
      ${of(({ id }) => id, "bigint")}, ${of(({ stays }) => stays, "boolean")},
      ${of(({ observation }) => observation.unmatchedReason, "text")},
      ${of(({ observation }) => observation.position, "integer")}, ${of(({ observation }) => observation.merchantId, "bigint")},
      ${of(({ observation }) => observation.sender, "text")},
      ${of(({ observation }) => observation.extra ?? null, "text")},
      ${of(({ observation }) => observation.block?.height ?? null, "bigint")},
      ${of(({ observation }) => observation.block?.hash ?? null, "text")},
      ${of(({ observation }) => observation.block?.time.toISOString() ?? null, "timestamptz")},
      ${of(({ requiredConfirmations }) => requiredConfirmations, "integer")},
      ${of(({ firstSeen }) => firstSeen.firstSeenAt.toISOString(), "timestamptz")}
    ) as v(id, stays, unmatched_reason, position, merchant_id, sender, extra, block_height, block_hash, block_time,
      required, first_seen_at)
    where d.id = v.id`);
}

/** Removes deposits from their blocks or from the mempool. */
export async function removeFromBlocks(
  tx: Tx,
  ids: readonly number[],
  status: "seen" | "dropped",
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
      droppedFrom: sql`case when ${deposits.blockHash} is not null then 'block'
        else coalesce(${deposits.droppedFrom}, 'mempool') end`,
      updatedAt: now,
    })
    .where(isOneOf(ids));
}

/** Which pending deposits a query lists. */
export interface PendingPage {
  readonly upTo: number;
  readonly afterId: number;
  readonly limit: number;
  /** Only the oldest ones of each address. null: all. */
  readonly perAddress: number | null;
  readonly now: Date;
}

/** Returns whether any deposit of the network waits for confirmations. Reads one entry of an index. */
export async function hasPendingDeposits(db: Db, { env, network }: NetworkScope): Promise<boolean> {
  const isPending = and(eq(deposits.env, env), eq(deposits.network, network), eq(deposits.status, "seen"));
  const rows = await db.select({ id: deposits.id }).from(deposits).where(isPending).limit(1);
  return rows.length > 0;
}

/**
 * Lists deposits in blocks up to `upTo` that are not in the ledger yet, by id, after `afterId`. `nth`: the place of the
 * deposit among those of its address. Leaves out those that are set aside until their next retry.
 */
export async function listPendingDeposits(
  db: Db,
  scope: NetworkScope,
  { upTo, afterId, limit, perAddress, now }: PendingPage,
): Promise<(PendingDeposit & { readonly nth: number })[]> {
  const nth = sql<number>`row_number() over (partition by ${deposits.addressId} order by ${deposits.id})::integer`;
  const pending = db
    .select({
      id: deposits.id,
      blockHeight: deposits.blockHeight,
      blockHash: deposits.blockHash,
      confirmations: deposits.confirmations,
      requiredConfirmations: deposits.requiredConfirmations,
      nth: (perAddress === null ? sql<number>`0` : nth).as("nth"),
    })
    .from(deposits)
    .where(
      and(
        isDepositOf(scope),
        IS_SEEN,
        perAddress === null ? gt(deposits.id, afterId) : undefined,
        isNotNull(deposits.blockHash),
        lte(deposits.blockHeight, upTo),
        not(waitsForRetry(sql`'deposit:' || ${deposits.id}`, now)),
      ),
    )
    .as("pending");
  const rows = await db
    .select()
    .from(pending)
    .where(and(gt(pending.id, afterId), perAddress === null ? undefined : lte(pending.nth, perAddress)))
    .orderBy(asc(pending.id))
    .limit(limit);
  return rows.flatMap(({ blockHeight, blockHash, ...row }) =>
    blockHeight === null || blockHash === null ? [] : { ...row, blockHeight, blockHash },
  );
}

/** The total of a merchant's pending deposits of one token in one block, in ledger units. */
interface PendingTotal {
  readonly merchantId: number;
  readonly height: number;
  readonly token: TokenCode;
  readonly amount: bigint;
}

/** Sums up the pending deposits in these blocks. Unmatched ones do not count, because no merchant is credited with them. */
export async function listPendingTotals(
  tx: Tx,
  { env, network }: NetworkScope,
  heights: readonly number[],
): Promise<PendingTotal[]> {
  const { rows } = await tx.execute<{
    merchant: string;
    height: string;
    token: TokenCode;
    amount: string;
  }>(sql`
    select merchant_id as merchant, block_height as height, token, sum(amount)::text as amount from deposits
    where env = ${env} and network = ${network} and block_height = any(${sqlArray(heights, "bigint")})
      and status = ${depositLiteral("seen")} and unmatched_reason is null and merchant_id is not null
    group by merchant_id, block_height, token`);
  return rows.map(({ merchant, height, token, amount }) => ({
    merchantId: Number(merchant),
    height: Number(height),
    token,
    amount: BigInt(amount),
  }));
}

/** Raises the required confirmations of these merchants' pending deposits. Returns the ids of those that needed fewer. */
export async function raiseRequiredConfirmations(
  tx: Tx,
  { env, network }: NetworkScope,
  rows: readonly (Pick<PendingTotal, "merchantId" | "height"> & { readonly required: number })[],
  now: Date,
): Promise<number[]> {
  if (rows.length === 0) return [];
  const of = (pick: (row: (typeof rows)[number]) => number, type: SqlArrayType) =>
    sqlArray(rows.map(pick), type);
  const changed = await tx.execute<{ id: string }>(sql`
    update deposits d set required_confirmations = v.required, updated_at = ${now.toISOString()}::timestamptz
    from unnest(${of(({ merchantId }) => merchantId, "bigint")}, ${of(({ height }) => height, "bigint")},
      ${of(({ required }) => required, "integer")}) as v(merchant_id, height, required)
    where d.env = ${env} and d.network = ${network} and d.block_height = v.height and d.merchant_id = v.merchant_id
      and d.status = ${depositLiteral("seen")} and d.unmatched_reason is null
      and d.required_confirmations < v.required
    returning d.id`);
  return changed.rows.map(({ id }) => Number(id));
}

export async function updateConfirmations(
  tx: Tx,
  rows: readonly { readonly id: number; readonly confirmations: number }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    update deposits d set confirmations = v.confirmations, updated_at = ${now.toISOString()}::timestamptz
    from unnest(${sqlArray(
      rows.map(({ id }) => id),
      "bigint",
    )}, ${sqlArray(
      rows.map(({ confirmations }) => confirmations),
      "integer",
    )}) as v(id, confirmations)
    where d.id = v.id and d.status = ${depositLiteral("seen")}`);
}

/** Locks a deposit. Returns whether it still waits for its confirmations or its credit. */
export async function lockPendingDeposit(tx: Tx, id: number): Promise<boolean> {
  const [row] = await tx
    .select({ status: deposits.status })
    .from(deposits)
    .where(eq(deposits.id, id))
    .for("update");
  return row?.status === "seen";
}

/**
 * Sets seen deposits to credited, or to held when they have an unmatched reason, and starts a new credit round for each.
 * Returns the deposits that it changed.
 */
export async function markConfirmed(tx: Tx, ids: readonly number[], now: Date) {
  if (ids.length === 0) return [];
  return tx
    .update(deposits)
    .set({
      status: sql`case when ${deposits.unmatchedReason} is null then ${depositLiteral("credited")} else ${depositLiteral("held")} end`,
      confirmedAt: now,
      creditRound: sql`${deposits.creditRound} + 1`,
      updatedAt: now,
    })
    .where(and(isOneOf(ids), eq(deposits.status, "seen")))
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
