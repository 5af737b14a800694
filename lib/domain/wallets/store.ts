import { and, desc, eq, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { deposits, foreignDeposits } from "#lib/domain/deposits/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { accountKeys, addresses } from "./tables.ts";
import type {
  AddressAssignment,
  AllocationCounter,
  IndexedAddress,
  WalletAddress,
  WalletScope,
} from "./types.ts";

/**
 * Allocates the next index of an account key. The row stays locked until the transaction ends, so that a concurrent
 * caller waits and no index is used twice. A rollback frees the index. Returns null if the key is new.
 */
export async function allocateIndex(
  tx: Tx,
  key: string,
): Promise<{ accountKeyId: number; env: Env; index: number } | null> {
  const [row] = await tx
    .update(accountKeys)
    .set({ nextIndex: sql`${accountKeys.nextIndex} + 1` })
    .where(eq(accountKeys.key, key))
    .returning({ accountKeyId: accountKeys.id, env: accountKeys.env, nextIndex: accountKeys.nextIndex });
  return row ? { accountKeyId: row.accountKeyId, env: row.env, index: row.nextIndex - 1 } : null;
}

const counterQuery = (tx: Tx, key: string) =>
  tx
    .select({ accountKeyId: accountKeys.id, env: accountKeys.env, nextIndex: accountKeys.nextIndex })
    .from(accountKeys)
    .where(eq(accountKeys.key, key))
    .$dynamic();

/** A key's counter as it was committed last. Null if the key is new. */
export async function findCounter(tx: Tx, key: string): Promise<AllocationCounter | null> {
  const [row] = await counterQuery(tx, key);
  return row ?? null;
}

/** Locks a key's counter until the transaction ends. Null if the key is new. */
export async function lockCounter(tx: Tx, key: string): Promise<AllocationCounter | null> {
  const [row] = await counterQuery(tx, key).for("update");
  return row ?? null;
}

export async function insertAccountKey(tx: Tx, env: Env, key: string): Promise<void> {
  await tx.insert(accountKeys).values({ env, key }).onConflictDoNothing({ target: accountKeys.key });
}

export async function findAccountKeyId(tx: Tx, key: string): Promise<number | null> {
  const [row] = await tx.select({ id: accountKeys.id }).from(accountKeys).where(eq(accountKeys.key, key));
  return row?.id ?? null;
}

/** Inserts the address of an account itself. An existing row stays as it is. */
export async function insertAccountAddress(
  tx: Tx,
  row: Pick<WalletAddress, "env" | "network" | "address"> & { readonly accountKeyId: number },
): Promise<void> {
  const account = {
    index: -1,
    path: "no tag",
    merchantId: null,
    purpose: "account",
    customerId: null,
  } as const;
  await tx
    .insert(addresses)
    .values({ ...row, ...account })
    .onConflictDoNothing();
}

export async function insertAddress(
  tx: Tx,
  row: AddressAssignment & {
    env: Env;
    network: NetworkCode;
    address: string;
    accountKeyId: number;
    index: number;
    path: string;
  },
): Promise<{ id: number }> {
  const [inserted] = await tx.insert(addresses).values(row).returning({ id: addresses.id });
  if (inserted === undefined) throw new Error("an inserted address was not returned");
  return inserted;
}

/** Inserts at least one address without a merchant, in index order, and moves the counter past the last one. */
export async function insertSkippedAddresses(
  tx: Tx,
  scope: Pick<WalletAddress, "env" | "network"> & Pick<AllocationCounter, "accountKeyId">,
  skipped: readonly IndexedAddress[],
): Promise<void> {
  const { env, network, accountKeyId } = scope;
  await tx.execute(sql`
    insert into ${addresses} (env, network, address, account_key_id, index, path, purpose)
    select ${env}, ${network}, address, ${accountKeyId}::bigint, index, path, 'skipped'
    from unnest(
      ${sqlArray(
        skipped.map(({ address }) => address),
        "text",
      )},
      ${sqlArray(
        skipped.map(({ index }) => index),
        "integer",
      )},
      ${sqlArray(
        skipped.map(({ path }) => path),
        "text",
      )}
    ) as skipped (address, index, path)`);
  const last = skipped.at(-1);
  if (last === undefined) throw new Error("no address to skip");
  await tx
    .update(accountKeys)
    .set({ nextIndex: last.index + 1 })
    .where(eq(accountKeys.id, accountKeyId));
}

/** Locks address allocation for this merchant or customer on this network until the transaction ends. */
export async function lockWallets(
  tx: Tx,
  { env, network, merchantId, customerId }: WalletScope,
): Promise<void> {
  const name = `wallets:${env}:${network}:${merchantId}:${customerId ?? "self"}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** The newest address without a deposit among the newest `within` of the scope, in canonical form. */
export async function findUnusedAddress(
  db: Db | Tx,
  { env, network, merchantId, customerId }: WalletScope,
  within: number,
): Promise<string | null> {
  const newest = db
    .select({ id: addresses.id, address: addresses.address })
    .from(addresses)
    .where(
      and(
        eq(addresses.merchantId, merchantId),
        eq(addresses.env, env),
        eq(addresses.network, network),
        // Literals, so that prepared statements can use the partial indexes of these purposes.
        customerId === null
          ? sql`${addresses.purpose} = 'merchant'`
          : and(sql`${addresses.purpose} = 'customer'`, eq(addresses.customerId, customerId)),
      ),
    )
    .orderBy(desc(addresses.id))
    .limit(within)
    .as("newest");
  const [row] = await db
    .select({ address: newest.address })
    .from(newest)
    .where(
      sql`not exists (select from ${deposits} where ${deposits.addressId} = ${newest.id})
        and not exists (select from ${foreignDeposits} where ${foreignDeposits.addressId} = ${newest.id})`,
    )
    .orderBy(desc(newest.id))
    .limit(1);
  return row?.address ?? null;
}
