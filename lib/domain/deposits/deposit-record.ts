import { displayPosition, type NetworkAdapter, type NetworkRegistry } from "#lib/chains/network.ts";
import type { Env, NetworkFamily } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { DepositRow } from "./types.ts";

/** Families whose transactions number their outputs or logs. */
const POSITIONED: ReadonlySet<NetworkFamily> = new Set<NetworkFamily>(["utxo", "evm", "tron"]);

/** What a record needs to know of its network. */
export type NetworkDisplay = Pick<NetworkAdapter, "data" | "displayAddress">;

/** One that is switched off may still have deposits. */
export function getNetworkDisplay(networks: NetworkRegistry, env: Env, network: NetworkCode): NetworkDisplay {
  return networks.find(env, network) ?? { data: NETWORKS[network], displayAddress: (canonical) => canonical };
}

/**
 * The deposit record of docs/service-interface.md, its fields in that order. `write` makes an amount of ledger units and
 * their decimals: a JSON number in answers, a decimal string in webhooks.
 */
export function composeDepositRecord<Amount>(
  { deposit, ...row }: DepositRow,
  { data, displayAddress }: NetworkDisplay,
  write: (units: bigint, decimals: number) => Amount,
) {
  const { ledgerDecimals } = TOKENS[deposit.token];
  return {
    ref: String(deposit.id),
    status: deposit.status,
    genesis: row.purpose === "merchant" ? 1 : 0,
    email: row.merchantEmail,
    value: write(deposit.amount, ledgerDecimals),
    network: deposit.network,
    token: deposit.token,
    address: displayAddress(row.address),
    sender: deposit.sender === null ? null : displayAddress(deposit.sender),
    extra: deposit.extra,
    tx_hash: deposit.txHash,
    output_pos: POSITIONED.has(data.family) ? displayPosition(deposit.position) : null,
    customer: row.customerEmail,
    total_received: write(row.totalReceived, ledgerDecimals),
    created_at: deposit.createdAt.toISOString(),
    updated_at: deposit.updatedAt.toISOString(),
    deleted_at: deposit.deletedAt?.toISOString() ?? null,
  };
}
