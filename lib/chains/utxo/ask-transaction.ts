import { parseFields } from "../parse-json.ts";
import { type CoreNode, getResult } from "./core-client.ts";

/**
 * Fetches a transaction as the node decodes it. `blockHash` is its block, or null while it waits. dogecoind
 * accepts no block hash, so it is also asked without one. That works with an index, or while an output is
 * unspent. Throws NodeError("refused") otherwise.
 */
export async function fetchUtxoTransaction(
  node: CoreNode,
  txid: string,
  blockHash: string | null,
): Promise<Record<string, unknown>> {
  const method = "getrawtransaction";
  const calls = [
    ...(blockHash === null ? [] : [{ method, params: [txid, true, blockHash] }]),
    { method, params: [txid, true] },
  ];
  const answers = await node.batch(calls);
  const answer = answers.find(({ ok }) => ok) ?? answers[0];
  return parseFields("a transaction", getResult(answer, method));
}
