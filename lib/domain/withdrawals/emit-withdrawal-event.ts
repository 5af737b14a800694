import type { NetworkRegistry } from "#lib/chains/network.ts";
import { emitEvent } from "#lib/domain/webhooks/emit-event.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import type { WithdrawalRow } from "./types.ts";
import { composeWithdrawalRecord } from "./withdrawal-record.ts";

/** Tells the merchant how a withdrawal ended, in the transaction that ended it (docs/shapes.md, Webhook data). */
export async function emitWithdrawalEvent(
  tx: Tx,
  networks: NetworkRegistry,
  row: WithdrawalRow,
  type: "withdrawal_completed" | "withdrawal_failed",
  now: Date,
): Promise<void> {
  const { merchantId, env, txHash } = row;
  const data = { ...composeWithdrawalRecord(row, networks, formatAmount), environment: env };
  const txHashes = txHash === null ? [] : [txHash];
  await emitEvent(tx, { merchantId, env, type, data, txHashes }, now);
}
