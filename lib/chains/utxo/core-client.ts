import { parseExactJson } from "#lib/platform/exact-json.ts";
import { type JsonRpcAnswer, type JsonRpcCall, postCalls } from "../json-rpc.ts";
import { type NodeClient, openNodeClient } from "../node-client.ts";
import { NodeError } from "../node-error.ts";

export type CoreCall = JsonRpcCall;

/** The node's answer to one call of a batch. `error` is the node's own answer, not a failed request. */
export type CoreAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string };

/** One node. All failures are NodeErrors. */
export interface CoreNode {
  /** Answers in the order of the calls, with as few requests as the node's limits allow. */
  batch(calls: readonly CoreCall[]): Promise<readonly CoreAnswer[]>;
  /** The calls that one request holds. A longer batch is sent in several. */
  batchSize(): number;
  /** Throws NodeError("refused") when the node answers with an error. */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
}

/** Error codes of Core's protocol. */
export const NOT_FOUND = -5;
export const OUT_OF_RANGE = -8;
export const METHOD_NOT_FOUND = -32_601;
const WARMING_UP = -28;

/** A block of 4 MB takes time. */
export const TIMEOUT_MS = 30_000;

/** Opens a node with Core's JSON-RPC. User and password are in the URL. Logs contain only its host. */
export function openCoreNode(url: string, timeoutMs = TIMEOUT_MS): CoreNode {
  return openCoreClient(openNodeClient(url, { timeoutMs, perSecond: 0 }));
}

/** The same, with the HTTP client of a pool. */
export function openCoreClient(line: NodeClient): CoreNode {
  const batch = async (calls: readonly CoreCall[]) =>
    (await postCalls(line, calls, parse)).map((answer) => readAnswer(line, answer));
  return {
    batch,
    batchSize: () => line.batchSize(),
    async call(method, params = []) {
      const [answer] = await batch([{ method, params }]);
      return getResult(answer, method);
    },
  };
}

/** Returns the result. Throws NodeError("refused") with the node's message. */
export function getResult(answer: CoreAnswer | undefined, method: string): unknown {
  if (answer?.ok) return answer.result;
  throw new NodeError(
    "refused",
    `the node refused ${method}: ${answer?.message ?? "no answer"} (${answer?.code})`,
  );
}

/** An amount so large that a float may change it. Not searched in answers as long as blocks. */
const LARGE_AMOUNT = /[0-9]{8}\.[0-9]{8}/;
const LONG_ANSWER = 1_000_000;

/** Dogecoin's amounts are passed on as the node wrote them. */
function parse(text: string): unknown {
  return text.length > LONG_ANSWER || !LARGE_AMOUNT.test(text) ? JSON.parse(text) : parseExactJson(text);
}

function readAnswer({ name, hide }: NodeClient, answer: JsonRpcAnswer): CoreAnswer {
  if (answer.ok) return answer;
  const { code, message } = answer.error;
  const text = hide(String(message ?? "no reason given")).slice(0, 200);
  if (code === WARMING_UP) throw new NodeError("unreachable", `${name} is starting: ${text}`);
  if (typeof code !== "number") throw new NodeError("malformed", `${name} answered an error without a code`);
  return { ok: false, code, message: text };
}
