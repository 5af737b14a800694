import { and, asc, desc, eq, gt, inArray, lt, max, min, ne, sql } from "drizzle-orm";
import { type Env, findReceivedToken, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORK_CODES, type NetworkCode } from "#lib/chains/networks.ts";
import { deposits, depositTotals } from "#lib/domain/deposits/tables.ts";
import { customers } from "#lib/domain/merchants/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { accountKeys, addressCounts, addresses, poolAddresses } from "./tables.ts";
import type { ExportedAddress, MerchantAddress, PoolStatus, WalletAddress } from "./types.ts";

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

interface AddressScope {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly merchantId: number;
}

/**
 * The rows of our addresses among `canonical`, on one network or on any of several. One indexed query for any number of
 * addresses. Duplicates are allowed.
 */
export async function listKnownAddresses(
  db: Db | Tx,
  env: Env,
  network: NetworkCode | readonly NetworkCode[],
  canonical: readonly string[],
): Promise<WalletAddress[]> {
  if (canonical.length === 0) return [];
  return db
    .select(ADDRESS)
    .from(addresses)
    .where(
      and(
        eq(addresses.env, env),
        inArray(addresses.network, [network].flat()),
        sql`${addresses.address} = any(${sqlArray(canonical, "text")})`,
      ),
    );
}

/**
 * The identities of the account keys that a network has addresses of, where addresses are tags: such a key has one network. So
 * one address of each key is read, and not all those of the other networks.
 */
export async function listAccountIdentities(
  db: Db,
  { env, network }: Pick<AddressScope, "env" | "network">,
): Promise<string[]> {
  const first = sql`(select ${addresses.network} from ${addresses} where ${addresses.accountKeyId} = ${accountKeys.id} order by ${addresses.index} limit 1)`;
  const rows = await db
    .select({ key: accountKeys.key })
    .from(accountKeys)
    .where(and(eq(accountKeys.env, env), sql`${first} = ${network}`))
    .orderBy(asc(accountKeys.id));
  return rows.map(({ key }) => key);
}

/** The addresses of a network with a lower id, newest first. Null: from the newest. One indexed query. */
export async function listAddressesBelow(
  db: Db,
  { env, network }: Pick<AddressScope, "env" | "network">,
  id: number | null,
  limit: number,
): Promise<{ id: number; address: string }[]> {
  const below = id === null ? undefined : lt(addresses.id, id);
  return db
    .select({ id: addresses.id, address: addresses.address })
    .from(addresses)
    .where(and(eq(addresses.env, env), eq(addresses.network, network), below))
    .orderBy(desc(addresses.id))
    .limit(limit);
}

/** The addresses of a network with a higher id, oldest first. One indexed query. */
export async function listAddressesAbove(
  db: Db,
  { env, network }: Pick<AddressScope, "env" | "network">,
  id: number,
  limit: number,
): Promise<{ id: number; address: string }[]> {
  return db
    .select({ id: addresses.id, address: addresses.address })
    .from(addresses)
    .where(and(eq(addresses.env, env), eq(addresses.network, network), gt(addresses.id, id)))
    .orderBy(asc(addresses.id))
    .limit(limit);
}

/**
 * The highest allocated index per environment and network. A wallet must scan up to it. A network without an allocated
 * address is absent.
 */
export async function listHighestIndexes(
  db: Db | Tx,
): Promise<{ env: Env; network: NetworkCode; index: number }[]> {
  const rows = await db
    .select({ env: addresses.env, network: addresses.network, index: max(addresses.index) })
    .from(addresses)
    .where(ne(addresses.purpose, "account"))
    .groupBy(addresses.env, addresses.network);
  return rows.flatMap(({ env, network, index }) => (index === null ? [] : [{ env, network, index }]));
}

/** An account key, or a pool of addresses, with its next index and the networks that it has addresses on. */
export interface AccountCounter {
  readonly env: Env;
  /** See accountKeyIdentity and poolKey. */
  readonly key: string;
  readonly networks: readonly NetworkCode[];
  readonly nextIndex: number;
}

/** All counters, oldest first. */
export async function listAccountCounters(db: Db | Tx): Promise<AccountCounter[]> {
  const { rows } = await db.execute<AccountCounter & Record<string, unknown>>(sql`
    select env, key, next_index as "nextIndex",
      array(select distinct network from addresses a where a.account_key_id = k.id order by 1) as networks
    from account_keys k order by id`);
  return rows;
}

