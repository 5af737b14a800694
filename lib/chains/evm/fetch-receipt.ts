import { checkNamed, parseFields } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The receipt of a transaction. Null: the node has none. Throws NodeError where it is another transaction's. */
export async function fetchReceipt(client: RpcClient, txHash: string): Promise<Fields | null> {
  return readReceipt(await client.call("eth_getTransactionReceipt", [txHash]), txHash);
}

/** A transaction and its receipt, each as the node sent it. Null: the node does not have it. Throws as fetchReceipt does. */
export async function fetchWithReceipt(
  client: RpcClient,
  txHash: string,
): Promise<{ readonly transaction: Fields | null; readonly receipt: Fields | null }> {
  const [transaction, receipt] = await client.batch([
    { method: "eth_getTransactionByHash", params: [txHash] },
    { method: "eth_getTransactionReceipt", params: [txHash] },
  ]);
  const named = transaction === null ? null : parseFields("a transaction", transaction);
  if (named !== null) checkNamed("the transaction", named.hash, txHash);
  return { transaction: named, receipt: readReceipt(receipt, txHash) };
}

export function readReceipt(answer: unknown, txHash: string): Fields | null {
  if (answer === null) return null;
  const receipt = parseFields("a receipt", answer);
  checkNamed("the receipt", receipt.transactionHash, txHash);
  return receipt;
}
