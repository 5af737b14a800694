import type { Addresses } from "#lib/chains/addresses.ts";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { displayPosition } from "#lib/chains/transfers.ts";
import { toDepositNumber } from "#lib/domain/deposit-status.ts";
import { listLinksOfSmallPayments } from "#lib/domain/payment-links/payment-queries.ts";
import { listLinksByAddress } from "#lib/domain/payment-links/queries.ts";
import { emitEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { listDepositsById } from "./queries.ts";
import { insertSmallDeposits } from "./small/store.ts";
import type { DepositRow } from "./types.ts";

/** The data of a network that a deposit record needs. */
export type NetworkDisplay = Pick<NetworkAdapter, "data"> & {
  readonly addresses: Pick<Addresses, "display">;
};

/** Returns the display of a network. A network that is switched off can still have deposits. */
export function getNetworkDisplay(networks: NetworkRegistry, env: Env, network: NetworkCode): NetworkDisplay {
  return (
    networks.find(env, network) ?? {
      data: NETWORKS[network],
      addresses: { display: (canonical) => canonical },
    }
  );
}

/**
 * Composes the deposit record of docs/service-interface.md, with its fields in that order. `write` formats an amount of
 * ledger units: as a JSON number in API responses, as a decimal string in webhooks.
 */
export function composeDepositRecord<Amount>(
  { deposit, ...row }: DepositRow,
  { data, addresses }: NetworkDisplay,
  write: (units: bigint, decimals: number) => Amount,
) {
  const { ledgerDecimals } = TOKENS[deposit.token];
  return {
    ref: String(deposit.id),
    status: toDepositNumber(deposit.status),
    genesis: row.purpose === "merchant" ? (1 as const) : (0 as const),
    email: row.merchantEmail,
    value: write(deposit.amount, ledgerDecimals),
    network: deposit.network,
    token: deposit.token,
    address: addresses.display(row.address),
    sender: deposit.sender === null ? null : addresses.display(deposit.sender),
    extra: deposit.extra,
    tx_hash: deposit.txHash,
    output_pos: getFamily(data).hasOutputPositions ? displayPosition(deposit.position) : null,
    customer: row.customerEmail,
    total_received: write(row.totalReceived, ledgerDecimals),
    created_at: deposit.createdAt.toISOString(),
    updated_at: deposit.updatedAt.toISOString(),
    deleted_at: deposit.deletedAt?.toISOString() ?? null,
  };
}

/** Composes records of one network's deposits as events show them. */
export function createRecordComposer({ data, addresses }: NetworkDisplay) {
  // A checksum costs more than the rest of the event, and many deposits can have one address.
  const shown = new Map<string, string>();
  const display = (canonical: string) => {
    const known = shown.get(canonical) ?? addresses.display(canonical);
    shown.set(canonical, known);
    return known;
  };
  return (row: DepositRow) => composeDepositRecord(row, { data, addresses: { display } }, formatAmount);
}

/**
 * Emits a webhook event for each of these deposits, in the transaction that changed them. Deposits below the minimum of
 * their link wait for the link's next event about them (reportSmallDeposits). Returns the refids of the payment links that
 * the others paid.
 */
export async function emitDepositEvents(
  tx: Tx,
  network: NetworkDisplay,
  {
    type,
    depositIds,
  }: {
    readonly type: "deposit_credited" | "deposit_reversed";
    readonly depositIds: readonly number[];
  },
  now: Date,
): Promise<readonly string[]> {
  const linksOfSmall = await listLinksOfSmallPayments(tx, depositIds);
  await insertSmallDeposits(tx, linksOfSmall, { reported: type === "deposit_reversed" }, now);
  const rows = await listDepositsById(
    tx,
    depositIds.filter((id) => !linksOfSmall.has(id)),
  );
  const links = await listLinksByAddress(tx, [...new Set(rows.map(({ deposit }) => deposit.addressId))]);
  const composeRecord = createRecordComposer(network);
  const events = rows.map((row) => {
    const { merchantId, env, addressId, txHash } = row.deposit;
    const link = links.get(addressId);
    // Credited by the operator to another merchant than the link's, who hears nothing of it.
    const refid = link?.merchantId === merchantId ? link.refid : null;
    const data = { ...composeRecord(row), environment: env, refid };
    return { merchantId, env, type, data, txHashes: [txHash] };
  });
  await emitEvents(tx, events, now);
  return [...new Set([...links.values()].map(({ refid }) => refid))];
}
