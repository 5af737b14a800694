import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { deposits, depositTotals } from "./tables.ts";
import type { DepositOwner, DepositRow, ListedDepositStatus } from "./types.ts";

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
  totalReceived: sql`coalesce(${depositTotals.total}, 0)`.mapWith((value: string) => BigInt(value)),
};

/** Deposits with what their records say of merchant, address and customer: each row finds its own by primary keys. */
function selectDepositRows(db: Db | Tx) {
  const total = and(eq(depositTotals.addressId, deposits.addressId), eq(depositTotals.token, deposits.token));
  return db
    .select(RECORD)
    .from(deposits)
    .innerJoin(addresses, eq(addresses.id, deposits.addressId))
    .innerJoin(merchants, eq(merchants.id, deposits.merchantId))
    .leftJoin(customers, eq(customers.id, addresses.customerId))
    .leftJoin(depositTotals, total);
}

/** Oldest first. */
export async function listDepositsById(db: Db | Tx, ids: readonly number[]): Promise<DepositRow[]> {
  if (ids.length === 0) return [];
  return selectDepositRows(db)
    .where(inArray(deposits.id, [...ids]))
    .orderBy(asc(deposits.id));
}

const isOwnedBy = ({ merchantId, env }: DepositOwner) =>
  and(eq(deposits.merchantId, merchantId), eq(deposits.env, env));

/** Literal, so that the list of what is credited is read from the index of exactly that. */
const listed = (statuses: readonly ListedDepositStatus[]): SQL => {
  const others = statuses.filter((status) => status !== 1);
  if (others.length === 0) return sql`${deposits.status} = 1`;
  // What nothing credits by itself is listed as unmatched instead.
  return sql`(${deposits.status} = 1
    or (${deposits.status} in (${sql.raw(others.join())}) and ${deposits.unmatchedReason} is null))`;
};

/** Newest first, below the id `before`. The page is cut before anything is joined to it. */
export async function selectRecords(
  db: Db,
  owner: DepositOwner,
  statuses: readonly ListedDepositStatus[],
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<DepositRow[]> {
  // As the indexes have it.
  const newestFirst = sql`(-${deposits.id})`;
  const below = before === null ? undefined : gt(newestFirst, -before);
  const page = db
    .select({ id: deposits.id })
    .from(deposits)
    .where(and(isOwnedBy(owner), listed(statuses), below))
    .orderBy(newestFirst)
    .limit(limit);
  return selectDepositRows(db).where(sql`${deposits.id} = any(array(${page}))`).orderBy(desc(deposits.id));
}

export async function countRecords(
  db: Db,
  owner: DepositOwner,
  statuses: readonly ListedDepositStatus[],
): Promise<number> {
  return db.$count(deposits, and(isOwnedBy(owner), listed(statuses)));
}

const byHash = oncePerDatabase((db) => {
  const given = sql.placeholder;
  return (
    selectDepositRows(db)
      .where(
        and(
          eq(deposits.merchantId, given("merchantId")),
          eq(deposits.env, given("env")),
          // Single values, not an array: of an array's length PostgreSQL assumes so much that it never keeps the plan.
          sql`${deposits.txHash} in (${given("hash")}, ${given("orHash")}, ${given("orHash2")})`,
          sql`${deposits.status} = any(${given("statuses")}::integer[])`,
          sql`(${deposits.status} = 1 or ${deposits.unmatchedReason} is null)`,
          sql`(${given("network")}::text is null or ${deposits.network} = ${given("network")})`,
          sql`(${given("position")}::integer is null or ${deposits.position} = ${given("position")})`,
        ),
      )
      // What was dropped may have lost its position to another.
      .orderBy(sql`${deposits.status} = 2`, asc(deposits.position), asc(deposits.id))
      .limit(given("limit"))
      .prepare("deposits_by_hash")
  );
});

/** By position, what was dropped last. `hashes`: forms of one hash, three at most; `network` and `position` null: any. */
export function selectRecordsByHash(
  db: Db,
  owner: DepositOwner,
  asked: {
    readonly hashes: readonly string[];
    readonly statuses: readonly ListedDepositStatus[];
    readonly network: NetworkCode | null;
    readonly position: number | null;
    readonly limit: number;
  },
): Promise<DepositRow[]> {
  const [hash, orHash = hash, orHash2 = hash] = asked.hashes;
  return byHash(db).execute({ ...owner, ...asked, hash, orHash, orHash2 });
}

/** What stands recorded of a merchant in one transaction, whatever became of it. */
export function listRequeryOutcomes(db: Db, owner: DepositOwner, network: NetworkCode, txHash: string) {
  return db
    .select({ status: deposits.status, blockHash: deposits.blockHash })
    .from(deposits)
    .where(and(isOwnedBy(owner), eq(deposits.txHash, txHash), eq(deposits.network, network)));
}
