import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { users } from "#lib/domain/members/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { sumCredited } from "#lib/domain/payment-links/payment-queries.ts";
import { OPEN_STATUSES, statusLiteral, statusLiterals } from "#lib/domain/withdrawal-status.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { readBackwards } from "#lib/platform/db/read-backwards.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { sumOpenClaims } from "./claims/queries.ts";
import {
  outgoingTransactions,
  payoutSignatures,
  withdrawalApprovals,
  withdrawalPolicies,
  withdrawals,
} from "./tables.ts";
import type {
  GivenApprovals,
  OutgoingRow,
  PayableRow,
  Refundable,
  Withdrawal,
  WithdrawalFilter,
  WithdrawalQueue,
  WithdrawalRow,
} from "./types.ts";

/** Selects withdrawals together with the e-mail address of their merchant. */
export const selectWithdrawalRows = (db: Db | Tx) =>
  db
    .select({ ...getTableColumns(withdrawals), email: merchants.email })
    .from(withdrawals)
    .innerJoin(merchants, eq(merchants.id, withdrawals.merchantId));

/** Selects withdrawals together with what decides whether a payment of them is signed. */
export const selectPayableRows = (db: Db | Tx) =>
  db
    .select({ ...getTableColumns(withdrawals), email: merchants.email, merchantStatus: merchants.status })
    .from(withdrawals)
    .innerJoin(merchants, eq(merchants.id, withdrawals.merchantId));

const isMatching = ({ env, merchantId, status, createdBefore }: WithdrawalFilter) =>
  and(
    eq(withdrawals.env, env),
    merchantId === null ? undefined : eq(withdrawals.merchantId, merchantId),
    status === null ? undefined : eq(withdrawals.status, status),
    createdBefore && lt(withdrawals.createdAt, createdBefore),
  );

/** A withdrawal as the source of an entry. `isRefund`: a customer gets it, for a payment or for an unmatched deposit. */
interface WithdrawalReference extends Pick<Withdrawal, "refid" | "txHash" | "fee"> {
  readonly isRefund: boolean;
}

