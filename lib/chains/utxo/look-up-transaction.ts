import type { ChainRecord } from "../network.ts";
import { askTransaction } from "./ask-transaction.ts";
import type { CoreNode } from "./core-client.ts";
import { readVerdict } from "./read-verdict.ts";

/**
 * A transaction in a block or in the mempool, decoded by the node. One that a reorganisation took back is none,
 * although an index may keep it.
 */
export async function lookUpTransaction(
  node: CoreNode,
  txid: string,
  seenIn: string | null = null,
): Promise<ChainRecord | null> {
  const verdict = await readVerdict(node, txid, seenIn);
  if (verdict.kind === "unknown") return null;
  const block = verdict.kind === "confirmed" ? verdict.blockHash : null;
  return { json: JSON.stringify(await askTransaction(node, txid, block)), shownAs: "object" };
}
