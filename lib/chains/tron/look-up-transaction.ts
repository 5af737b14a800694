import { NodeError, type TransactionRecord } from "../network.ts";
import type { NodeClient } from "../node-client.ts";
import { callTronApi } from "./http-api.ts";

/** Source text of a JSON object, so that no number passes through a float. */
type Source = string;

/**
 * Fetches a transaction in a block and its result from TRON's HTTP API. The JSON-RPC has neither its
 * contract call nor its energy.
 */
export async function fetchTronTransactionRecord(
  line: NodeClient,
  txHash: string,
): Promise<TransactionRecord | null> {
  const transaction = await ask(line, "gettransactionbyid", txHash);
  const info = await ask(line, "gettransactioninfobyid", txHash);
  if (transaction === null || info === null) return null;
  const json = `{"txid":${JSON.stringify(txHash)},"transaction":${transaction},"info":${info}}`;
  return { json, shownAs: "object" };
}

/** Null: the node's answer is an empty object. */
async function ask(line: NodeClient, call: string, value: string): Promise<Source | null> {
  const { value: answer, text } = await callTronApi(line, call, { value, visible: true });
  if (Array.isArray(answer)) {
    throw new NodeError("malformed", `${line.name} answered ${call} with no object`);
  }
  return Object.keys(answer).length === 0 ? null : text;
}
