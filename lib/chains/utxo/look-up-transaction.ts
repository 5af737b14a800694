import type { TransactionRecord } from "../network.ts";
import { fetchUtxoTransaction } from "./ask-transaction.ts";
import type { CoreNode } from "./core-client.ts";
import { fetchUtxoTransactionStatus } from "./read-verdict.ts";

/**
 * A transaction in a block or in the mempool, decoded by the node. One that a reorganisation took back is none,
 * although an index may keep it.
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
