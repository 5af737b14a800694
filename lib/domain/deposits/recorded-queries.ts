import { and, asc, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { listTransactionHashForms } from "#lib/chains/families.ts";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { paymentLinks, paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import type { DepositStatus } from "#lib/domain/types.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { readBackwards } from "#lib/platform/db/read-backwards.ts";
import { deposits } from "./tables.ts";
import type { DepositPage } from "./types.ts";

/** Selects recorded deposits of one environment, whatever their merchant. null means any. */
export interface RecordedDepositFilter {
  readonly env: Env;
  readonly merchantId: number | null;
  readonly status: DepositStatus | null;
  /** Absent: any. */
  readonly createdBefore?: Date;
}

/** One transaction can pay many addresses. */
const MAX_PER_TRANSACTION = 500;

/**
 * Deposits as recorded, also those of nobody, each with its address, owner, customer and payment link. Joins by unique keys. For a merchant, the
 * customer and the link are there only if they are the merchant's: the operator may have credited a deposit to another one than the address was
 * given to. Null: for the operator, who sees all of them.
 */
function selectRecordedDeposits(db: Db, viewer: number | null) {
  const isSeen = viewer === null ? undefined : eq(addresses.merchantId, viewer);
  return db
    .select({
      deposit: deposits,
      address: addresses.address,
      path: addresses.path,
      merchantEmail: merchants.email,
      customerEmail: customers.email,
      refid: paymentLinks.refid,
    })
    .from(deposits)
    .innerJoin(addresses, eq(addresses.id, deposits.addressId))
    .leftJoin(merchants, eq(merchants.id, deposits.merchantId))
    .leftJoin(customers, and(eq(customers.id, addresses.customerId), isSeen))
    .leftJoin(paymentLinkWallets, and(eq(paymentLinkWallets.addressId, addresses.id), isSeen))
    .leftJoin(paymentLinks, eq(paymentLinks.id, paymentLinkWallets.paymentLinkId));
}
export type RecordedDeposit = Awaited<ReturnType<typeof selectRecordedDeposits>>[number];

/** Lists recorded deposits for the operator, newest first. */
export function listRecordedDeposits(
  db: Db,
  filter: RecordedDepositFilter,
  page: DepositPage,
): Promise<RecordedDeposit[]> {
  return listPage(db, filter, page, null);
}

/** The page is limited before the joins. `viewer`: see selectRecordedDeposits. */
async function listPage(
  db: Db,
  { env, merchantId, status, createdBefore }: RecordedDepositFilter,
  { before, limit }: DepositPage,
  viewer: number | null,
): Promise<RecordedDeposit[]> {
  // A merchant's deposits are indexed by -id.
  const newestFirst = sql`(-${deposits.id})`;
  const [order, below] =
    merchantId === null
      ? [desc(deposits.id), before === null ? undefined : lt(deposits.id, before)]
      : [asc(newestFirst), before === null ? undefined : gt(newestFirst, -before)];
  const page = db
    .select({ id: deposits.id })
    .from(deposits)
    .where(
      and(
        eq(deposits.env, env),
        merchantId === null ? undefined : eq(deposits.merchantId, merchantId),
        status === null ? undefined : eq(deposits.status, status),
        below,
        createdBefore && lt(deposits.createdAt, createdBefore),
      ),
    )
    .orderBy(order)
    .limit(limit);
  return selectRecordedDeposits(db, viewer)
    .where(sql`${deposits.id} = any(array(${page}))`)
    .orderBy(desc(deposits.id));
}

/** Finds a recorded deposit of either environment, or null. */
export async function findRecordedDeposit(db: Db, id: number): Promise<RecordedDeposit | null> {
  const [row] = await selectRecordedDeposits(db, null).where(eq(deposits.id, id));
  return row ?? null;
}

/**
 * Lists the recorded deposits of a transaction in either environment, oldest first, at most 500. Empty if the text is
 * not a transaction hash.
 */
export async function listDepositsOfTransaction(db: Db, txHash: string): Promise<RecordedDeposit[]> {
  const hashes = listTransactionHashForms(txHash);
  if (hashes.length === 0) return [];
  return (
    selectRecordedDeposits(db, null)
      // Every environment and network: the columns of the unique index come before the hash.
      .where(
        and(
          inArray(deposits.env, [...ENVS]),
          inArray(deposits.network, [...NETWORK_CODES]),
          inArray(deposits.txHash, [...hashes]),
        ),
      )
      .orderBy(asc(deposits.id))
      .limit(MAX_PER_TRANSACTION)
  );
}

/** A deposit as the source of an entry. Null: it has no payment link, or its address no customer, of the merchant. */
interface DepositReference {
  readonly refid: string | null;
  readonly paymentReference: string | null;
  readonly customerId: number | null;
  readonly txHash: string;
}

/**
 * The references of these deposits for a merchant, by id. The operator may credit a deposit to another merchant than the one that the address
 * was given to: the link and customer of that one stay private.
 */
export async function listDepositReferences(
  db: Db,
  merchantId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DepositReference>> {
  if (ids.length === 0) return new Map();
  const { refid, paymentReference } = paymentLinks;
  const { customerId } = addresses;
  const isOfMerchant = and(eq(addresses.id, deposits.addressId), eq(addresses.merchantId, merchantId));
  const rows = await db
    .select({ id: deposits.id, refid, paymentReference, customerId, txHash: deposits.txHash })
    .from(deposits)
    .leftJoin(addresses, isOfMerchant)
    .leftJoin(paymentLinkWallets, eq(paymentLinkWallets.addressId, addresses.id))
    .leftJoin(paymentLinks, eq(paymentLinks.id, paymentLinkWallets.paymentLinkId))
    .where(inArray(deposits.id, [...ids]));
  return new Map(rows.map(({ id, ...reference }) => [id, reference]));
}

/** A merchant's deposits that were recorded from `from` (included) to `to` (excluded), newest first, in parts that are read on demand. */
export function exportDeposits(
  db: Db,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  range: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly RecordedDeposit[]> {
  return readBackwards(
    {
      list: ({ createdBefore, ...page }) =>
        listPage(db, { env, merchantId, status: null, createdBefore }, page, merchantId),
      datedOf: ({ deposit }) => deposit,
    },
    range,
  );
}
