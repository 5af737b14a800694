import { eq } from "drizzle-orm";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { SENDER } from "./unmatched.ts";

export { SENDER } from "./unmatched.ts";

/** A transaction hash as EVM networks write it. */
export const evmHash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;

type Row = typeof deposits.$inferInsert;

/**
 * A deposit as the watcher stores it, without its ledger transfer. `changes` are columns. The default is one
 * USDT.
 */
export async function aDeposit(
  db: Db,
  addressId: number,
  changes: Partial<Row> & { readonly txHash: string },
): Promise<{ id: number; txHash: string }> {
  const [address] = await db.select().from(addresses).where(eq(addresses.id, addressId));
  const { env, network, merchantId } = address!;
  const at = changes.createdAt ?? new Date();
  const inBlock = changes.status !== "dropped";
  const [row] = await db
    .insert(deposits)
    .values({
      ...{ env, network, merchantId, addressId, token: "usdt", position: 4, sender: SENDER },
      amount: 10n ** 18n,
      status: "credited",
      blockHeight: inBlock ? 100 : null,
      blockHash: inBlock ? evmHash(100) : null,
      blockTime: inBlock ? at : null,
      requiredConfirmations: 1,
      firstSeenAt: at,
      createdAt: at,
      updatedAt: at,
      ...changes,
    })
    .returning({ id: deposits.id, txHash: deposits.txHash });
  return row!;
}
