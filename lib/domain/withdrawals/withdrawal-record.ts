import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { WithdrawalRow } from "./types.ts";

/**
 * The withdrawal record of docs/service-interface.md. `write` puts amounts (ledger units, and their decimals) as its
 * reader wants them: exact numbers in the API, decimal strings in events and for the operator.
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
    status: row.status,
    email: row.email,
    value: write(row.amount, ledgerDecimals),
    _to: adapter?.displayAddress(row.toAddress) ?? row.toAddress,
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

/** As people write it; null for a network's own coin. A network that is switched off still has its data. */
function displayContract(
  { env, network, token }: WithdrawalRow,
  adapter: NetworkAdapter | null,
): string | null {
  const data: NetworkData = adapter?.data ?? NETWORKS[network];
  const contract = data.tokens[token]?.contract?.[env] ?? null;
  const canonical = contract === null ? null : (adapter?.canonicalizeAddress(contract) ?? contract);
  return canonical === null ? null : (adapter?.displayAddress(canonical) ?? canonical);
}
