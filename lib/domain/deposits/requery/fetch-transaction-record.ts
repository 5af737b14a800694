import { canonicalizeTransactionHash } from "#lib/chains/hash-rules.ts";
import type { NetworkAdapter, TransactionRecord } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { listRequeryOutcomes } from "../queries.ts";
import type { DepositOwner } from "../types.ts";

/**
 * What the network's nodes tell of any transaction; null: they know none, or the text is no hash. Of the merchant's own
 * deposits the block is known, which spares a node without an index the search. Throws NodeError.
 */
export async function fetchTransactionRecord(
  db: Db,
  adapter: NetworkAdapter,
  owner: DepositOwner,
  text: string,
): Promise<TransactionRecord | null> {
  const txHash = canonicalizeTransactionHash(adapter.data.family, text);
  if (txHash === null) return null;
  const outcomes = await listRequeryOutcomes(db, owner, adapter.network, txHash);
  const seenIn = outcomes.find(({ blockHash }) => blockHash !== null)?.blockHash ?? null;
  return (await adapter.fetchTransactionRecord?.(txHash, seenIn)) ?? null;
}
