import { parseExactJson } from "#lib/platform/exact-json.ts";
import { type JsonRpcAnswer, type JsonRpcCall, postCalls, quote } from "./json-rpc.ts";
import type { LearnedSizes } from "./learned-sizes.ts";
import type { NodeClient } from "./node-client.ts";
import { NodeError } from "./node-error.ts";

export interface RpcCall extends JsonRpcCall {
  /** Error codes that are valid answers, with the result of each. */
  readonly resultsByErrorCode?: ReadonlyMap<unknown, unknown>;
  /** Texts of errors that say that there is no such thing yet: the result is null. */
  readonly nullByErrorText?: RegExp;
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
  /** The sizes that the node refused as too large. */
  readonly sizes: LearnedSizes;
}

type Post = (calls: readonly RpcCall[]) => Promise<readonly JsonRpcAnswer[]>;

/** Every failure is a NodeError. */
export function openRpcClient(line: NodeClient): RpcClient {
  return openClient(line, (calls) => postCalls(line, calls, parse));
}

/**
 * As openRpcClient, for readers that ask at the same time: the calls of one turn of the event loop go out with one request. Each reader gets its
 * own answers or refusals. A request that fails fails for all of them.
 */
export function openJoiningClient(line: NodeClient): RpcClient {
  interface Waiting {
    readonly calls: readonly RpcCall[];
    readonly answered: PromiseWithResolvers<readonly JsonRpcAnswer[]>;
  }
  let waiting: Waiting[] = [];
  const send = async () => {
    const together = waiting;
    waiting = [];
    try {
      const answers = await postCalls(
        line,
        together.flatMap(({ calls }) => calls),
        parse,
      );
      let at = 0;
      for (const { calls, answered } of together) {
        answered.resolve(answers.slice(at, at + calls.length));
        at += calls.length;
      }
    } catch (error) {
      for (const { answered } of together) answered.reject(error);
    }
  };
  return openClient(line, (calls) => {
    if (calls.length === 0) return Promise.resolve([]);
    if (waiting.length === 0) setImmediate(() => void send());
    const answered = Promise.withResolvers<readonly JsonRpcAnswer[]>();
    waiting.push({ calls, answered });
    return answered.promise;
  });
}

function openClient(line: NodeClient, post: Post): RpcClient {
  const batch = async (calls: readonly RpcCall[]): Promise<readonly unknown[]> => {
    const answers = await post(calls);
    return answers.map((answer, i) => {
      const { method, resultsByErrorCode, nullByErrorText } = calls[i] ?? { method: "a request" };
      if (!answer.ok) {
        const { code, message } = answer.error;
        if (resultsByErrorCode?.has(code)) return resultsByErrorCode.get(code);
        if (nullByErrorText?.test(String(message))) return null;
        throw new NodeError("refused", `${line.name} refused ${method}: ${quote(line, answer.error)}`);
      }
      if (answer.result !== undefined) return answer.result;
      throw new NodeError("malformed", `${line.name} answered without a result`);
    });
  };
  return {
    batch,
    call: async (method, params = []) => (await batch([{ method, params }]))[0],
    sizes: line.sizes,
  };
}

function parse(text: string, calls: readonly RpcCall[]): unknown {
  return calls.some(({ exact }) => exact) ? parseExactJson(text) : JSON.parse(text);
}
