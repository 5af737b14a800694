import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { deposits, foreignDeposits } from "../tables.ts";
import type { AddressPurpose, UnmatchedDeposit, UnmatchedPage } from "../types.ts";

/** Both tables share their ids: here they are one list. */
const UNMATCHED = sql`
  select id, env, network, merchant_id, address_id, tx_hash, position, sender, extra, token, null as contract, amount,
    unmatched_reason as reason, status, confirmations, required_confirmations, created_at, updated_at
  from deposits where unmatched_reason is not null and status in (0, 3)
  union all
  select id, env, network, merchant_id, address_id, tx_hash, position, sender, null, null, contract, raw_amount,
    'unknown_token', 3, null, null, created_at, updated_at
  from foreign_deposits where resolved_at is null`;

interface Row extends Record<string, unknown> {
  id: string;
  network: NetworkCode;
  address_network: NetworkCode;
  address: string;
  purpose: AddressPurpose;
  merchant_email: string | null;
  customer_email: string | null;
  tx_hash: string;
  position: number;
  sender: string | null;
  extra: string | null;
  token: TokenCode | null;
  contract: string | null;
  amount: string;
  reason: string;
  status: 0 | 3;
  confirmations: number | null;
  required_confirmations: number | null;
  created_at: string;
  updated_at: string;
}

const isInScope = (env: Env, merchantId: number | null): SQL =>
  sql`u.env = ${env} and (${merchantId}::bigint is null or u.merchant_id = ${merchantId})`;

/** Newest first, below the id `before`. */
export async function selectUnmatched(
  db: Db,
  env: Env,
  merchantId: number | null,
  { before, limit }: UnmatchedPage,
): Promise<UnmatchedDeposit[]> {
  const { rows } = await db.execute<Row>(sql`
    select u.*, u.amount::text as amount, a.address, a.network as address_network, a.purpose,
      m.email as merchant_email, c.email as customer_email
    from (${UNMATCHED}) u
    join addresses a on a.id = u.address_id
    left join merchants m on m.id = u.merchant_id
    left join customers c on c.id = a.customer_id
    where ${isInScope(env, merchantId)} and (${before}::bigint is null or u.id < ${before})
    order by u.id desc limit ${limit}`);
  return rows.map((row) => ({
    id: Number(row.id),
    network: row.network,
    addressNetwork: row.address_network,
    address: row.address,
    purpose: row.purpose,
    merchantEmail: row.merchant_email,
    customerEmail: row.customer_email,
    txHash: row.tx_hash,
    position: row.position,
    sender: row.sender,
    extra: row.extra,
    token: row.token,
    contract: row.contract,
    amount: BigInt(row.amount),
    reason: row.reason,
    status: row.status,
    confirmations: row.confirmations,
    requiredConfirmations: row.required_confirmations,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }));
}

export async function countUnmatched(db: Db, env: Env, merchantId: number | null): Promise<number> {
  const { rows } = await db.execute<{ total: string }>(
    sql`select count(*) as total from (${UNMATCHED}) u where ${isInScope(env, merchantId)}`,
  );
  return Number(rows[0]?.total);
}

/** Locked until the transaction ends. */
export async function lockDeposit(tx: Tx, id: number) {
  const [row] = await tx.select().from(deposits).where(eq(deposits.id, id)).for("update");
  return row ?? null;
}

/** Locked until the transaction ends. */
export async function lockUnlistedDeposit(tx: Tx, id: number) {
  const [row] = await tx.select().from(foreignDeposits).where(eq(foreignDeposits.id, id)).for("update");
  return row ?? null;
}

/** Makes a held deposit a merchant's. */
export async function creditHeldDeposit(tx: Tx, id: number, merchantId: number, now: Date): Promise<void> {
  const updated = await tx
    .update(deposits)
    .set({ status: 1, merchantId, updatedAt: now })
    .where(and(eq(deposits.id, id), eq(deposits.status, 3)))
    .returning({ id: deposits.id });
  if (updated.length !== 1) throw new Error(`deposit ${id} was not held`);
}

export async function markUnlistedDepositResolved(
  tx: Tx,
  id: number,
  merchantId: number,
  now: Date,
): Promise<void> {
  await tx
    .update(foreignDeposits)
    .set({ merchantId, resolvedAt: now, updatedAt: now })
    .where(and(eq(foreignDeposits.id, id), isNull(foreignDeposits.resolvedAt)));
}
