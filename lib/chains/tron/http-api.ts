import { parseJsonWithSource } from "#lib/platform/exact-json.ts";
import type { NodeClient } from "../node-client.ts";
import { NodeError } from "../node-error.ts";
import { checkNamed } from "../parse-json.ts";
import type { TransactionRecord } from "../transactions.ts";

/** An answer of java-tron's own HTTP API. */
export interface TronApiAnswer {
  /** JSON in which an `amount` and a `callValue` (int64) keep their source text, so that no money passes through a float. */
  readonly value: object;
  /** The answer's source text. */
  readonly text: string;
}

/**
 * Calls java-tron's HTTP API (/wallet, next to /jsonrpc; tronprotocol/documentation-en, "HTTP API"), which
 * reports what the JSON-RPC does not. Every failure is a NodeError. An empty object is a valid answer: not
 * found.
 */
export async function callTronApi(
  line: NodeClient,
  call: string,
  request: Readonly<Record<string, unknown>>,
): Promise<TronApiAnswer> {
  const received = await line.post(JSON.stringify(request), 1, `wallet/${call}`);
  const { status, text } = received;
  let value: unknown;
  try {
    value = parseAmountsAsText(text);
  } catch (cause) {
    throw line.refusal(received, cause);
  }
  if (typeof value !== "object" || value === null) {
    throw new NodeError("malformed", `${line.name} answered ${call} with no object`);
  }
  const error =
    "Error" in value
      ? line.hide(String(value.Error)).slice(0, 200)
      : status === 200
        ? null
        : `HTTP ${status}`;
  if (error === null) return { value, text };
  throw new NodeError("refused", `${line.name} refused ${call}: ${error}`);
}

function parseAmountsAsText(text: string): unknown {
  return parseJsonWithSource(text, (name, value, { source }) =>
    (name === "amount" || name === "callValue") && typeof value === "number" ? source : value,
  );
}

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
  const transaction = await ask(line, { call: "gettransactionbyid", name: "txID" }, txHash);
  const info = await ask(line, { call: "gettransactioninfobyid", name: "id" }, txHash);
  if (transaction === null || info === null) return null;
  const json = `{"txid":${JSON.stringify(txHash)},"transaction":${transaction},"info":${info}}`;
  return { json, shownAs: "object" };
}

/** Null: the node's answer is an empty object. `name`: the field that names the transaction. */
async function ask(
  line: NodeClient,
  { call, name }: { readonly call: string; readonly name: string },
  value: string,
): Promise<Source | null> {
  const { value: answer, text } = await callTronApi(line, call, { value, visible: true });
  if (Array.isArray(answer)) {
    throw new NodeError("malformed", `${line.name} answered ${call} with no object`);
  }
  if (Object.keys(answer).length === 0) return null;
  checkNamed("the transaction", (answer as Record<string, unknown>)[name], value);
  return text;
}
