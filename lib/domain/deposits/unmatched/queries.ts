import { type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral, depositLiterals, fromDepositNumber } from "#lib/domain/deposit-status.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { AddressPurpose, DepositPage, UnmatchedDeposit } from "../types.ts";

/** Unmatched deposits of both tables as one list. The two tables share one sequence of ids. */
const UNMATCHED = sql`
  select id, env, network, merchant_id, address_id, tx_hash, position, sender, extra, token, null as contract, amount,
    unmatched_reason as reason, status, confirmations, required_confirmations, created_at, updated_at
  from deposits where unmatched_reason is not null and status in ${depositLiterals(["seen", "held"])}
  union all
  select id, env, network, merchant_id, address_id, tx_hash, position, sender, null, null, contract, raw_amount,
    'unknown_token', ${depositLiteral("held")}, null, null, created_at, updated_at
  from foreign_deposits where resolved_at is null`;

interface Row extends Record<string, unknown> {
  id: string;
  network: NetworkCode;
  address_network: NetworkCode;
  address: string;
  purpose: AddressPurpose;
  merchant_email: string | null;
  customer_email: string | null;
  payer_email: string | null;
  refid: string | null;
  reference: string | null;
  tx_hash: string;
  position: number;
  sender: string | null;
  extra: string | null;
  token: TokenCode | null;
  contract: string | null;
  amount: string;
  reason: string;
  status: number;
  confirmations: number | null;
  required_confirmations: number | null;
  created_at: string;
  updated_at: string;
}

const isInScope = (env: Env, merchantId: number | null): SQL =>
  sql`u.env = ${env} and (${merchantId}::bigint is null or u.merchant_id = ${merchantId})`;

/**
 * Lists money that no merchant was credited with, newest first. With a merchant: only theirs. One that the operator had credited to them and a
 * reorganization took out may be at another merchant's address: its customer and link stay private.
 */
export async function listUnmatchedDeposits(
  db: Db,
  env: Env,
  merchantId: number | null,
  { before, limit }: DepositPage,
): Promise<readonly UnmatchedDeposit[]> {
  const isSeen = sql`(${merchantId}::bigint is null or a.merchant_id = ${merchantId})`;
  const { rows } = await db.execute<Row>(sql`
    select u.*, u.amount::text as amount, a.address, a.network as address_network, a.purpose,
      m.email as merchant_email, c.email as customer_email, l.customer_email as payer_email, l.refid,
      l.payment_reference as reference
    from (${UNMATCHED}) u
    join addresses a on a.id = u.address_id
    left join merchants m on m.id = u.merchant_id
    left join customers c on c.id = a.customer_id and ${isSeen}
    left join payment_link_wallets w on w.address_id = a.id and ${isSeen}
    left join payment_links l on l.id = w.payment_link_id
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
    payerEmail: row.payer_email,
    refid: row.refid,
    reference: row.reference,
    txHash: row.tx_hash,
    position: row.position,
    sender: row.sender,
    extra: row.extra,
    token: row.token,
    contract: row.contract,
    amount: BigInt(row.amount),
    reason: row.reason,
    status: fromDepositNumber(row.status) === "held" ? "held" : "seen",
    confirmations: row.confirmations,
    requiredConfirmations: row.required_confirmations,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }));
}

/** The environment of a deposit, also of an unlisted token, whether it is resolved or not. null: there is none. */
export async function findDepositEnv(db: Db, id: number): Promise<Env | null> {
  const { rows } = await db.execute<{ env: Env }>(
    sql`select env from deposits where id = ${id} union all select env from foreign_deposits where id = ${id}`,
  );
  return rows[0]?.env ?? null;
}

/** Counts the unmatched deposits, as listUnmatchedDeposits lists them. */
export async function countUnmatchedDeposits(db: Db, env: Env, merchantId: number | null): Promise<number> {
  const { rows } = await db.execute<{ total: string }>(
    sql`select count(*) as total from (${UNMATCHED}) u where ${isInScope(env, merchantId)}`,
  );
  return Number(rows[0]?.total);
}
