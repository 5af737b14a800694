import { eq, inArray } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { ledgerTransfers, transferValues } from "./tables.ts";

/** The value of a transfer when it was posted. */
export interface TransferValue {
  /** 10^-8 USD. null while there is no price. */
  readonly usd: bigint | null;
  readonly priceSource: string | null;
}

/** The values of the transfers with these causes, by cause. Transfers without a value of their own are absent. */
export async function listTransferValues(
  db: Db,
  causes: readonly string[],
): Promise<ReadonlyMap<string, TransferValue>> {
  if (causes.length === 0) return new Map();
  const { cause } = ledgerTransfers;
  const { usd, priceSource } = transferValues;
  const rows = await db
    .select({ cause, usd, priceSource })
    .from(ledgerTransfers)
    .innerJoin(transferValues, eq(transferValues.transferId, ledgerTransfers.id))
    .where(inArray(cause, [...causes]));
  return new Map(rows.map(({ cause: of, ...value }) => [of, value]));
}
