import { parseJsonWithSource } from "#lib/platform/exact-json.ts";
import { NodeError } from "../network.ts";
import type { NodeClient } from "../node-client.ts";

/** An answer of java-tron's own HTTP API. */
export interface TronApiAnswer {
  /** JSON, in which an `amount` (int64) is the text that it was written as: no money passes through a float. */
  readonly value: object;
  /** The answer as it was sent. */
  readonly text: string;
}

/** How java-tron (and TronGrid before it) says that our requests are too many. */
const LIMITED = /lack of computing resources|frequency limit|rate limit|too many requests/i;

/**
 * Asks java-tron's HTTP API (/wallet, beside /jsonrpc; tronprotocol/documentation-en, "HTTP API"), which tells what its
 * JSON-RPC does not know. Every failure is a NodeError; an object of nothing is an answer: there is no such thing.
 */
export async function callTronApi(
  line: NodeClient,
  call: string,
  request: Readonly<Record<string, unknown>>,
): Promise<TronApiAnswer> {
  const { status, text } = await line.post(JSON.stringify(request), 1, `wallet/${call}`);
  let value: unknown;
  try {
    value = parseAmountsAsText(text);
  } catch (cause) {
    throw new NodeError("malformed", `${line.name} answered ${status} with something not JSON`, { cause });
  }
  if (typeof value !== "object" || value === null) {
    throw new NodeError("malformed", `${line.name} answered ${call} with no object`);
  }
  const error =
    "Error" in value ? String(value.Error).slice(0, 200) : status === 200 ? null : `HTTP ${status}`;
  if (error === null) return { value, text };
  const said = `${line.name} refused ${call}: ${error}`;
  throw LIMITED.test(error) ? line.rateLimitError(said) : new NodeError("refused", said);
}

function parseAmountsAsText(text: string): unknown {
  return parseJsonWithSource(text, (name, value, { source }) =>
    name === "amount" && typeof value === "number" ? source : value,
  );
}
