import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isPublicAddress } from "#lib/platform/http/ip-ranges.ts";
import { parseRetryAfter } from "#lib/platform/http/retry-after.ts";
import { NodeError } from "./network.ts";
import { type CallBudget, callsAtOnce, openBudget, slowDown, spend } from "./node-rules.ts";

/** HTTP access to one node, with its password and rate limits. Every failure is a NodeError. */
export interface NodeClient {
  /** A name for logs. Hosted nodes have their key in the URL's path, so it is only the host. */
  readonly name: string;
  /**
   * Posts JSON with this many calls, once the call budget allows it. `path` replaces the last part of the
   * node's URL.
   */
  post(
    body: string,
    calls: number,
    path?: string,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** The number of calls that one request may hold. */
  batchSize(): number;
  /** Halves the batch size after the node found a request of this many calls too large. */
  shrinkBatch(size: number): void;
  /** Slows down, and returns the error for an answer that says our requests are too many. */
  rateLimitError(message: string): NodeError;
  /** The same client, whose requests are aborted by the signal. */
  withSignal(stopping: AbortSignal | undefined): NodeClient;
}

export interface NodeClientOptions {
  readonly timeoutMs: number;
  /** Calls a second. 0: no limit. Null: as getDefaultCallRate decides. */
  readonly perSecond?: number | null;
  /** Called for each request, before it is sent. */
  readonly onRequest?: () => void;
}

/** Calls a second for a hosted node: what free plans allow. */
const HOSTED_BUDGET = 25;
const LARGEST_BATCH = 1_000;

export function openNodeClient(
  text: string,
  { timeoutMs, perSecond = null, onRequest }: NodeClientOptions,
): NodeClient {
  const { url, headers, name } = parseUrl(text);
  const granted = perSecond === 0 ? Number.POSITIVE_INFINITY : (perSecond ?? getDefaultCallRate(url));
  let budget: CallBudget = openBudget(granted, performance.now());
  let largest = LARGEST_BATCH;
  const limited = (message: string, retryAfterMs = 0) => {
    budget = slowDown(budget, performance.now());
    return new NodeError("rate_limited", message, { retryAfterMs });
  };
  const post = async (body: string, calls: number, path: string, stopping: AbortSignal | undefined) => {
    const taken = spend(budget, calls, performance.now());
    budget = taken.budget;
    onRequest?.();
    let response: Response;
    let answer: string;
    try {
      if (taken.waitMs > 0) await delay(taken.waitMs, undefined, stopping && { signal: stopping });
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout;
      response = await fetch(resolveSibling(url, path), {
        method: "POST",
        headers,
        body,
        redirect: "error",
        signal,
      });
      answer = await response.text();
    } catch (cause) {
      throw new NodeError("unreachable", `${name} does not answer`, { cause });
    }
    const asked = response.headers.get("retry-after");
    if (response.status === 429 || (response.status === 503 && asked !== null)) {
      throw limited(`${name} limits our requests`, parseRetryAfter(asked, Date.now()));
    }
    return { status: response.status, text: answer };
  };
  const line = (stopping: AbortSignal | undefined): NodeClient => ({
    name,
    post: (body, calls, path = "") => post(body, calls, path, stopping),
    batchSize: () => Math.min(largest, callsAtOnce(budget)),
    shrinkBatch(size) {
      largest = Math.max(1, Math.floor(size / 2));
    },
    rateLimitError: limited,
    withSignal: line,
  });
  return line(undefined);
}

/** "wallet/x" next to "https://host/key/jsonrpc" is "https://host/key/wallet/x". */
function resolveSibling(text: string, path: string): string {
  if (path === "") return text;
  const url = new URL(text);
  url.pathname = url.pathname.replace(/[^/]*\/*$/, path);
  return url.href;
}

/** User and password go into a header, because fetch rejects URLs that contain them. */
function parseUrl(text: string): { url: string; headers: Record<string, string>; name: string } {
  const url = new URL(text);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (url.username !== "" || url.password !== "") {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(user).toString("base64")}`;
    url.username = "";
    url.password = "";
  }
  return { url: url.href, headers, name: url.host };
}

/** Calls a second. No limit for a node on this machine or in a private network: it is the operator's own. */
export function getDefaultCallRate(url: string): number {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const own = isIP(host)
    ? !isPublicAddress(host)
    : !host.includes(".") || /\.(localhost|local|internal|lan)$/.test(host);
  return own ? Number.POSITIVE_INFINITY : HOSTED_BUDGET;
}
