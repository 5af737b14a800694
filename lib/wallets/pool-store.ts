import { and, eq, max, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/db/connection.ts";
import { accountKeys, poolAddresses } from "#lib/db/schema.ts";
import type { Env } from "#lib/networks/network-data.ts";
import type { NetworkCode } from "#lib/networks/networks.ts";
import type { PoolEntry } from "./pool-rules.ts";
import type { PoolStanding } from "./types.ts";

/** What stands for a pool among the account keys. */
export function poolKey(env: Env, network: NetworkCode): string {
  return `pool:${env}:${network}`;
}

/** The pool's counter, nobody else's until the transaction ends; null: nothing was ever imported. */
export async function lockPool(
  tx: Tx,
  key: string,
): Promise<{ accountKeyId: number; nextIndex: number } | null> {
  const [row] = await tx
    .select({ accountKeyId: accountKeys.id, nextIndex: accountKeys.nextIndex })
    .from(accountKeys)
    .where(eq(accountKeys.key, key))
    .for("update");
  return row ?? null;
}

export async function selectPooled(
  tx: Tx,
  accountKeyId: number,
  index: number,
): Promise<{ address: string; path: string } | null> {
  const [row] = await tx
    .select({ address: poolAddresses.address, path: poolAddresses.path })
    .from(poolAddresses)
    .where(and(eq(poolAddresses.accountKeyId, accountKeyId), eq(poolAddresses.index, index)));
  return row ?? null;
}

/** Which of these addresses are in a pool of the network already, and of which environment's. */
export async function selectPoolsOf(
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
export async function selectPoolSize(tx: Tx, accountKeyId: number): Promise<number> {
  const [row] = await tx
    .select({ last: max(poolAddresses.index) })
    .from(poolAddresses)
    .where(eq(poolAddresses.accountKeyId, accountKeyId));
  return (row?.last ?? -1) + 1;
}

/** Appends them in this order; `first` is the index of the first one. */
export async function insertPooled(
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
export async function selectPoolStandings(db: Db | Tx): Promise<PoolStanding[]> {
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
