import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { foreignDeposits, foreignSweeps } from "../tables.ts";
import type { NetworkScope, UnlistedTransferObservation } from "../types.ts";

const isSweepOf = ({ env, network }: NetworkScope) =>
  and(eq(foreignSweeps.env, env), eq(foreignSweeps.network, network));

export async function findSweep(db: Db, scope: NetworkScope) {
  const [row] = await db.select().from(foreignSweeps).where(isSweepOf(scope));
  return row ?? null;
}

export async function insertSweep(
  db: Db,
  { env, network }: NetworkScope,
  height: number,
  now: Date,
): Promise<void> {
  await db
    .insert(foreignSweeps)
    .values({ env, network, height, nextAt: now, updatedAt: now })
    .onConflictDoNothing();
}

/** Takes the next part, until `until`: of several who ask, one gets the height it starts from, the others null. */
export async function claimSweep(
  db: Db,
  scope: NetworkScope,
  now: Date,
  until: Date,
): Promise<number | null> {
  const [row] = await db
    .update(foreignSweeps)
    .set({ nextAt: until, updatedAt: now })
    .where(and(isSweepOf(scope), lte(foreignSweeps.nextAt, now)))
    .returning({ height: foreignSweeps.height });
  return row?.height ?? null;
}

/** Says when to look again. */
export async function updateSweepTime(db: Db, scope: NetworkScope, nextAt: Date, now: Date): Promise<void> {
  await db.update(foreignSweeps).set({ nextAt, updatedAt: now }).where(isSweepOf(scope));
}

/** Compare-and-set: false when somebody else has read on from `from`. */
export async function updateSweepHeight(
  tx: Tx,
  scope: NetworkScope,
  { from, to, nextAt }: { from: number; to: number; nextAt: Date },
  now: Date,
): Promise<boolean> {
  const moved = await tx
    .update(foreignSweeps)
    .set({ height: to, nextAt, updatedAt: now })
    .where(and(isSweepOf(scope), eq(foreignSweeps.height, from)))
    .returning({ height: foreignSweeps.height });
  return moved.length === 1;
}

/** Unresolved rows at these addresses of a network, by address and contract. */
export async function countUnlistedDeposits(
  tx: Tx,
  { env, network }: NetworkScope,
  addressIds: readonly number[],
) {
  return tx
    .select({
      addressId: foreignDeposits.addressId,
      contract: foreignDeposits.contract,
      count: sql<number>`count(*)::integer`,
    })
    .from(foreignDeposits)
    .where(
      and(
        eq(foreignDeposits.env, env),
        eq(foreignDeposits.network, network),
        inArray(foreignDeposits.addressId, [...addressIds]),
        isNull(foreignDeposits.resolvedAt),
      ),
    )
    .groupBy(foreignDeposits.addressId, foreignDeposits.contract);
}

/** One that is there already is left alone. */
export async function insertUnlistedDeposits(
  tx: Tx,
  { env, network }: NetworkScope,
  rows: readonly UnlistedTransferObservation[],
  now: Date,
): Promise<void> {
  // PostgreSQL takes 65,535 parameters a statement.
  for (let i = 0; i < rows.length; i += 1_000) {
    await tx
      .insert(foreignDeposits)
      .values(
        rows.slice(i, i + 1_000).map(({ block, ...row }) => ({
          ...row,
          env,
          network,
          blockHeight: block.height,
          blockHash: block.hash,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .onConflictDoNothing();
  }
}
