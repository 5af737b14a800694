import { and, asc, count, desc, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { coalescePerTurn } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { apiKeys, customers, ipEntries, merchants } from "./tables.ts";
import type { ApiCaller, ApiKey, Customer, IpEntry, KeyScope, Merchant } from "./types.ts";

const MERCHANT = {
  id: merchants.id,
  email: merchants.email,
  name: merchants.name,
  status: merchants.status,
  latePolicy: merchants.latePolicy,
  feePercentage: merchants.feePercentage,
  toleranceUnderBps: merchants.toleranceUnderBps,
  toleranceOverBps: merchants.toleranceOverBps,
  rateMarkupBps: merchants.rateMarkupBps,
  fixedRates: merchants.fixedRates,
  allowOrigins: merchants.allowOrigins,
  logo: merchants.logo,
  accent: merchants.accent,
  support: merchants.support,
  createdAt: merchants.createdAt,
  updatedAt: merchants.updatedAt,
};

const KEY = {
  id: apiKeys.id,
  env: apiKeys.env,
  scope: apiKeys.scope,
  last4: apiKeys.last4,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
};

export async function selectMerchant(db: Db | Tx, id: number): Promise<Merchant | null> {
  const [row] = await db.select(MERCHANT).from(merchants).where(eq(merchants.id, id));
  return row ?? null;
}

/** E-mail addresses differ by more than case. */
export async function selectMerchantByEmail(db: Db | Tx, email: string): Promise<Merchant | null> {
  const same = sql`lower(${merchants.email}) = lower(${email})`;
  const [row] = await db.select(MERCHANT).from(merchants).where(same).orderBy(asc(merchants.id)).limit(1);
  return row ?? null;
}

export function selectMerchants(db: Db | Tx): Promise<Merchant[]> {
  return db.select(MERCHANT).from(merchants).orderBy(asc(merchants.id));
}

/** null when the e-mail address is taken. */
export async function insertMerchant(
  tx: Tx,
  merchant: { email: string; name: string },
  now: Date,
): Promise<Merchant | null> {
  const [row] = await tx
    .insert(merchants)
    .values({ ...merchant, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: merchants.email })
    .returning(MERCHANT);
  return row ?? null;
}

export type MerchantChanges = Partial<
  Omit<Merchant, "id" | "email" | "createdAt" | "updatedAt" | "allowOrigins">
> & {
  allowOrigins?: string[];
};

export async function updateMerchantRow(
  tx: Tx,
  id: number,
  changes: MerchantChanges,
  now: Date,
): Promise<void> {
  await tx
    .update(merchants)
    .set({ ...changes, updatedAt: now })
    .where(eq(merchants.id, id));
}

export async function insertKey(
  tx: Tx,
  key: { merchantId: number; env: Env; scope: KeyScope; hash: Buffer; last4: string; expiresAt: Date | null },
  now: Date,
): Promise<ApiKey> {
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...key, createdAt: now })
    .returning(KEY);
  if (row === undefined) throw new Error("an inserted key was not returned");
  return row;
}

export function selectKeys(db: Db | Tx, merchantId: number): Promise<ApiKey[]> {
  return db.select(KEY).from(apiKeys).where(eq(apiKeys.merchantId, merchantId)).orderBy(asc(apiKeys.id));
}

export async function lockKey(tx: Tx, id: number): Promise<(ApiKey & { merchantId: number }) | null> {
  const [row] = await tx
    .select({ ...KEY, merchantId: apiKeys.merchantId })
    .from(apiKeys)
    .where(eq(apiKeys.id, id))
    .for("update");
  return row ?? null;
}

export async function setRevokedAt(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.update(apiKeys).set({ revokedAt: at }).where(eq(apiKeys.id, id));
}

type FoundCaller = ApiCaller & Pick<ApiKey, "expiresAt" | "revokedAt" | "lastUsedAt">;

/** Requests of one key that come in together share a query; the key's hash in hex. */
const callerOf = oncePerDatabase((db) => {
  const select = db
    .select({
      merchant: MERCHANT,
      env: apiKeys.env,
      keyId: apiKeys.id,
      scope: apiKeys.scope,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(merchants, eq(merchants.id, apiKeys.merchantId))
    .where(eq(apiKeys.hash, sql.placeholder("hash")))
    .prepare("caller_by_hash");
  return coalescePerTurn(async (hash): Promise<FoundCaller | null> => {
    const [row] = await select.execute({ hash: Buffer.from(hash, "hex") });
    return row ?? null;
  });
});

export function selectCaller(db: Db, hash: Buffer): Promise<FoundCaller | null> {
  return callerOf(db)(hash.toString("hex"));
}

/** Notes a use at `now` unless one after `notedUntil` is noted: of many requests at once, one writes. */
export async function setLastUsedAt(db: Db, keyId: number, now: Date, notedUntil: Date): Promise<void> {
  const due = or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, notedUntil));
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, keyId), due));
}

