import { type SQL, sql } from "drizzle-orm";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { statusLiterals } from "#lib/domain/withdrawal-status.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Refund } from "./types.ts";

/**
 * The refunds of the link `id` (SQL) that were not given up and have not failed, and what its refund claims promise,
 * also those whose time is over. A refund that was a claim keeps the time of the claim.
 */
const refundsOf = (id: SQL) => sql`
  select w.network, w.token, w.amount, coalesce(c.created_at, w.created_at) as at, null::timestamptz as until
  from withdrawals w left join refund_claims c on c.withdrawal_id = w.id
  where w.payment_link_id = ${id} and w.status not in ${statusLiterals(["failed", "refund_queued"])}
  union all
  select c.network, c.token, c.amount, c.created_at, c.expires_at from refund_claims c
  where c.payment_link_id = ${id} and c.withdrawal_id is null and c.revoked_at is null`;

/** The times of the refunds of the link `id` (SQL) as a sorted array. */
export const refundTimes = (id: SQL): SQL => sql`array(select r.at from (${refundsOf(id)}) r order by r.at)`;

/** A refund and the link whose payments it gives back. */
export interface LinkRefund extends Refund {
  readonly linkId: number;
}

interface RefundRow extends Record<string, unknown> {
  link: string;
  network: NetworkCode;
  token: TokenCode;
  amount: string;
  at: string;
  until: string | null;
}

const refundsOfLinks = namedStatement<RefundRow>(
  "refunds_of_links",
  sql`
    select l.id as link, r.network, r.token, r.amount::text as amount, r.at::text as at, r.until::text as until
    from unnest((select ${sql.placeholder("ids")}::bigint[])) as l(id) cross join lateral (${refundsOf(sql`l.id`)}) r`,
);

/** The refunds and refund claims of these links. Claims whose time is over are among them (countingRefunds). */
export async function listLinkRefunds(db: Db | Tx, linkIds: readonly number[]): Promise<LinkRefund[]> {
  const rows = await refundsOfLinks(db, { ids: linkIds });
  return rows.map((row) => ({
    linkId: Number(row.link),
    network: row.network,
    token: row.token,
    amount: BigInt(row.amount),
    at: new Date(row.at),
    until: row.until === null ? null : new Date(row.until),
  }));
}
