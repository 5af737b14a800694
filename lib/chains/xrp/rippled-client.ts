import { type HttpAnswer, isLimitError } from "../http-answer.ts";
import { quote } from "../json-rpc.ts";
import type { NodeClient } from "../node-client.ts";
import { NodeError } from "../node-error.ts";

export type RippledAnswer = Readonly<Record<string, unknown>>;

/**
 * The JSON-RPC of an XRP Ledger server (rippled, or Clio in front of it). Results are unchecked: answers.ts
 * parses them.
 */
export interface RippledClient {
  /** The server's name for logs. */
  readonly name: string;
  /**
   * The result of one request. Null: the server answered with one of the errors in `absent`. Every failure
   * is a NodeError.
   */
  ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    absent?: readonly string[],
  ): Promise<RippledAnswer | null>;
  /** The same, but an error in `kept` is returned as the server sent it, with its `error` and what explains it. */
  askKeepingError(
    method: string,
    params: Readonly<Record<string, unknown>>,
    kept: readonly string[],
  ): Promise<RippledAnswer>;
}

/**
 * Field names differ between API versions (Amount and DeliverMax, tx and tx_json), so the version is
 * requested explicitly.
 */
const API_VERSION = 2;

/** The server reports too many requests, or that it is too busy. */
const LIMITED: ReadonlySet<string> = new Set(["slowDown", "tooBusy"]);

/** The server does not have the requested ledgers, or not yet (xrpl.org, account_tx and ledger). */
const NOT_HELD: ReadonlySet<string> = new Set([
  "lgrIdxMalformed",
  "lgrIdxsInvalid",
  "invalidLgrRange",
  "lgrNotFound",
  "lgrNotValidated",
  "notSynced",
]);

export function openRippledClient(line: NodeClient): RippledClient {
  const askKeepingError: RippledClient["askKeepingError"] = async (method, params, kept) => {
    const body = { jsonrpc: "2.0", id: 0, method, params: [{ ...params, api_version: API_VERSION }] };
    const result = readResult(line, await line.post(JSON.stringify(body), 1));
    if (result.status === "success") return result;
    const code = typeof result.error === "string" ? result.error : null;
    if (code === null) throw new NodeError("malformed", `${line.name} answered ${method} with no status`);
    if (kept.includes(code)) return result;
    const said = `${line.name} refused ${method}: ${code.slice(0, 100)}`;
    if (LIMITED.has(code)) throw line.rateLimitError(said);
    throw new NodeError(NOT_HELD.has(code) ? "inconsistent" : "refused", said);
  };
  return {
    name: line.name,
    askKeepingError,
    async ask(method, params, absent = []) {
      const result = await askKeepingError(method, params, absent);
      return result.status === "success" ? result : null;
    },
  };
}

function readResult(line: NodeClient, received: HttpAnswer): RippledAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(received.text);
  } catch (cause) {
    throw line.refusal(received, cause);
  }
  const { result, error } = Object(answer) as { result?: unknown; error?: unknown };
  // Not rippled's format. Proxies of hosted servers answer like this.
  if (error !== undefined && error !== null) {
    const fields = typeof error === "object" ? (error as Record<string, unknown>) : { message: error };
    const said = `${line.name} refused a request: ${quote(line, fields)}`;
    throw isLimitError(fields) ? line.rateLimitError(said) : new NodeError("refused", said);
  }
  if (typeof result !== "object" || result === null || Array.isArray(result)) {
    throw new NodeError("malformed", `${line.name} answered without a result`);
  }
  return result as RippledAnswer;
}