const IP_ENTRY = {
  id: ipEntries.id,
  name: ipEntries.name,
  address: ipEntries.address,
  createdAt: ipEntries.createdAt,
  updatedAt: ipEntries.updatedAt,
};

export function selectIpEntries(db: Db | Tx, merchantId: number): Promise<IpEntry[]> {
  return db
    .select(IP_ENTRY)
    .from(ipEntries)
    .where(eq(ipEntries.merchantId, merchantId))
    .orderBy(asc(ipEntries.id));
}

/** Newest first, those below id `before`. */
export function selectIpPage(
  db: Db | Tx,
  merchantId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<IpEntry[]> {
  const below = before === null ? undefined : lt(ipEntries.id, before);
  return db
    .select(IP_ENTRY)
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

export async function insertIpEntry(
  tx: Tx,
  entry: { merchantId: number; name: string; address: string },
  now: Date,
): Promise<{ id: number }> {
  const [row] = await tx
    .insert(ipEntries)
    .values({ ...entry, createdAt: now, updatedAt: now })
    .returning({ id: ipEntries.id });
  if (row === undefined) throw new Error("an inserted address entry was not returned");
  return row;
}

export async function deleteIpEntry(tx: Tx, id: number): Promise<(IpEntry & { merchantId: number }) | null> {
  const [row] = await tx
    .delete(ipEntries)
    .where(eq(ipEntries.id, id))
    .returning({ ...IP_ENTRY, merchantId: ipEntries.merchantId });
  return row ?? null;
}

export function selectCustomers(
  db: Db | Tx,
  env: Env,
  merchantId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<Customer[]> {
  return db
    .select({
      id: customers.id,
      email: customers.email,
      firstName: customers.firstName,
      lastName: customers.lastName,
      phone: customers.phone,
      blacklisted: customers.blacklisted,
      verified: customers.verified,
      createdAt: customers.createdAt,
    })
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

export interface NewCustomer {
  readonly merchantId: number;
  readonly env: Env;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
}

/**
 * Steps for the WITH of a named statement that needs customers' ids; the last is `customer_ids` (id, merchant_id, env,
 * email). The customers are made or brought up to date, in one order everywhere; an absent phone keeps the known one.
 * Nothing new is no write: many links of one customer do not queue behind one row. Placeholder `customers`:
 * customersParameter.
 */
export const customerCtes = sql`
  known_customers as (
    select g.*, (select c.id from ${customers} c
      where c.merchant_id = g.merchant_id and c.env = g.env and c.email = g.email
        and c.first_name = g.first_name and c.last_name = g.last_name
        and coalesce(g.phone, c.phone) is not distinct from c.phone) as known_id
    from jsonb_to_recordset(${sql.placeholder("customers")}::jsonb) as g(merchant_id bigint, env text, email text,
      first_name text, last_name text, phone text)),
  written_customers as (
    insert into ${customers} (merchant_id, env, email, first_name, last_name, phone)
    select merchant_id, env, email, first_name, last_name, phone from known_customers where known_id is null
    order by merchant_id, env, email
    on conflict (merchant_id, env, email) do update
    set first_name = excluded.first_name, last_name = excluded.last_name,
      phone = coalesce(excluded.phone, ${customers}.phone)
    returning id, merchant_id, env, email),
  customer_ids as (
    select known_id as id, merchant_id, env, email from known_customers where known_id is not null
    union all select id, merchant_id, env, email from written_customers)`;

/** The parameter of customerSteps: each customer once, as the last of its rows has it. */
export function customersParameter(rows: readonly NewCustomer[]): string {
  const newest = new Map<string, object>();
  const phones = new Map<string, string>();
  for (const { merchantId, env, email, firstName, lastName, phone } of rows) {
    const one = `${merchantId} ${env} ${email}`;
    if (phone !== null) phones.set(one, phone);
    const names = { first_name: firstName, last_name: lastName };
    newest.set(one, { merchant_id: merchantId, env, email, ...names, phone: phones.get(one) });
  }
  return JSON.stringify([...newest.values()]);
}
