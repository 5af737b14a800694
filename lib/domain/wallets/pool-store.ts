import { and, asc, eq, gte, max, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { PoolEntry } from "./pool-rules.ts";
import { accountKeys, poolAddresses } from "./tables.ts";
import type { AllocationCounter, IndexedAddress } from "./types.ts";

/** The key of a pool in the table of account keys. */
export function poolKey(env: Env, network: NetworkCode): string {
  return `pool:${env}:${network}`;
}

/** The next addresses of a pool in allocation order, at most `limit`. */
export function listPoolAddresses(tx: Tx, pool: AllocationCounter, limit: number): Promise<IndexedAddress[]> {
  return tx
    .select({ index: poolAddresses.index, address: poolAddresses.address, path: poolAddresses.path })
    .from(poolAddresses)
    .where(and(eq(poolAddresses.accountKeyId, pool.accountKeyId), gte(poolAddresses.index, pool.nextIndex)))
    .orderBy(asc(poolAddresses.index))
    .limit(limit);
}

/** The addresses that are in a pool of the network already, with the environment of that pool. */
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
        sql`${poolAddresses.address} = any(${sqlArray(canonical, "text")})`,
      ),
    );
  return new Map(rows.map(({ address, env }) => [address, env]));
}

/** The number of addresses ever imported into the pool. It is the index of the next import. */
export async function countPoolAddresses(tx: Tx, accountKeyId: number): Promise<number> {
  const [row] = await tx
    .select({ last: max(poolAddresses.index) })
    .from(poolAddresses)
    .where(eq(poolAddresses.accountKeyId, accountKeyId));
  return (row?.last ?? -1) + 1;
}

/** Appends addresses to a pool in this order. `first` is the index of the first one. */
export async function insertPoolAddresses(
  tx: Tx,
  pool: { readonly accountKeyId: number; readonly network: NetworkCode; readonly first: number },
  entries: readonly PoolEntry[],
): Promise<void> {
  await tx.execute(sql`
    insert into ${poolAddresses} (account_key_id, index, network, address, path)
    select ${pool.accountKeyId}::bigint, ${pool.first}::integer + position - 1, ${pool.network}::text, address,
      coalesce(path, 'imported')
    from unnest(
      ${sqlArray(
        entries.map(({ address }) => address),
        "text",
      )},
      ${sqlArray(
        entries.map(({ path }) => path),
        "text",
      )}
    ) with ordinality as entry (address, path, position)`);
}
