import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { getLinkRefid } from "#lib/domain/payment-links/queries.ts";
import { emitEvent } from "#lib/domain/webhooks/emit-event.ts";
import type { WithdrawalEventType } from "#lib/domain/webhooks/events.ts";
import { toStatusNumber } from "#lib/domain/withdrawal-status.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { WithdrawalRow } from "./types.ts";

/**
 * Composes the withdrawal record of docs/service-interface.md. `write` formats an amount of ledger units: as an exact
 * JSON number in the API, as a decimal string in webhooks and for the operator.
 */
export function composeWithdrawalRecord<Amount>(
  row: WithdrawalRow,
  networks: Pick<NetworkRegistry, "find">,
  write: (units: bigint, decimals: number) => Amount,
) {
  const adapter = networks.find(row.env, row.network);
  const { ledgerDecimals } = TOKENS[row.token];
  return {
    id: row.id,
    refid: row.refid,
    checked: row.checked ? (1 as const) : (0 as const),
    status: toStatusNumber(row.status),
    email: row.email,
    value: write(row.amount, ledgerDecimals),
    _to: adapter?.addresses.display(row.toAddress) ?? row.toAddress,
    token: row.token,
    network: row.network,
    fee: write(row.fee, ledgerDecimals),
    contract: displayContract(row, adapter),
    tx_hash: row.txHash,
    processed_at: row.processedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Returns the display form of the token's contract, or null for a network's own coin. */
function displayContract(
  { env, network, token }: WithdrawalRow,
  adapter: NetworkAdapter | null,
): string | null {
  const data: NetworkData = adapter?.data ?? NETWORKS[network];
  const contract = data.tokens[token]?.contract?.[env] ?? null;
  const canonical = contract === null ? null : (adapter?.addresses.canonicalize(contract) ?? contract);
  return canonical === null ? null : (adapter?.addresses.display(canonical) ?? canonical);
}

/** Emits a webhook event of a withdrawal, and one of its refund if it completes one, in the transaction that changes it (docs/shapes.md, Webhook data). */
export async function emitWithdrawalEvent(
  tx: Tx,
  networks: NetworkRegistry,
  { row, type }: { readonly row: WithdrawalRow; readonly type: WithdrawalEventType },
  now: Date,
): Promise<void> {
  const { merchantId, env, txHash, paymentLinkId } = row;
  const data = { ...composeWithdrawalRecord(row, networks, formatAmount), environment: env };
  const event = { merchantId, env, txHashes: txHash === null ? [] : [txHash] };
  await emitEvent(tx, { ...event, type, data }, now);
  if (type !== "withdrawal_completed" || paymentLinkId === null) return;
  const refund = { ...data, payment_link: await getLinkRefid(tx, paymentLinkId) };
  await emitEvent(tx, { ...event, type: "refund_completed", data: refund }, now);
}
