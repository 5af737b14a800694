import { listLinksByAddress } from "#lib/domain/payment-links/queries.ts";
import { emitEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { composeDepositRecord, type NetworkDisplay } from "./deposit-record.ts";
import { listDepositsById } from "./queries.ts";

/**
 * Tells the merchants of these deposits what became of them, in the transaction that made it so. Answers the refids of
 * the links that were paid by them.
 */
export async function emitDepositEvents(
  tx: Tx,
  adapter: NetworkDisplay,
  type: "deposit_credited" | "deposit_reversed",
  depositIds: readonly number[],
  now: Date,
): Promise<readonly string[]> {
  const rows = await listDepositsById(tx, depositIds);
  const links = await listLinksByAddress(tx, [...new Set(rows.map(({ deposit }) => deposit.addressId))]);
  const events = rows.map((row) => {
    const { merchantId, env, addressId, txHash } = row.deposit;
    const data = {
      ...composeDepositRecord(row, adapter, formatAmount),
      environment: env,
      refid: links.get(addressId)?.refid ?? null,
    };
    return { merchantId, env, type, dataJson: JSON.stringify(data), txHashes: [txHash] };
  });
  await emitEvents(tx, events, now);
  return [...new Set([...links.values()].map(({ refid }) => refid))];
}
