import { and, asc, count, desc, eq, inArray, lt, max, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { members } from "#lib/domain/members/tables.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { likePrefix } from "#lib/platform/db/statements.ts";
import { CUSTOMER_COLUMNS, IP_ENTRY_COLUMNS, KEY_COLUMNS, MERCHANT_COLUMNS } from "./columns.ts";
import { apiKeys, customers, ipEntries, merchantLogos, merchants } from "./tables.ts";
import type { ApiKey, Customer, IpEntry, Merchant } from "./types.ts";

export async function findMerchant(db: Db | Tx, id: number): Promise<Merchant | null> {
  const [row] = await db.select(MERCHANT_COLUMNS).from(merchants).where(eq(merchants.id, id));
  return row ?? null;
}

/** E-mail addresses are compared without case. The oldest merchant wins. */
export async function findMerchantByEmail(db: Db | Tx, email: string): Promise<Merchant | null> {
  const same = sql`lower(${merchants.email}) = lower(${email})`;
  const [row] = await db
    .select(MERCHANT_COLUMNS)
    .from(merchants)
    .where(same)
    .orderBy(asc(merchants.id))
    .limit(1);
  return row ?? null;
}

/** Every merchant, oldest first. */
export function listMerchants(db: Db | Tx): Promise<Merchant[]> {
  return db.select(MERCHANT_COLUMNS).from(merchants).orderBy(asc(merchants.id));
}

/** A page of merchants, newest first, below the id `before` (null: from the newest). */
export function listMerchantPage(
  db: Db | Tx,
  { before, limit }: { readonly before: number | null; readonly limit: number },
) {
  return db
    .select(MERCHANT_COLUMNS)
    .from(merchants)
    .where(before === null ? undefined : lt(merchants.id, before))
    .orderBy(desc(merchants.id))
    .limit(limit);
}

/** The e-mail addresses of these merchants, by id. */
export async function listMerchantEmails(
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: merchants.id, email: merchants.email })
    .from(merchants)
    .where(inArray(merchants.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** The person who made a key. null: the operator did, or there is no such key. */
export async function findKeyMaker(db: Db | Tx, id: number): Promise<number | null> {
  const [row] = await db.select({ madeBy: apiKeys.madeBy }).from(apiKeys).where(eq(apiKeys.id, id));
  return row?.madeBy ?? null;
}

/** The merchant and environment of a key. null: there is no such key. */
export async function findKeyPlace(
  db: Db | Tx,
  id: number,
): Promise<{ readonly merchantId: number; readonly env: Env } | null> {
  const { merchantId, env } = apiKeys;
  const [row] = await db.select({ merchantId, env }).from(apiKeys).where(eq(apiKeys.id, id));
  return row ?? null;
}

/** The merchant of an entry of an IP list. null: there is no such entry. */
export async function findIpMerchant(db: Db | Tx, id: number): Promise<number | null> {
  const [row] = await db
    .select({ merchantId: ipEntries.merchantId })
    .from(ipEntries)
    .where(eq(ipEntries.id, id));
  return row?.merchantId ?? null;
}

/** Returns whether the maker of a merchant's keys works for it. For the operator, null, that is always true. */
export async function mayHaveKeys(
  db: Db | Tx,
  { merchantId, madeBy }: { readonly merchantId: number } & Pick<ApiKey, "madeBy">,
): Promise<boolean> {
  if (madeBy === null) return true;
  const isMember = and(eq(members.merchantId, merchantId), eq(members.userId, madeBy));
  return (await db.$count(members, isMember)) > 0;
}

/** When any key of a merchant was last used. null: never. */
export async function findLastKeyUse(db: Db | Tx, merchantId: number): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(apiKeys.lastUsedAt) })
    .from(apiKeys)
    .where(eq(apiKeys.merchantId, merchantId));
  return row?.at ?? null;
}

/** The merchant's key with this number. Another merchant's, or one of the other environment, is not found. */
export async function findApiKey(
  db: Db | Tx,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  id: number,
): Promise<ApiKey | null> {
  const isOwn = and(eq(apiKeys.id, id), eq(apiKeys.merchantId, merchantId), eq(apiKeys.env, env));
  const [row] = await db.select(KEY_COLUMNS).from(apiKeys).where(isOwn);
  return row ?? null;
}

