import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { NetworkScope } from "#lib/chains/networks.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { foreignDeposits, foreignSweeps } from "../tables.ts";
import type { UnlistedTransferObservation } from "../types.ts";

const isSearchOf = ({ env, network }: NetworkScope) =>
  and(eq(foreignSweeps.env, env), eq(foreignSweeps.network, network));

/** Returns how far the network was searched, or null before the first search. */
export async function findSearch(db: Db, scope: NetworkScope) {
  const [row] = await db.select().from(foreignSweeps).where(isSearchOf(scope));
  return row ?? null;
}

/** Inserts the first search. A search that exists is not changed. */
export async function insertSearch(
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

/** Claims the next range until `until`. One worker gets the height to start from. The others get null. */
export async function claimSearch(
  db: Db,
  scope: NetworkScope,
  now: Date,
  until: Date,
): Promise<number | null> {
  const [row] = await db
    .update(foreignSweeps)
    .set({ nextAt: until, updatedAt: now })
    .where(and(isSearchOf(scope), lte(foreignSweeps.nextAt, now)))
    .returning({ height: foreignSweeps.height });
  return row?.height ?? null;
}

/** Stores when the next search may start. */
export async function updateSearchTime(db: Db, scope: NetworkScope, nextAt: Date, now: Date): Promise<void> {
  await db.update(foreignSweeps).set({ nextAt, updatedAt: now }).where(isSearchOf(scope));
}

/** Moves the search from height `from` to `to`. Returns false and changes nothing when another worker has moved it. */
export async function updateSearchHeight(
  tx: Tx,
  scope: NetworkScope,
  { from, to, nextAt }: { from: number; to: number; nextAt: Date },
  now: Date,
): Promise<boolean> {
  const moved = await tx
    .update(foreignSweeps)
    .set({ height: to, nextAt, updatedAt: now })
    .where(and(isSearchOf(scope), eq(foreignSweeps.height, from)))
    .returning({ height: foreignSweeps.height });
  return moved.length === 1;
}

/** Counts the unresolved deposits of unlisted tokens at these addresses, by address and contract. */
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

/** Inserts deposits of unlisted tokens. A deposit that exists is not changed. */
export async function insertUnlistedDeposits(
  tx: Tx,
  { env, network }: NetworkScope,
  rows: readonly UnlistedTransferObservation[],
  now: Date,
): Promise<void> {
  // PostgreSQL accepts at most 65,535 parameters in a statement.
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
