import { sql } from "drizzle-orm";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral, fromDepositNumber } from "#lib/domain/deposit-status.ts";
import type { ReportedPayment } from "#lib/domain/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { PaymentStatus } from "./types.ts";

/** A payment whose status differs from the last event that shops received. */
export interface UnreportedPayment {
  readonly linkId: number;
  readonly depositId: number;
  readonly network: NetworkCode;
  readonly token: TokenCode;
  /** Canonical. */
  readonly address: string;
  readonly txHash: string;
  readonly position: number;
  readonly amount: bigint;
  readonly status: PaymentStatus;
  readonly firstSeenAt: Date;
  readonly reported: ReportedPayment | null;
}

interface Row extends Record<string, unknown> {
  link: string;
  deposit: string;
  network: NetworkCode;
  token: TokenCode;
  address: string;
  hash: string;
  position: number;
  amount: string;
  status: number;
  seen: string;
  reported: ReportedPayment | null;
}

/**
 * At most `limit` payments of these links whose status differs from the last event that shops received, oldest first. Those below their minimum are
 * left out: anybody can send thousands of them.
 */
export async function listUnreportedPayments(
  tx: Tx,
  linkIds: readonly number[],
  limit: number,
): Promise<UnreportedPayment[]> {
  const is = (status: "seen" | "credited") => sql`d.status = ${depositLiteral(status)}`;
  const { rows } = await tx.execute<Row>(sql`
    select p.payment_link_id as link, d.id as deposit, d.network, d.token, a.address, d.tx_hash as hash, d.position,
      d.amount::text as amount, d.status, d.first_seen_at::text as seen, p.reported
    from payments p
    join deposits d on d.id = p.deposit_id
    join addresses a on a.id = d.address_id
    where p.payment_link_id = any(${sqlArray(linkIds, "bigint")}) and d.amount >= p.minimum_receive
      and d.unmatched_reason is null
      and (${is("seen")} and p.reported is null or ${is("credited")} and p.reported is distinct from 'settled'
        or not ${is("credited")} and p.reported = 'settled')
    order by d.id
    limit ${limit}`);
  return rows.map((row) => ({
    linkId: Number(row.link),
    depositId: Number(row.deposit),
    network: row.network,
    token: row.token,
    address: row.address,
    txHash: row.hash,
    position: row.position,
    amount: BigInt(row.amount),
    status: fromDepositNumber(row.status) as PaymentStatus,
    firstSeenAt: new Date(row.seen),
    reported: row.reported,
  }));
}

/** Records that shops have an event of these payments as they are here. A payment may have changed since it was read. */
export async function updateReported(tx: Tx, payments: readonly UnreportedPayment[]): Promise<void> {
  if (payments.length === 0) return;
  const ids = payments.map(({ depositId }) => depositId);
  const reported = payments.map(({ status }) => (status === "credited" ? "settled" : "received"));
  await tx.execute(sql`
    update payments p
    set reported = sent.reported
    from unnest(${sqlArray(ids, "bigint")}, ${sqlArray(reported, "text")}) as sent(deposit_id, reported)
    where p.deposit_id = sent.deposit_id`);
}