/** A merchant's keys of both environments, oldest first. */
export function listApiKeys(db: Db | Tx, merchantId: number): Promise<ApiKey[]> {
  return db
    .select(KEY_COLUMNS)
    .from(apiKeys)
    .where(eq(apiKeys.merchantId, merchantId))
    .orderBy(asc(apiKeys.id));
}

/** Runs for every request with a live key. */
const ipEntriesOfMerchant = oncePerDatabase((db) =>
  db
    .select(IP_ENTRY_COLUMNS)
    .from(ipEntries)
    .where(eq(ipEntries.merchantId, sql.placeholder("merchantId")))
    .orderBy(asc(ipEntries.id))
    .prepare("ip_entries_of_merchant"),
);

/** The merchant's entries, oldest first. */
export function listIpEntries(db: Db | Tx, merchantId: number): Promise<IpEntry[]> {
  return ipEntriesOfMerchant(db).execute({ merchantId });
}

/** A page of the merchant's entries, newest first, with ids below `before`. */
export function listIpEntryPage(
  db: Db | Tx,
  merchantId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<IpEntry[]> {
  const below = before === null ? undefined : lt(ipEntries.id, before);
  return db
    .select(IP_ENTRY_COLUMNS)
    .from(ipEntries)
    .where(and(eq(ipEntries.merchantId, merchantId), below))
    .orderBy(desc(ipEntries.id))
    .limit(limit);
}

export async function countIpEntries(db: Db | Tx, merchantId: number): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(ipEntries)
    .where(eq(ipEntries.merchantId, merchantId));
  return row?.count ?? 0;
}

/** A page of a merchant's customers in an environment, newest first, with ids below `before`. */
export function listCustomers(
  db: Db | Tx,
  env: Env,
  merchantId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<Customer[]> {
  return db
    .select(CUSTOMER_COLUMNS)
    .from(customers)
    .where(and(ofMerchant(env, merchantId), before === null ? undefined : lt(customers.id, before)))
    .orderBy(desc(customers.id))
    .limit(limit);
}

export async function countCustomers(db: Db | Tx, env: Env, merchantId: number): Promise<number> {
  const [row] = await db.select({ count: count() }).from(customers).where(ofMerchant(env, merchantId));
  return row?.count ?? 0;
}

function ofMerchant(env: Env, merchantId: number) {
  return and(eq(customers.merchantId, merchantId), eq(customers.env, env));
}

/** Customers whose e-mail address begins so, in any case, in the order of the addresses. */
export function searchCustomers(
  db: Db | Tx,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  { email, limit }: { readonly email: string; readonly limit: number },
): Promise<Customer[]> {
  const address = sql`lower(${customers.email})`;
  return db
    .select(CUSTOMER_COLUMNS)
    .from(customers)
    .where(and(ofMerchant(env, merchantId), sql`${address} like ${likePrefix(email.toLowerCase())}`))
    .orderBy(sql`${address} using ~<~`)
    .limit(limit);
}

/** A merchant's customer, whose e-mail address is compared without case. */
export async function findCustomerByEmail(
  db: Db | Tx,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  email: string,
): Promise<Customer | null> {
  const [row] = await db
    .select(CUSTOMER_COLUMNS)
    .from(customers)
    .where(and(ofMerchant(env, merchantId), sql`lower(${customers.email}) = lower(${email})`));
  return row ?? null;
}

/** The merchant's customer with this number. Another merchant's is not found. */
export async function findCustomer(
  db: Db | Tx,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  id: number,
): Promise<Customer | null> {
  const [row] = await db
    .select(CUSTOMER_COLUMNS)
    .from(customers)
    .where(and(ofMerchant(env, merchantId), eq(customers.id, id)));
  return row ?? null;
}

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** The WebP bytes of the logo with this SHA-256 (hex). Null if no merchant has this logo. */
export async function findLogo(db: Db | Tx, hash: string): Promise<Buffer | null> {
  if (!SHA256_HEX.test(hash)) return null;
  const [row] = await db
    .select({ bytes: merchantLogos.bytes })
    .from(merchantLogos)
    .where(eq(merchantLogos.hash, hash))
    .limit(1);
  return row?.bytes ?? null;
}
