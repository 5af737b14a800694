import { checkNamed, parseFields } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { TransactionStatus } from "../transactions.ts";
import { parseEvmHash, parseQuantity } from "./codec.ts";
import { fetchChainHeaders } from "./headers.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The receipt of a transaction. Null: the node has none. Throws NodeError where it is another transaction's. */
export async function fetchReceipt(client: RpcClient, txHash: string): Promise<Fields | null> {
  return readReceipt(await client.call("eth_getTransactionReceipt", [txHash]), txHash);
}

/** Whether the node has this transaction, in a block or waiting. Throws as fetchReceipt does. */
export async function hasTransaction(client: RpcClient, txHash: string): Promise<boolean> {
  return readTransaction(await client.call("eth_getTransactionByHash", [txHash]), txHash) !== null;
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
  return { transaction: readTransaction(transaction, txHash), receipt: readReceipt(receipt, txHash) };
}

function readTransaction(answer: unknown, txHash: string): Fields | null {
  if (answer === null) return null;
  const transaction = parseFields("a transaction", answer);
  checkNamed("the transaction", transaction.hash, txHash);
  return transaction;
}

export function readReceipt(answer: unknown, txHash: string): Fields | null {
  if (answer === null) return null;
  const receipt = parseFields("a receipt", answer);
  checkNamed("the receipt", receipt.transactionHash, txHash);
  return receipt;
}

/** See Transactions.fetchStatus. A receipt counts only if its block is the chain's. */
export async function fetchEvmTransactionStatus(
  client: RpcClient,
  txHash: string,
): Promise<TransactionStatus> {
  const receipt = await fetchReceipt(client, txHash);
  if (receipt === null) return { kind: (await hasTransaction(client, txHash)) ? "pending" : "unknown" };
  const { status, blockNumber, blockHash } = receipt;
  const height = parseQuantity("a receipt's block", blockNumber);
  const hash = parseEvmHash("a receipt's block hash", blockHash);
  const [header] = await fetchChainHeaders(client, [height]);
  if (header?.hash !== hash) return { kind: "pending" };
  if (parseQuantity("a receipt's status", status) !== 1) return { kind: "failed" };
  return { kind: "confirmed", blockHeight: height, blockHash: hash };
}
