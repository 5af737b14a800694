import { parseExactJson } from "#lib/platform/exact-json.ts";
import { NodeError } from "./network.ts";
import type { NodeClient } from "./node-client.ts";

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Error codes that are valid answers, with the result of each. */
  readonly resultsByErrorCode?: ReadonlyMap<unknown, unknown>;
  /** The result is passed on: its numbers keep their source text (see parseExactJson). */
  readonly exact?: boolean;
}

/** JSON-RPC to one node. Results are unchecked: each family parses them. */
export interface RpcClient {
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /**
   * Results in the order of the calls, with as few requests as the node's limits allow. Throws if one call
   * fails.
   */
  batch(calls: readonly RpcCall[]): Promise<readonly unknown[]>;
}

/** A batch that was refused as a whole. A smaller batch may work. */
class BatchRefused extends NodeError {}

/** Every failure is a NodeError. */
export function openRpcClient(line: NodeClient): RpcClient {
  const batch = async (calls: readonly RpcCall[]): Promise<readonly unknown[]> => {
    const results: unknown[] = [];
    while (results.length < calls.length) {
      const part = calls.slice(results.length, results.length + line.batchSize());
      try {
        results.push(...(await send(line, part)));
      } catch (error) {
        if (!(error instanceof BatchRefused) || part.length === 1) throw error;
        line.shrinkBatch(part.length);
      }
    }
    return results;
  };
  return {
    batch,
    call: async (method, params = []) => (await batch([{ method, params }]))[0],
  };
}

async function send(line: NodeClient, calls: readonly RpcCall[]): Promise<readonly unknown[]> {
  const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
  const { status, text } = await line.post(body, calls.length);
  if (status === 413) throw new BatchRefused("refused", `${line.name} finds the request too large`);
  let answer: unknown;
  try {
    answer = calls.some(({ exact }) => exact) ? parseExactJson(text) : JSON.parse(text);
  } catch (cause) {
    throw new NodeError("malformed", `${line.name} answered ${status} with something not JSON`, { cause });
  }
  return readAnswers(line, answer, calls);
}

function readAnswers(line: NodeClient, answer: unknown, calls: readonly RpcCall[]): readonly unknown[] {
  const entries = Array.isArray(answer) ? answer : [answer];
  const results = new Map<unknown, unknown>();
  for (const entry of entries) {
    if (typeof entry !== "object" || entry === null) {
      throw new NodeError("malformed", `${line.name} answered no JSON-RPC`);
    }
    const { id, result, error } = entry as { id?: unknown; result?: unknown; error?: unknown };
    const { resultsByErrorCode } = calls[Number(id)] ?? {};
    const code = (error as { code?: unknown } | null | undefined)?.code;
    if (resultsByErrorCode?.has(code)) {
      results.set(id, resultsByErrorCode.get(code));
      continue;
    }
    if (error !== undefined && error !== null) {
      const failure = refusal(line, error, calls[Number(id)]);
      const whole = !Array.isArray(answer) && calls.length > 1 && failure.kind === "refused";
      throw whole ? new BatchRefused("refused", failure.message) : failure;
    }
    if (result === undefined) throw new NodeError("malformed", `${line.name} answered without a result`);
    results.set(id, result);
  }
  return calls.map(({ method }, id) => {
    if (!results.has(id)) throw new NodeError("malformed", `${line.name} left ${method} unanswered`);
    return results.get(id);
  });
}

/**
 * How hosted nodes report in a valid answer that our requests are too many. Too many results is another
 * error.
 */
const LIMITED =
  /rate.?limit|too many requests|request limit|requests? per second|compute units|daily request/i;

function refusal(line: NodeClient, error: unknown, call: RpcCall | undefined): NodeError {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = String(message ?? "no reason given").slice(0, 200);
  const said = `${line.name} refused ${call?.method ?? "a request"}: ${text} (${String(code)})`;
  return code === 429 || LIMITED.test(text) ? line.rateLimitError(said) : new NodeError("refused", said);
}
