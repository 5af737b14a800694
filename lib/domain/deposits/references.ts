import { eq, inArray } from "drizzle-orm";
import { paymentLinks, paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { deposits } from "./tables.ts";

/** An entry's source: the reference of the payment link or withdrawal, and the transaction. null: there is none. */
export interface BookReference {
  readonly refid: string | null;
  readonly txHash: string | null;
}

/** The references of these deposits, by id. */
export async function listDepositReferences(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, BookReference>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: deposits.id, refid: paymentLinks.refid, txHash: deposits.txHash })
    .from(deposits)
    .leftJoin(paymentLinkWallets, eq(paymentLinkWallets.addressId, deposits.addressId))
    .leftJoin(paymentLinks, eq(paymentLinks.id, paymentLinkWallets.paymentLinkId))
    .where(inArray(deposits.id, [...ids]));
  return new Map(rows.map(({ id, ...reference }) => [id, reference]));
}
