import { parseFields } from "../parse-json.ts";
import { type CoreNode, getResult } from "./core-client.ts";

/**
 * A transaction as the node decodes it; `blockHash` is its block, null while it waits. dogecoind takes no block: it is
 * asked without one as well, which it answers as long as it has an index or an output is unspent. Throws
 * NodeError("refused") where the node has neither.
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