/** The references, transactions and fees of these withdrawals, by id. */
export async function listWithdrawalReferences(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, WithdrawalReference>> {
  if (ids.length === 0) return new Map();
  const { id, refid, txHash, fee, paymentLinkId, idempotencyKey } = withdrawals;
  const isRefund = sql<boolean>`${paymentLinkId} is not null or coalesce(${idempotencyKey} like 'deposit:%', false)`;
  const rows = await db
    .select({ id, refid, txHash, fee, isRefund })
    .from(withdrawals)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Lists withdrawals, newest first. `before`: only those with a lower id. */
export function listWithdrawals(
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

/** Counts the withdrawals that match. */
export async function countWithdrawals(db: Db, filter: WithdrawalFilter): Promise<number> {
  const [row] = await db.select({ total: count() }).from(withdrawals).where(isMatching(filter));
  return row?.total ?? 0;
}

/** Finds a withdrawal by its reference, or null. `env` and `merchantId` limit the search; null: any. */
export async function findWithdrawalByRefid(
  db: Db | Tx,
  {
    env,
    refid,
    merchantId,
  }: { readonly env: Env | null; readonly refid: string; readonly merchantId: number | null },
): Promise<WithdrawalRow | null> {
  const isOwn = merchantId === null ? undefined : eq(withdrawals.merchantId, merchantId);
  const [row] = await selectWithdrawalRows(db).where(
    and(eq(withdrawals.refid, refid), env === null ? undefined : eq(withdrawals.env, env), isOwn),
  );
  return row ?? null;
}

/** Finds the withdrawal of a merchant that was created with this idempotency key, or null. */
export async function findWithdrawalByKey(
  db: Db | Tx,
  { merchantId, env, idempotencyKey }: Pick<Withdrawal, "merchantId" | "env" | "idempotencyKey">,
): Promise<WithdrawalRow | null> {
  if (idempotencyKey === null) return null;
  const [row] = await selectWithdrawalRows(db).where(
    and(
      eq(withdrawals.merchantId, merchantId),
      eq(withdrawals.env, env),
      eq(withdrawals.idempotencyKey, idempotencyKey),
    ),
  );
  return row ?? null;
}

/** Counts the open withdrawals by status, network and finding. Uses the index withdrawals_open. */
export function countOpenWithdrawals(
  db: Db,
): Promise<(Pick<Withdrawal, "status" | "env" | "network" | "finding"> & { count: number })[]> {
  const { status, env, network, finding } = withdrawals;
  return db
    .select({ status, env, network, finding, count: count() })
    .from(withdrawals)
    .where(inArray(status, OPEN_STATUSES))
    .groupBy(status, env, network, finding);
}

/** The refunds of these links: the sums of those that did not fail, by token, and the newest of all, at most `limit`. */
export async function listRefundsOf(
  db: Db,
  linkIds: readonly number[],
  limit: number,
): Promise<{
  readonly sums: readonly { readonly token: TokenCode; readonly amount: bigint }[];
  readonly newest: readonly WithdrawalRow[];
}> {
  if (linkIds.length === 0) return { sums: [], newest: [] };
  const { token, amount, status, paymentLinkId } = withdrawals;
  const isOfThem = sql`${paymentLinkId} = any(${sqlArray(linkIds, "bigint")})`;
  const sums = await db
    .select({ token, amount: sql<string>`sum(${amount})` })
    .from(withdrawals)
    .where(and(isOfThem, ne(status, "failed")))
    .groupBy(token);
  const newest = await selectWithdrawalRows(db).where(isOfThem).orderBy(desc(withdrawals.id)).limit(limit);
  return { sums: sums.map((row) => ({ token: row.token, amount: BigInt(row.amount) })), newest };
}

/** The newest refunds of a payment link. */
export function listRefunds(db: Db, paymentLinkId: number, limit: number): Promise<WithdrawalRow[]> {
  return selectWithdrawalRows(db)
    .where(eq(withdrawals.paymentLinkId, paymentLinkId))
    .orderBy(desc(withdrawals.id))
    .limit(limit);
}

/**
 * Lists the amounts that were credited for a payment link, refunded since, and promised by open refund claims, per network and token.
 * `except`: a claim that does not count.
 */
export async function listRefundables(
  db: Db | Tx,
  paymentLinkId: number,
  now: Date,
  except: number | null = null,
): Promise<Refundable[]> {
  const { network, token, amount, status } = withdrawals;
  const credited = await sumCredited(db, paymentLinkId);
  const refunded = await db
    .select({ network, token, amount: sql<string>`sum(${amount})` })
    .from(withdrawals)
    .where(and(eq(withdrawals.paymentLinkId, paymentLinkId), ne(status, "failed")))
    .groupBy(network, token);
  const claimed = await sumOpenClaims(db, paymentLinkId, now, except);
  return credited.map(({ network, token, amount }) => {
    const sumOf = (sums: readonly { network: string; token: string; amount: string }[]) =>
      BigInt(sums.find((one) => one.network === network && one.token === token)?.amount ?? 0);
    return { network, token, credited: amount, refunded: sumOf(refunded), claimed: sumOf(claimed) };
  });
}

/** The approvals of a withdrawal, oldest first. */
export function listApprovals(
  db: Db | Tx,
  withdrawalId: number,
): Promise<
  { readonly userId: number; readonly name: string; readonly assertion: string; readonly createdAt: Date }[]
> {
  const { userId, assertion, createdAt } = withdrawalApprovals;
  return db
    .select({ userId, name: users.name, assertion, createdAt })
    .from(withdrawalApprovals)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(withdrawalApprovals.withdrawalId, withdrawalId))
    .orderBy(asc(createdAt));
}

/** True if a second person must approve the merchant's withdrawals. */
export async function needsSecondPerson(db: Db | Tx, merchantId: number): Promise<boolean> {
  const [row] = await db
    .select({ secondPerson: withdrawalPolicies.secondPerson })
    .from(withdrawalPolicies)
    .where(eq(withdrawalPolicies.merchantId, merchantId));
  return row?.secondPerson ?? false;
}

/**
 * False if the merchant demanded no second person when the withdrawal was created. It then waits only because the creator of its refund claim
 * could create none any more. After a later change of the merchant's demands nobody can tell, and it is true.
 */
export async function isSecondDemanded(
  db: Db | Tx,
  { merchantId, createdAt }: Pick<Withdrawal, "merchantId" | "createdAt">,
): Promise<boolean> {
  const { secondPerson, updatedAt } = withdrawalPolicies;
  const isDemanded = or(eq(secondPerson, true), gt(updatedAt, createdAt));
  return (
    (await db.$count(withdrawalPolicies, and(eq(withdrawalPolicies.merchantId, merchantId), isDemanded))) > 0
  );
}

/** Counts withdrawals that wait for an approval, up to `limit`. Uses the index withdrawals_to_approve. */
export async function countToApprove(
  db: Db,
  { merchantId, env, limit }: { readonly merchantId: number; readonly env: Env; readonly limit: number },
): Promise<number> {
  const waiting = db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(
      and(
        eq(withdrawals.merchantId, merchantId),
        eq(withdrawals.env, env),
        sql`${withdrawals.status} = ${statusLiteral("pending")} and ${withdrawals.needsApproval} and ${withdrawals.approvedAt} is null`,
      ),
    )
    .limit(limit);
  return (await waiting).length;
}

/** The condition of the index withdrawals_open. */
export const isOpen = sql`${withdrawals.status} in ${statusLiterals(OPEN_STATUSES)}`;

/** Lists the open withdrawals of a network with this status and an id above `after`, oldest first. `also` restricts them further. */
export function listOpenWithdrawals(
  db: Db,
  { env, network }: WithdrawalQueue,
  status: "pending" | "processing" | "refund_queued",
  { after, limit, also }: { readonly after: number; readonly limit: number; readonly also?: SQL },
): Promise<PayableRow[]> {
  const { id, env: environment, network: place, status: current } = withdrawals;
  return selectPayableRows(db)
    .where(and(eq(environment, env), eq(place, network), isOpen, eq(current, status), also, gt(id, after)))
    .orderBy(asc(id))
    .limit(limit);
}

/**
 * Lists pending withdrawals that wait for no approval, oldest first, above the id `after`. Without `ofActive`, those of disabled merchants are
 * among them (isOfActive).
 */
export function listPayable(
  db: Db,
  queue: WithdrawalQueue,
  {
    ofActive = false,
    ...page
  }: { readonly after: number; readonly limit: number; readonly ofActive?: boolean },
): Promise<PayableRow[]> {
  const also = sql`not (${withdrawals.needsApproval} and ${withdrawals.approvedAt} is null)
    and (not ${ofActive}::boolean or ${merchants.status} = 'active')`;
  return listOpenWithdrawals(db, queue, "pending", { ...page, also });
}

/** Lists withdrawals by their references, at most as many as a transaction pays. */
export function listByRefids(db: Db, env: Env, refids: readonly string[]): Promise<PayableRow[]> {
  return selectPayableRows(db).where(and(eq(withdrawals.env, env), inArray(withdrawals.refid, [...refids])));
}

/** The stored transactions of a network that are in a block or can still be, oldest first. */
export function listLiveOutgoing(db: Db, { env, network }: WithdrawalQueue): Promise<OutgoingRow[]> {
  const { createdAt, hash, outcome } = outgoingTransactions;
  return db
    .select()
    .from(outgoingTransactions)
    .where(
      and(
        eq(outgoingTransactions.env, env),
        eq(outgoingTransactions.network, network),
        or(isNull(outcome), eq(outcome, "final")),
      ),
    )
    .orderBy(asc(createdAt), asc(hash));
}

/** Lists the signatures and passkey answers that approve these withdrawals, by the withdrawal's id. They are not checked. */
export async function listGivenApprovals(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, GivenApprovals>> {
  const { withdrawalId, approver, signature } = payoutSignatures;
  const [signatures, approvals] = await Promise.all([
    db
      .select({ withdrawalId, approver, signature })
      .from(payoutSignatures)
      .where(inArray(withdrawalId, [...ids])),
    db
      .select({ withdrawalId: withdrawalApprovals.withdrawalId, assertion: withdrawalApprovals.assertion })
      .from(withdrawalApprovals)
      .where(inArray(withdrawalApprovals.withdrawalId, [...ids])),
  ]);
  const given = (id: number): GivenApprovals => ({
    signatures: signatures.filter((one) => one.withdrawalId === id),
    assertions: approvals.filter((one) => one.withdrawalId === id).map(({ assertion }) => assertion),
  });
  return new Map(ids.map((id) => [id, given(id)]));
}

/** How many withdrawals of each network wait to be paid. */
export async function countPending(db: Db, env: Env): Promise<ReadonlyMap<NetworkCode, number>> {
  const { rows } = await db.execute<{ network: NetworkCode; waiting: string }>(sql`
    select network, count(*) as waiting from withdrawals where env = ${env} and status in ${statusLiterals(OPEN_STATUSES)}
      and status = ${statusLiteral("pending")}
    group by network order by network`);
  return new Map(rows.map(({ network, waiting }) => [network, Number(waiting)]));
}

/** A merchant's withdrawals that were created from `from` (included) to `to` (excluded), newest first, in parts that are read on demand. */
export function exportWithdrawals(
  db: Db,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  range: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly WithdrawalRow[]> {
  return readBackwards(
    {
      list: ({ createdBefore, ...page }) =>
        listWithdrawals(db, { env, merchantId, status: null, createdBefore }, page),
      datedOf: (row) => row,
    },
    range,
  );
}
