import { and, asc, count, desc, eq, gt, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { getFamily, listTransactionHashForms } from "#lib/chains/families.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode, NetworkScope } from "#lib/chains/networks.ts";
import { depositLiteral, depositLiterals, toDepositNumber } from "#lib/domain/deposit-status.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { deposits, depositTotals } from "./tables.ts";
import type { DepositOwner, DepositPage, DepositRow, ListedDepositStatus } from "./types.ts";

const RECORD = {
  deposit: {
    id: deposits.id,
    env: deposits.env,
    network: deposits.network,
    token: deposits.token,
    merchantId: merchants.id,
    addressId: deposits.addressId,
    txHash: deposits.txHash,
    position: deposits.position,
    amount: deposits.amount,
    sender: deposits.sender,
    extra: deposits.extra,
    status: deposits.status,
    createdAt: deposits.createdAt,
    updatedAt: deposits.updatedAt,
    deletedAt: deposits.deletedAt,
  },
  address: addresses.address,
  purpose: addresses.purpose,
  merchantEmail: merchants.email,
  customerEmail: customers.email,
  totalReceived:
    sql`coalesce(${depositTotals.total}, case when ${addresses.merchantId} = ${deposits.merchantId}
    or ${deposits.status} <> ${depositLiteral("credited")} then 0 else ${deposits.amount} end)`.mapWith(
      (value: string) => BigInt(value),
    ),
};

/**
 * Deposits with their merchant, address and customer. Every join is by primary key. The operator may credit a deposit to another merchant than
 * the one that the address was given to: the customer of that one stays private, and so does what the address received for it.
 */
function selectDepositRows(db: Db | Tx) {
  const customer = and(eq(customers.id, addresses.customerId), eq(customers.merchantId, deposits.merchantId));
  const total = and(
    eq(depositTotals.addressId, deposits.addressId),
    eq(depositTotals.token, deposits.token),
    eq(addresses.merchantId, deposits.merchantId),
  );
  return db
    .select(RECORD)
    .from(deposits)
    .innerJoin(addresses, eq(addresses.id, deposits.addressId))
    .innerJoin(merchants, eq(merchants.id, deposits.merchantId))
    .leftJoin(customers, customer)
    .leftJoin(depositTotals, total);
}

/** Lists these deposits, oldest first. */
export async function listDepositsById(db: Db | Tx, ids: readonly number[]): Promise<DepositRow[]> {
  if (ids.length === 0) return [];
  return selectDepositRows(db)
    .where(inArray(deposits.id, [...ids]))
    .orderBy(asc(deposits.id));
}

const isOwnedBy = ({ merchantId, env }: DepositOwner) =>
  and(eq(deposits.merchantId, merchantId), eq(deposits.env, env));

/** Literal status values, so that PostgreSQL can use the partial index of credited deposits. */
const hasStatus = (statuses: readonly ListedDepositStatus[]): SQL => {
  const others = statuses.filter((status) => status !== "credited");
  const isCredited = sql`${deposits.status} = ${depositLiteral("credited")}`;
  if (others.length === 0) return isCredited;
  // Deposits that are not credited automatically are listed as unmatched instead.
  return sql`(${isCredited}
    or (${deposits.status} in ${depositLiterals(others)} and ${deposits.unmatchedReason} is null))`;
};

/** Lists a merchant's deposits with these statuses, newest first. The page is limited before the joins. */
export async function listDeposits(
  db: Db,
  owner: DepositOwner,
  statuses: readonly ListedDepositStatus[],
  { before, limit }: DepositPage,
): Promise<DepositRow[]> {
  // The same expression as in the indexes.
  const newestFirst = sql`(-${deposits.id})`;
  const below = before === null ? undefined : gt(newestFirst, -before);
  const page = db
    .select({ id: deposits.id })
    .from(deposits)
    .where(and(isOwnedBy(owner), hasStatus(statuses), below))
    .orderBy(newestFirst)
    .limit(limit);
  return selectDepositRows(db).where(sql`${deposits.id} = any(array(${page}))`).orderBy(desc(deposits.id));
}

/** Counts a merchant's deposits with these statuses. */
export async function countDeposits(
  db: Db,
  owner: DepositOwner,
  statuses: readonly ListedDepositStatus[],
): Promise<number> {
  return db.$count(deposits, and(isOwnedBy(owner), hasStatus(statuses)));
}

const byHash = oncePerDatabase((db) => {
  const given = sql.placeholder;
  return (
    selectDepositRows(db)
      .where(
        and(
          eq(deposits.merchantId, given("merchantId")),
          eq(deposits.env, given("env")),
          // Single values, not an array. PostgreSQL overestimates an array's length and never keeps the plan.
          sql`${deposits.txHash} in (${given("hash")}, ${given("orHash")}, ${given("orHash2")})`,
          sql`${deposits.status} = any(${given("statuses")}::integer[])`,
          sql`(${deposits.status} = ${depositLiteral("credited")} or ${deposits.unmatchedReason} is null)`,
          sql`(${given("network")}::text is null or ${deposits.network} = ${given("network")})`,
          sql`(${given("position")}::integer is null or ${deposits.position} = ${given("position")})`,
        ),
      )
      // Another deposit may have the position of a dropped one.
      .orderBy(
        sql`${deposits.status} = ${depositLiteral("dropped")}`,
        asc(deposits.position),
        asc(deposits.id),
      )
      .limit(given("limit"))
      .prepare("deposits_by_hash")
  );
});

/** One transaction can pay a merchant thousands of times. */
const MAX_PER_TRANSACTION = 501;

/**
 * Lists a merchant's deposits of one transaction, by position, dropped ones last, at most 501. Returns none when the
 * text is not a transaction hash. `network` and `position` limit the result; null: any.
 */
export async function listTransactionDeposits(
  db: Db,
  owner: DepositOwner,
  filter: {
    readonly txHash: string;
    readonly statuses: readonly ListedDepositStatus[];
    readonly network: NetworkCode | null;
    readonly position: number | null;
  },
): Promise<readonly DepositRow[]> {
  const { txHash, statuses, ...rest } = filter;
  const hashes = filter.network
    ? [getFamily(filter.network).canonicalizeTransactionHash(txHash) ?? []].flat()
    : listTransactionHashForms(txHash);
  // A hash has at most three forms. The statement has one parameter for each.
  const [hash, orHash = hash, orHash2 = hash] = hashes;
  if (hash === undefined) return [];
  const limits = { statuses: statuses.map(toDepositNumber), limit: MAX_PER_TRANSACTION };
  return byHash(db).execute({ ...owner, ...rest, ...limits, hash, orHash, orHash2 });
}

/** Lists the status and block of a merchant's deposits of one transaction, whatever their status. */
export function listRequeryOutcomes(db: Db, owner: DepositOwner, network: NetworkCode, txHash: string) {
  // One transaction can have thousands of deposits. They have few different outcomes.
  return db
    .select({ status: deposits.status, blockHash: deposits.blockHash, count: count() })
    .from(deposits)
    .where(and(isOwnedBy(owner), eq(deposits.txHash, txHash), eq(deposits.network, network)))
    .groupBy(deposits.status, deposits.blockHash);
}

/** Counts deposits that wait for confirmations or are held, by network. Credited ones are too many to count. */
export async function countOpenDeposits(
  db: Db,
): Promise<readonly (NetworkScope & { readonly state: "waiting" | "held"; readonly count: number })[]> {
  // Each half has its own partial index (deposits_pending, deposits_unmatched).
  type Row = { env: Env; network: NetworkCode; state: "waiting" | "held"; count: string };
  const { rows } = await db.execute<Row>(sql`
    select env, network, 'waiting' as state, count(*) from ${deposits}
      where status = ${depositLiteral("seen")} group by env, network
    union all
    select env, network, 'held', count(*) from ${deposits}
      where unmatched_reason is not null and status in ${depositLiterals(["seen", "held"])}
        and status = ${depositLiteral("held")} group by env, network`);
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}

/** True for the deposits of a network. */
export const isDepositOf = ({ env, network }: NetworkScope) =>
  and(eq(deposits.env, env), eq(deposits.network, network));

/** The addresses that blocks above a height pay. */
export async function listPaidAbove(db: Db, scope: NetworkScope, height: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ address: addresses.address })
    .from(deposits)
    .innerJoin(addresses, eq(addresses.id, deposits.addressId))
    .where(and(isDepositOf(scope), gt(deposits.blockHeight, height)));
  return rows.map(({ address }) => address);
}

/** The blocks in which these transactions are recorded, by transaction hash. */
export async function findRecordedBlocks(
  db: Db,
  scope: NetworkScope,
  txHashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (txHashes.length === 0) return new Map();
  const isOneOf = sql`${deposits.txHash} = any(${sqlArray(txHashes, "text")})`;
  const rows = await db
    .select({ txHash: deposits.txHash, blockHash: deposits.blockHash })
    .from(deposits)
    .where(and(isDepositOf(scope), isNotNull(deposits.blockHash), isOneOf));
  return new Map(rows.map(({ txHash, blockHash }) => [txHash, blockHash ?? ""]));
}