/** Every allocated address of an environment, by network and index, with what it received. `network` null: all networks. */
export async function listExportedAddresses(
  db: Db | Tx,
  env: Env,
  network: NetworkCode | null = null,
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
    .where(
      and(wanted, inArray(deposits.status, ["credited", "held"]), eq(deposits.network, addresses.network)),
    )
    .groupBy(deposits.addressId, deposits.token)
    .orderBy(asc(deposits.token));
  const received = Map.groupBy(sums, ({ addressId }) => addressId);
  return rows.map((row) => ({
    ...row,
    received: (received.get(row.id) ?? []).map(({ token, amount }) => ({ token, amount: BigInt(amount) })),
  }));
}

/** Every allocated address on these networks of an environment, in batches of at most `size`. */
export async function* iterateAddresses(
  db: Db | Tx,
  env: Env,
  networks: readonly NetworkCode[],
  size: number,
): AsyncGenerator<readonly WalletAddress[]> {
  for (let afterId = 0; ; ) {
    const batch = await db
      .select(ADDRESS)
      .from(addresses)
      .where(
        and(eq(addresses.env, env), inArray(addresses.network, [...networks]), gt(addresses.id, afterId)),
      )
      .orderBy(asc(addresses.id))
      .limit(size);
    const last = batch.at(-1);
    if (last) yield batch;
    if (!last || batch.length < size) return;
    afterId = last.id;
  }
}

/** The token that payments on a network usually use: USDT if it is received there, else the network's own coin. */
export function defaultPaymentToken(data: NetworkData, env: Env): TokenCode {
  return findReceivedToken(data, env, "usdt") === null ? data.coin : "usdt";
}

/**
 * A page of a merchant's addresses on a network, newest first, with ids below `before`. Includes what each received in
 * `token`.
 */
export async function listMerchantAddresses(
  db: Db | Tx,
  scope: AddressScope,
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

/** The number of a merchant's addresses on a network. */
export async function countMerchantAddresses(
  db: Db | Tx,
  { env, network, merchantId }: AddressScope,
): Promise<number> {
  const counts = await listAddressCounts(db, env, merchantId);
  return counts.find((row) => row.network === network)?.count ?? 0;
}

/** The addresses that were made for a customer, at most `limit`, by network. */
export function listCustomerAddresses(
  db: Db | Tx,
  customerId: number,
  limit: number,
): Promise<{ readonly network: NetworkCode; readonly address: string }[]> {
  const { network, address, id, purpose } = addresses;
  return db
    .select({ network, address })
    .from(addresses)
    .where(and(eq(addresses.customerId, customerId), sql`${purpose} = 'customer'`))
    .orderBy(asc(network), asc(id))
    .limit(limit);
}

/** Returns when the first address of these networks was allocated, or null when none was. */
export async function findFirstAddressTime(
  db: Db,
  env: Env,
  networks: readonly NetworkCode[],
): Promise<Date | null> {
  const [row] = await db
    .select({ at: min(addresses.createdAt) })
    .from(addresses)
    .where(and(eq(addresses.env, env), inArray(addresses.network, [...networks])));
  return row?.at ?? null;
}

/** Returns whether an address of these networks was allocated. It reads one entry of an index. */
export async function hasAddresses(db: Db, env: Env, networks: readonly NetworkCode[]): Promise<boolean> {
  const found = await db
    .select({ id: addresses.id })
    .from(addresses)
    .where(and(eq(addresses.env, env), inArray(addresses.network, [...networks])))
    .limit(1);
  return found.length > 0;
}

/** The number of a merchant's addresses by network, in the order of the interface. Networks without any are absent. */
export async function countAddressesByNetwork(
  db: Db | Tx,
  env: Env,
  merchantId: number,
): Promise<{ network: NetworkCode; count: number }[]> {
  const counts = await listAddressCounts(db, env, merchantId);
  const order: readonly string[] = NETWORK_CODES;
  return counts.toSorted((a, b) => order.indexOf(a.network) - order.indexOf(b.network));
}

function listAddressCounts(
  db: Db | Tx,
  env: Env,
  merchantId: number,
): Promise<{ network: NetworkCode; count: number }[]> {
  return db
    .select({ network: addressCounts.network, count: addressCounts.count })
    .from(addressCounts)
    .where(and(eq(addressCounts.merchantId, merchantId), eq(addressCounts.env, env)));
}

function ofMerchant(scope: AddressScope) {
  return and(
    eq(addresses.merchantId, scope.merchantId),
    eq(addresses.env, scope.env),
    eq(addresses.network, scope.network),
  );
}

/** The status of every pool of imported addresses, by environment and network. */
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
