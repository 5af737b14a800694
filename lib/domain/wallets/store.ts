import { and, asc, desc, eq, gt, inArray, lt, max, ne, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { deposits, depositTotals, foreignDeposits } from "#lib/domain/deposits/tables.ts";
import { customers } from "#lib/domain/merchants/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { accountKeys, addressCounts, addresses } from "./tables.ts";
import type {
  AddressAssignment,
  AllocationCounter,
  ExportedAddress,
  IndexedAddress,
  MerchantAddress,
  WalletAddress,
  WalletScope,
} from "./types.ts";

const ADDRESS = {
  id: addresses.id,
  env: addresses.env,
  network: addresses.network,
  address: addresses.address,
  index: addresses.index,
  path: addresses.path,
  merchantId: addresses.merchantId,
  purpose: addresses.purpose,
  customerId: addresses.customerId,
  createdAt: addresses.createdAt,
};

/**
 * Takes the next index of an account key. The row stays locked until the transaction ends, so that the next caller
 * waits for the outcome: nobody shares an index, and one rolled back is taken again. null: the key is new.
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

/** A key's counter, nobody else's until the transaction ends; null: the key is new. */
export async function lockCounter(tx: Tx, key: string): Promise<AllocationCounter | null> {
  const [row] = await tx
    .select({ accountKeyId: accountKeys.id, env: accountKeys.env, nextIndex: accountKeys.nextIndex })
    .from(accountKeys)
    .where(eq(accountKeys.key, key))
    .for("update");
  return row ?? null;
}

export async function insertAccountKey(tx: Tx, env: Env, key: string): Promise<void> {
  await tx.insert(accountKeys).values({ env, key }).onConflictDoNothing({ target: accountKeys.key });
}

export async function findAccountKeyId(tx: Tx, key: string): Promise<number | null> {
  const [row] = await tx.select({ id: accountKeys.id }).from(accountKeys).where(eq(accountKeys.key, key));
  return row?.id ?? null;
}

/** The address of an account itself; one that is there already stays as it is. */
export async function insertAccountAddress(
  tx: Tx,
  row: Pick<WalletAddress, "env" | "network" | "address"> & { readonly accountKeyId: number },
): Promise<void> {
  const itself = {
    index: -1,
    path: "no tag",
    merchantId: null,
    purpose: "account",
    customerId: null,
  } as const;
  await tx
    .insert(addresses)
    .values({ ...row, ...itself })
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

/** Addresses that are nobody's, one at least, by index; the counter goes beyond the last of them. */
export async function insertSkippedAddresses(
  tx: Tx,
  scope: Pick<WalletAddress, "env" | "network"> & Pick<AllocationCounter, "accountKeyId">,
  skipped: readonly IndexedAddress[],
): Promise<void> {
  const { env, network, accountKeyId } = scope;
  const column = (values: readonly (string | number)[]) => sql.param(values);
  await tx.execute(sql`
    insert into ${addresses} (env, network, address, account_key_id, index, path, purpose)
    select ${env}, ${network}, address, ${accountKeyId}::bigint, index, path, 'skipped'
    from unnest(
      ${column(skipped.map(({ address }) => address))}::text[],
      ${column(skipped.map(({ index }) => index))}::integer[],
      ${column(skipped.map(({ path }) => path))}::text[]
    ) as skipped (address, index, path)`);
  const last = skipped.at(-1);
  if (last === undefined) throw new Error("no address to skip");
  await tx
    .update(accountKeys)
    .set({ nextIndex: last.index + 1 })
    .where(eq(accountKeys.id, accountKeyId));
}

/** One indexed query however many addresses are asked for. */
export function listAddresses(
  db: Db | Tx,
  env: Env,
  networks: readonly NetworkCode[],
  canonical: readonly string[],
): Promise<WalletAddress[]> {
  return db
    .select(ADDRESS)
    .from(addresses)
    .where(
      and(
        eq(addresses.env, env),
        inArray(addresses.network, [...networks]),
        sql`${addresses.address} = any(${sql.param(canonical)}::text[])`,
      ),
    );
}

/** By id, those above `afterId`. */
export function listAddressPage(
  db: Db | Tx,
  env: Env,
  networks: readonly NetworkCode[],
  afterId: number,
  limit: number,
): Promise<WalletAddress[]> {
  return db
    .select(ADDRESS)
    .from(addresses)
    .where(and(eq(addresses.env, env), inArray(addresses.network, [...networks]), gt(addresses.id, afterId)))
    .orderBy(asc(addresses.id))
    .limit(limit);
}

export function listMaxIndexes(
  db: Db | Tx,
): Promise<{ env: Env; network: NetworkCode; index: number | null }[]> {
  return db
    .select({ env: addresses.env, network: addresses.network, index: max(addresses.index) })
    .from(addresses)
    .where(ne(addresses.purpose, "account"))
    .groupBy(addresses.env, addresses.network);
}

export async function listAllAddresses(
  db: Db | Tx,
  env: Env,
  network: NetworkCode | null,
): Promise<ExportedAddress[]> {
  const wanted = and(eq(addresses.env, env), network === null ? undefined : eq(addresses.network, network));
  const rows = await db
    .select(ADDRESS)
    .from(addresses)
    .where(wanted)
    .orderBy(asc(addresses.network), asc(addresses.accountKeyId), asc(addresses.index));
  const sums = await db
    .select({
      addressId: deposits.addressId,
      token: deposits.token,
      amount: sql<string>`sum(${deposits.amount})`,
    })
    .from(deposits)
    .innerJoin(addresses, eq(addresses.id, deposits.addressId))
    .where(and(wanted, inArray(deposits.status, [1, 3]), eq(deposits.network, addresses.network)))
    .groupBy(deposits.addressId, deposits.token)
    .orderBy(asc(deposits.token));
  const received = Map.groupBy(sums, ({ addressId }) => addressId);
  return rows.map((row) => ({
    ...row,
    received: (received.get(row.id) ?? []).map(({ token, amount }) => ({ token, amount: BigInt(amount) })),
  }));
}

/** Until the transaction ends nobody else gives this owner an address here. */
export async function lockWallets(
  tx: Tx,
  { env, network, merchantId, customerId }: WalletScope,
): Promise<void> {
  const name = `wallets:${env}:${network}:${merchantId}:${customerId ?? "self"}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Of the owner's newest `within` addresses the newest that nothing ever came to; canonical form. */
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
        // In words, so that the indexes of these purposes serve a prepared statement too.
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

/** A merchant's addresses on a network, newest first, those below id `before`; what each received in `token`. */
export async function listAddressesOfMerchant(
  db: Db | Tx,
  scope: { readonly env: Env; readonly network: NetworkCode; readonly merchantId: number },
  token: TokenCode,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<MerchantAddress[]> {
  const rows = await db
    .select({
      id: addresses.id,
      address: addresses.address,
      purpose: addresses.purpose,
      customerEmail: customers.email,
      createdAt: addresses.createdAt,
      total: depositTotals.total,
    })
    .from(addresses)
    .leftJoin(customers, eq(customers.id, addresses.customerId))
    .leftJoin(depositTotals, and(eq(depositTotals.addressId, addresses.id), eq(depositTotals.token, token)))
    .where(and(ofMerchant(scope), before === null ? undefined : lt(addresses.id, before)))
    .orderBy(desc(addresses.id))
    .limit(limit);
  return rows.map(({ total, ...row }) => ({ ...row, totalReceived: total ?? 0n }));
}

/** How many addresses a merchant has on each network that it has any on. */
export function listAddressCounts(
  db: Db | Tx,
  env: Env,
  merchantId: number,
): Promise<{ network: NetworkCode; count: number }[]> {
  return db
    .select({ network: addressCounts.network, count: addressCounts.count })
    .from(addressCounts)
    .where(and(eq(addressCounts.merchantId, merchantId), eq(addressCounts.env, env)));
}

function ofMerchant(scope: {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly merchantId: number;
}) {
  return and(
    eq(addresses.merchantId, scope.merchantId),
    eq(addresses.env, scope.env),
    eq(addresses.network, scope.network),
  );
}
