import type { Tx } from "#lib/db/connection.ts";
import { formatAmount } from "#lib/money/amount.ts";
import { TOKENS } from "#lib/money/tokens.ts";
import type { NetworkAdapter } from "#lib/networks/network.ts";
import type { NetworkFamily } from "#lib/networks/networks.ts";
import { findLinks } from "#lib/payment-links/find-links.ts";
import { emitEvents } from "#lib/webhooks/emit-event.ts";
import { type DepositRow, loadRecords } from "./store.ts";

/** Families whose transactions number their outputs or logs. */
const POSITIONED: ReadonlySet<NetworkFamily> = new Set<NetworkFamily>(["utxo", "evm", "tron"]);

/** Tells the merchants of these deposits what became of them, in the transaction that made it so. */
export async function emitDepositEvents(
  tx: Tx,
  adapter: Pick<NetworkAdapter, "data" | "displayAddress">,
  type: "deposit_credited" | "deposit_reversed",
  depositIds: readonly number[],
  now: Date,
): Promise<void> {
  const rows = await loadRecords(tx, depositIds);
  const links = await findLinks(tx, [...new Set(rows.map(({ deposit }) => deposit.addressId))]);
  const events = rows.map((row) => {
    const { merchantId, env, addressId, txHash } = row.deposit;
    const data = {
      ...depositRecord(row, adapter),
      environment: env,
      refid: links.get(addressId)?.refid ?? null,
    };
    return { merchantId, env, type, dataJson: JSON.stringify(data), txHashes: [txHash] };
  });
  await emitEvents(tx, events, now);
}

/** The deposit record of docs/service-interface.md; amounts as decimal strings. */
function depositRecord(row: DepositRow, adapter: Pick<NetworkAdapter, "data" | "displayAddress">) {
  const { deposit } = row;
  const { ledgerDecimals } = TOKENS[deposit.token];
  return {
    ref: String(deposit.id),
    status: deposit.status,
    genesis: row.purpose === "merchant" ? 1 : 0,
    email: row.merchantEmail,
    value: formatAmount(deposit.amount, ledgerDecimals),
    network: deposit.network,
    token: deposit.token,
    address: adapter.displayAddress(row.address),
    sender: deposit.sender === null ? null : adapter.displayAddress(deposit.sender),
    extra: deposit.extra,
    tx_hash: deposit.txHash,
    output_pos: POSITIONED.has(adapter.data.family) ? deposit.position : null,
    customer: row.customerEmail,
    total_received: formatAmount(row.totalReceived, ledgerDecimals),
    created_at: deposit.createdAt.toISOString(),
    updated_at: deposit.updatedAt.toISOString(),
    deleted_at: deposit.deletedAt?.toISOString() ?? null,
  };
}
