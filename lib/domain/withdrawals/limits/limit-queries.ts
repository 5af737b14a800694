import { and, asc, eq, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { statusLiterals } from "#lib/domain/withdrawal-status.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { withdrawalAddresses, withdrawalLimits, withdrawalPolicies } from "../tables.ts";
import type { WithdrawalLimits } from "../types.ts";

export interface LimitKey {
  readonly merchantId: number;
  readonly env: Env;
  readonly token: TokenCode;
}

const NO_LIMITS: WithdrawalLimits = { perTransfer: null, perDay: null };

/** A merchant's own limits of a token. */
export async function findLimits(
  db: Db | Tx,
  { merchantId, env, token }: LimitKey,
): Promise<WithdrawalLimits> {
  const t = withdrawalLimits;
  const [row] = await db
    .select({ perTransfer: t.perTransfer, perDay: t.perDay })
    .from(t)
    .where(and(eq(t.merchantId, merchantId), eq(t.env, env), eq(t.token, token)));
  return row ?? NO_LIMITS;
}

/** A merchant's own limits by token. */
export async function listLimits(
  db: Db,
  { merchantId, env }: Omit<LimitKey, "token">,
): Promise<ReadonlyMap<TokenCode, WithdrawalLimits>> {
  const t = withdrawalLimits;
  const rows = await db
    .select()
    .from(t)
    .where(and(eq(t.merchantId, merchantId), eq(t.env, env)));
  return new Map(rows.map(({ token, perTransfer, perDay }) => [token, { perTransfer, perDay }]));
}

/** Sums the withdrawals of a token that a merchant asked for after `since`, without failed ones, in ledger units. */
export async function sumAskedSince(
  db: Db | Tx,
  { merchantId, env, token }: LimitKey,
  since: Date,
): Promise<bigint> {
  const { rows } = await db.execute<{ sum: string }>(sql`
    select coalesce(sum(amount), 0)::text as sum from withdrawals
    where merchant_id = ${merchantId} and env = ${env} and token = ${token} and created_at > ${since.toISOString()}
      and status in ${statusLiterals(["pending", "processing", "completed"])}`);
  return BigInt(rows[0]?.sum ?? 0);
}

/** Whether a merchant withdraws only to its address book. */
export async function usesAddressBook(db: Db | Tx, merchantId: number): Promise<boolean> {
  const [row] = await db
    .select({ on: withdrawalPolicies.addressBook })
    .from(withdrawalPolicies)
    .where(eq(withdrawalPolicies.merchantId, merchantId));
  return row?.on ?? false;
}

/** When an address was added to a merchant's book; null: it is not in it. */
export async function findBookEntry(
  db: Db | Tx,
  {
    merchantId,
    env,
    network,
    address,
  }: {
    readonly merchantId: number;
    readonly env: Env;
    readonly network: NetworkCode;
    readonly address: string;
  },
): Promise<Date | null> {
  const t = withdrawalAddresses;
  const [row] = await db
    .select({ createdAt: t.createdAt })
    .from(t)
    .where(and(eq(t.merchantId, merchantId), eq(t.env, env), eq(t.network, network), eq(t.address, address)));
  return row?.createdAt ?? null;
}

/** A merchant's address book, by name. */
export function listBook(db: Db | Tx, { merchantId, env }: Omit<LimitKey, "token">) {
  const t = withdrawalAddresses;
  return db
    .select()
    .from(t)
    .where(and(eq(t.merchantId, merchantId), eq(t.env, env)))
    .orderBy(asc(t.name), asc(t.id));
}
