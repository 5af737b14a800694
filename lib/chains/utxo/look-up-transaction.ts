import type { TransactionRecord } from "../network.ts";
import { fetchUtxoTransaction } from "./ask-transaction.ts";
import type { CoreNode } from "./core-client.ts";
import { fetchUtxoTransactionStatus } from "./read-verdict.ts";

/**
 * Fetches a transaction in a block or in the mempool, decoded by the node. Null for a transaction that a
 * reorg removed, although an index may still have it.
 */
export async function fetchUtxoTransactionRecord(
  node: CoreNode,
  txid: string,
  seenIn: string | null = null,
): Promise<TransactionRecord | null> {
  const verdict = await fetchUtxoTransactionStatus(node, txid, seenIn);
  if (verdict.kind === "unknown") return null;
  const block = verdict.kind === "confirmed" ? verdict.blockHash : null;
  return { json: JSON.stringify(await fetchUtxoTransaction(node, txid, block)), shownAs: "object" };
}
