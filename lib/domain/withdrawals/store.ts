import { and, asc, count, desc, eq, getTableColumns, gt, lt, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { withdrawals } from "./tables.ts";
import type { Withdrawal, WithdrawalFilter, WithdrawalQueue, WithdrawalRow } from "./types.ts";

const selectWithdrawalRows = (db: Db | Tx) =>
  db
    .select({ ...getTableColumns(withdrawals), email: merchants.email })
    .from(withdrawals)
    .innerJoin(merchants, eq(merchants.id, withdrawals.merchantId));

type NewWithdrawal = Omit<typeof withdrawals.$inferInsert, "createdAt" | "updatedAt">;

export async function insertWithdrawal(tx: Tx, values: NewWithdrawal, now: Date): Promise<Withdrawal> {
  const [row] = await tx
    .insert(withdrawals)
    .values({ ...values, createdAt: now, updatedAt: now })
    .returning();
  if (!row) throw new Error("the withdrawal was not stored");
  return row;
}

/** With a merchant, only that one's. */
export async function findWithdrawalByRefid(
  db: Db | Tx,
  env: Env,
  refid: string,
  merchantId?: number,
): Promise<WithdrawalRow | null> {
  const own = merchantId === undefined ? undefined : eq(withdrawals.merchantId, merchantId);
  const [row] = await selectWithdrawalRows(db).where(
    and(eq(withdrawals.refid, refid), eq(withdrawals.env, env), own),
  );
  return row ?? null;
}

/** Locked until the transaction ends. */
export async function lockWithdrawal(tx: Tx, id: number): Promise<WithdrawalRow | null> {
  const [row] = await selectWithdrawalRows(tx)
    .where(eq(withdrawals.id, id))
    .for("update", { of: withdrawals });
  return row ?? null;
}

type Changes = Partial<
  Pick<Withdrawal, "status" | "txHash" | "transactions" | "failureReason" | "processedAt">
>;

export async function updateWithdrawal(tx: Tx, id: number, changes: Changes, now: Date): Promise<void> {
  await tx
    .update(withdrawals)
    .set({ ...changes, updatedAt: now })
    .where(eq(withdrawals.id, id));
}

/** What was learned on the chain: no change of the withdrawal itself. */
export async function updateFinding(
  tx: Tx,
  id: number,
  transactions: Withdrawal["transactions"],
  failureReason: string | null,
): Promise<void> {
  await tx.update(withdrawals).set({ transactions, failureReason }).where(eq(withdrawals.id, id));
}

/** Does the transaction stand for another withdrawal to the same address? One payment never counts for two. */
export async function isHashTaken(
  db: Db | Tx,
  { id, env, network, toAddress }: Pick<Withdrawal, "id" | "env" | "network" | "toAddress">,
  hash: string,
): Promise<boolean> {
  const named = JSON.stringify([{ hash }]);
  const { rows: found } = await db.execute(sql`
    select 1 from withdrawals where env = ${env} and network = ${network} and tx_hash = ${hash}
      and to_address = ${toAddress} and id <> ${id}
    union all
    select 1 from withdrawals where env = ${env} and network = ${network} and status in (0, 1, 5)
      and to_address = ${toAddress} and id <> ${id} and transactions @> ${named}::jsonb
    limit 1`);
  return found.length > 0;
}

const isMatching = ({ env, merchantId, status }: WithdrawalFilter) =>
  and(
    eq(withdrawals.env, env),
    merchantId === null ? undefined : eq(withdrawals.merchantId, merchantId),
    status === null ? undefined : eq(withdrawals.status, status),
  );

/** Newest first. */
export function selectPage(
  db: Db,
  filter: WithdrawalFilter,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<WithdrawalRow[]> {
  const below = before === null ? undefined : lt(withdrawals.id, before);
  return selectWithdrawalRows(db)
    .where(and(isMatching(filter), below))
    .orderBy(desc(withdrawals.id))
    .limit(limit);
}

export async function countMatching(db: Db, filter: WithdrawalFilter): Promise<number> {
  const [row] = await db.select({ total: count() }).from(withdrawals).where(isMatching(filter));
  return row?.total ?? 0;
}

/** Those with this status after an id, oldest first. */
export function listOpenWithdrawals(
  db: Db,
  { env, network }: WithdrawalQueue,
  status: 1 | 5,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<WithdrawalRow[]> {
  return selectWithdrawalRows(db)
    .where(
      and(
        eq(withdrawals.env, env),
        eq(withdrawals.network, network),
        // Said in the words of the index of open ones.
        sql`${withdrawals.status} in (0, 1, 5)`,
        eq(withdrawals.status, status),
        gt(withdrawals.id, after),
      ),
    )
    .orderBy(asc(withdrawals.id))
    .limit(limit);
}

/** Is there a withdrawal that stands for this failed one? */
export async function isRefunded(tx: Tx, id: number): Promise<boolean> {
  const found = await tx.select({ id: withdrawals.id }).from(withdrawals).where(eq(withdrawals.refundOf, id));
  return found.length > 0;
}
