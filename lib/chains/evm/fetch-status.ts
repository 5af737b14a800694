import type { RpcClient } from "../rpc-client.ts";
import type { TransactionStatus } from "../transactions.ts";
import { parseEvmHash, parseQuantity } from "./codec.ts";
import { fetchReceipt, hasTransaction } from "./fetch-receipt.ts";
import { fetchChainHeaders } from "./headers.ts";

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
