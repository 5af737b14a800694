import { sql } from "drizzle-orm";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral } from "#lib/domain/deposit-status.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { smallDeposits } from "../tables.ts";

const IS_CREDITED = sql`d.status = ${depositLiteral("credited")}`;

/** Held until the commit by the one process that reports: "sdep". */
const REPORT_LOCK = 0x73_64_65_70;

/** A deposit whose credit or reversal was not reported yet. */
export interface UnreportedDeposit {
  readonly id: number;
  readonly linkId: number;
  /** True if the last event said that it is credited. */
  readonly reported: boolean;
}

/**
 * Lets these deposits, by id with their link, wait for their link's next event. A deposit that waits already keeps its place.
 * `reported`: whether the last event about the others said that they are credited.
 */
export async function insertSmallDeposits(
  tx: Tx,
  linksByDeposit: ReadonlyMap<number, number>,
  { reported }: { readonly reported: boolean },
  now: Date,
): Promise<void> {
  if (linksByDeposit.size === 0) return;
  const rows = [...linksByDeposit].sort(([a], [b]) => a - b);
  // The update changes nothing. It locks a row that waits, so that no event is made from it before this commit.
  await tx.execute(sql`
    insert into ${smallDeposits} (deposit_id, payment_link_id, reported, created_at)
    select v.deposit, v.link, ${reported}, ${now.toISOString()}::timestamptz
    from unnest(${sqlArray(
      rows.map(([deposit]) => deposit),
      "bigint",
    )}, ${sqlArray(
      rows.map(([, link]) => link),
      "bigint",
    )}) as v(deposit, link) order by v.deposit
    on conflict (deposit_id) do update set deposit_id = excluded.deposit_id`);
}

/** False if another process reports now. Held until the commit. */
export async function tryReportLock(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ ok: boolean }>(
    sql`select pg_try_advisory_xact_lock(${REPORT_LOCK}) as ok`,
  );
  return rows[0]?.ok === true;
}

/** Lists at most `limit` links with a deposit that has waited since `before`. */
export async function listLinksToReport(tx: Tx, before: Date, limit: number): Promise<number[]> {
  const { rows } = await tx.execute<{ link: string }>(sql`
    select distinct payment_link_id as link from ${smallDeposits}
    where created_at <= ${before.toISOString()}::timestamptz
    order by payment_link_id limit ${limit}`);
  return rows.map(({ link }) => Number(link));
}

/** Removes all deposits of these links that wait, and returns them by ascending id. */
export async function takeSmallDeposits(tx: Tx, linkIds: readonly number[]): Promise<UnreportedDeposit[]> {
  const { rows } = await tx.execute<{ deposit: string; link: string; reported: boolean }>(sql`
    with waiting as (
      select deposit_id from ${smallDeposits} where payment_link_id = any(${sqlArray(linkIds, "bigint")})
      order by deposit_id for update
    )
    delete from ${smallDeposits} s using waiting where s.deposit_id = waiting.deposit_id
    returning s.deposit_id as deposit, s.payment_link_id as link, s.reported`);
  return rows
    .map(({ deposit, link, reported }) => ({ id: Number(deposit), linkId: Number(link), reported }))
    .sort((a, b) => a.id - b.id);
}

/** The total change of one link's deposits of one token since the last event, in one direction. */
export interface SmallDepositTotal {
  readonly linkId: number;
  readonly network: NetworkCode;
  readonly token: TokenCode;
  /** False: reversed. */
  readonly credited: boolean;
  readonly deposits: number;
  /** Ledger units. */
  readonly amount: bigint;
}

/** The changes to report, summed up. A deposit that is as it was reported last is left out. */
export async function sumSmallDeposits(
  tx: Tx,
  taken: readonly UnreportedDeposit[],
): Promise<SmallDepositTotal[]> {
  interface Row extends Record<string, unknown> {
    link: string;
    network: NetworkCode;
    token: TokenCode;
    credited: boolean;
    deposits: number;
    amount: string;
  }
  const { rows } = await tx.execute<Row>(sql`
    select v.link, d.network, d.token, ${IS_CREDITED} as credited, count(*)::integer as deposits,
      sum(d.amount)::text as amount
    from ${unnestTaken(taken)} join deposits d on d.id = v.deposit
    where (${IS_CREDITED}) <> v.reported
    group by v.link, d.network, d.token, ${IS_CREDITED}
    order by v.link, d.network, d.token`);
  return rows.map(({ link, amount, ...row }) => ({ ...row, linkId: Number(link), amount: BigInt(amount) }));
}

/** The newest changes of each link, at most `each`: deposit ids and transaction hashes, by ascending id. */
export async function listNewestSmallDeposits(
  tx: Tx,
  taken: readonly UnreportedDeposit[],
  each: number,
): Promise<{ readonly linkId: number; readonly id: number; readonly txHash: string }[]> {
  const { rows } = await tx.execute<{ link: string; id: string; hash: string }>(sql`
    select link, id, hash from (
      select v.link, d.id, d.tx_hash as hash, row_number() over (partition by v.link order by d.id desc) as nth
      from ${unnestTaken(taken)} join deposits d on d.id = v.deposit
      where (${IS_CREDITED}) <> v.reported
    ) n where nth <= ${each} order by id`);
  return rows.map(({ link, id, hash }) => ({ linkId: Number(link), id: Number(id), txHash: hash }));
}

const unnestTaken = (taken: readonly UnreportedDeposit[]) => sql`unnest(
  ${sqlArray(
    taken.map(({ id }) => id),
    "bigint",
  )}, ${sqlArray(
    taken.map(({ linkId }) => linkId),
    "bigint",
  )}, ${sqlArray(
    taken.map(({ reported }) => reported),
    "boolean",
  )}) as v(deposit, link, reported)`;
