import { and, asc, eq, gte, max, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { PoolEntry } from "./pool-rules.ts";
import { accountKeys, poolAddresses } from "./tables.ts";
import type { AllocationCounter, IndexedAddress, PoolStatus } from "./types.ts";

/** What stands for a pool among the account keys. */
export function poolKey(env: Env, network: NetworkCode): string {
  return `pool:${env}:${network}`;
}

/** The next addresses of a pool, `limit` at most, in the order they are given out in. */
export function listPoolAddresses(tx: Tx, pool: AllocationCounter, limit: number): Promise<IndexedAddress[]> {
  return tx
    .select({ index: poolAddresses.index, address: poolAddresses.address, path: poolAddresses.path })
    .from(poolAddresses)
    .where(and(eq(poolAddresses.accountKeyId, pool.accountKeyId), gte(poolAddresses.index, pool.nextIndex)))
    .orderBy(asc(poolAddresses.index))
    .limit(limit);
}

/** Which of these addresses are in a pool of the network already, and of which environment's. */
export async function listPoolEnvironments(
  tx: Tx,
  network: NetworkCode,
  canonical: readonly string[],
): Promise<ReadonlyMap<string, Env>> {
  const rows = await tx
    .select({ address: poolAddresses.address, env: accountKeys.env })
    .from(poolAddresses)
    .innerJoin(accountKeys, eq(accountKeys.id, poolAddresses.accountKeyId))
    .where(
      and(
        eq(poolAddresses.network, network),
        sql`${poolAddresses.address} = any(${sql.param(canonical)}::text[])`,
      ),
    );
  return new Map(rows.map(({ address, env }) => [address, env]));
}

/** How many addresses the pool ever had: the index of the next one. */
export async function countPoolAddresses(tx: Tx, accountKeyId: number): Promise<number> {
  const [row] = await tx
    .select({ last: max(poolAddresses.index) })
    .from(poolAddresses)
    .where(eq(poolAddresses.accountKeyId, accountKeyId));
  return (row?.last ?? -1) + 1;
}

/** Appends them in this order; `first` is the index of the first one. */
export async function insertPoolAddresses(
  tx: Tx,
  pool: { readonly accountKeyId: number; readonly network: NetworkCode; readonly first: number },
  entries: readonly PoolEntry[],
): Promise<void> {
  const column = (values: readonly (string | null)[]) => sql.param(values);
  await tx.execute(sql`
    insert into ${poolAddresses} (account_key_id, index, network, address, path)
    select ${pool.accountKeyId}::bigint, ${pool.first}::integer + place - 1, ${pool.network}::text, address,
      coalesce(path, 'imported')
    from unnest(
      ${column(entries.map(({ address }) => address))}::text[],
      ${column(entries.map(({ path }) => path))}::text[]
    ) with ordinality as entry (address, path, place)`);
}

/** Every pool that has been imported into, by environment and network. */
export async function listPoolStatuses(db: Db | Tx): Promise<PoolStatus[]> {
  const last = db
    .select({ network: poolAddresses.network, index: poolAddresses.index })
    .from(poolAddresses)
    .where(eq(poolAddresses.accountKeyId, accountKeys.id))
    .orderBy(sql`${poolAddresses.index} desc`)
    .limit(1)
    .as("last");
  const rows = await db
    .select({
      env: accountKeys.env,
      network: last.network,
      last: last.index,
      nextIndex: accountKeys.nextIndex,
    })
    .from(accountKeys)
    .innerJoinLateral(last, sql`true`)
    .where(sql`${accountKeys.key} like 'pool:%'`);
  return rows.map(({ env, network, last: index, nextIndex }) => ({
    env,
    network,
    size: index + 1,
    left: index + 1 - nextIndex,
  }));
}
