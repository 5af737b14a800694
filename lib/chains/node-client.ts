import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isPublicAddress } from "#lib/platform/http/ip-ranges.ts";
import { parseRetryAfter } from "#lib/platform/http/retry-after.ts";
import type { TokenBucket } from "#lib/platform/token-bucket.ts";
import { createSecretFilter } from "./hide-secrets.ts";
import {
  describeRefusal,
  type HttpAnswer,
  isLimitAnswer,
  isReadable,
  parseNamedWait,
  refusalLine,
} from "./http-answer.ts";
import { type LearnedSizes, LOG_SPAN, openLearnedSizes } from "./learned-sizes.ts";
import { NodeError } from "./node-error.ts";
import {
  accept,
  type CallBudget,
  callsAtOnce,
  openBudget,
  openShare,
  slowDown,
  spend,
  spendShare,
} from "./node-rules.ts";
import { findProvider } from "./providers/find-provider.ts";
import type { Provider } from "./providers/provider.ts";

/** HTTP access to one node, with its password and rate limits. Every failure is a NodeError. */
export interface NodeClient {
  /** A name for logs. Hosted nodes have their key in the URL's path, so it is only the host. */
  readonly name: string;
  /** The hosted provider, if it is a known one. */
  readonly provider: Provider | null;
  /**
   * Posts JSON with this many calls, once the call budget allows it. `path` replaces the last part of the
   * node's URL, or is below its second URL.
   */
  post(body: string, calls: number, path?: string): Promise<HttpAnswer>;
  /** The number of calls that one request may hold. */
  batchSize(): number;
  /** The sizes that the node refused as too large. */
  readonly sizes: LearnedSizes;
  /**
   * Slows down, and returns the error for an answer that says our requests are too many. Waits as long as the
   * message says, if it does.
   */
  rateLimitError(message: string): NodeError;
  /** Returns the error for an answer that is not the node's: its text, without secrets, and what to do. */
  refusal(answer: HttpAnswer, cause?: unknown): NodeError;
  /** Replaces what is secret of the node's URL and headers. Every text of the node in an error goes through it. */
  hide(text: string): string;
  /** The same client, whose requests are aborted by the signal. */
  withSignal(stopping: AbortSignal | undefined): NodeClient;
  /**
   * The same client, which uses at most this part (above 0, up to 1) of the node's call rate, so that the rest
   * stays free for other work. All clients with the same share use it together.
   */
  withShare(share: number): NodeClient;
  /** The same client, which waits this long for an answer. For questions that take a node minutes. */
  withTimeout(timeoutMs: number): NodeClient;
}

export interface NodeClientOptions {
  readonly timeoutMs: number;
  /** Calls a second. 0: no limit. Null: as getDefaultCallRate decides. */
  readonly perSecond?: number | null;
  /** Sent with each request, for example a provider's key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where requests with a `path` go. Absent: next to the node's URL. */
  readonly walletUrl?: string | undefined;
  /** Called for each request, before it is sent. */
  readonly onRequest?: () => void;
}

/** Until when an answer is waited for. */
interface Waiting {
  readonly stopping: AbortSignal | undefined;
  readonly longestMs: number;
}

/** Calls a second for a hosted node: what free plans allow. */
const HOSTED_BUDGET = 25;
const LARGEST_BATCH = 1_000;
/** Statuses with which servers refuse a request for its size or form. Smaller requests may work. */
const MAYBE_TOO_LARGE: ReadonlySet<number> = new Set([400, 413, 414, 422]);

export function openNodeClient(
  text: string,
  { timeoutMs, perSecond = null, headers: extra = {}, walletUrl, onRequest }: NodeClientOptions,
): NodeClient {
  const { url, headers, name } = parseUrl(text, extra);
  const { "content-type": _, ...secretHeaders } = headers;
  const hide = createSecretFilter(walletUrl === undefined ? [text] : [text, walletUrl], secretHeaders);
  const { provider, granted, largestBatch, sizes } = readStartValues(url, perSecond);
  let budget: CallBudget = openBudget(granted, performance.now());
  const waitForShare = openShares(() => budget);
  let answered = false;
  const limited = (message: string, retryAfterMs = 0) => {
    answered = false;
    budget = slowDown(budget, performance.now());
    const waitMs = Math.max(retryAfterMs, parseNamedWait(message));
    return new NodeError("rate_limited", hide(message), { retryAfterMs: waitMs });
  };
  const refusal = (answer: HttpAnswer, cause?: unknown) => createRefusal({ name, hide }, answer, cause);
  const post = async (body: string, calls: number, path: string, { stopping, longestMs }: Waiting) => {
    // Known only now: the reader of an answer may find that it is a refusal.
    if (answered) budget = accept(budget);
    answered = false;
    const taken = spend(budget, calls, performance.now());
    budget = taken.budget;
    onRequest?.();
    let response: Response;
    let answer: string;
    try {
      if (taken.waitMs > 0) await delay(taken.waitMs, undefined, stopping && { signal: stopping });
      const timeout = AbortSignal.timeout(longestMs);
      const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout;
      response = await fetch(resolvePath(url, walletUrl, path), {
        method: "POST",
        headers,
        body,
        redirect: "error",
        signal,
      });
      answer = await response.text();
      answered = true;
    } catch (cause) {
      throw new NodeError("unreachable", `${name} does not answer`, { cause });
    }
    const received = { status: response.status, text: answer };
    if (isLimitAnswer(received)) {
      const { said } = describeRefusal(received);
      const asked = parseRetryAfter(response.headers.get("retry-after"), Date.now());
      throw limited(refusalLine(name, received.status, hide(said), "It limits our requests"), asked);
    }
    if (!isReadable(received) && !MAYBE_TOO_LARGE.has(received.status)) throw refusal({ ...received, path });
    return received;
  };
  const line = ({ stopping, longestMs }: Waiting, share: number): NodeClient => ({
    name,
    provider,
    async post(body, calls, path = "") {
      if (share < 1) await waitForShare(share, calls, stopping);
      return await post(body, calls, path, { stopping, longestMs });
    },
    batchSize: () => Math.min(largestBatch, callsAtOnce(budget, performance.now(), share)),
    sizes,
    rateLimitError: (message) => limited(message),
    refusal,
    hide,
    withSignal: (signal) => line({ stopping: signal, longestMs }, share),
    withShare: (part) => line({ stopping, longestMs }, part),
    withTimeout: (longer) => line({ stopping, longestMs: longer }, share),
  });
  return line({ stopping: undefined, longestMs: timeoutMs }, 1);
}

/** Returns the limits to begin with at this node. A known provider's free plan sets them. */
function readStartValues(url: string, perSecond: number | null) {
  const provider = findProvider(url);
  // An operator who sets the rate has another plan than the free one.
  const free = perSecond === null ? provider?.free : undefined;
  const largestBatch = free?.batch ?? LARGEST_BATCH;
  const sizes = openLearnedSizes();
  if (free?.logBlocks) sizes.shrink(LOG_SPAN, free.logBlocks);
  const granted = perSecond === 0 ? Number.POSITIVE_INFINITY : (perSecond ?? getDefaultCallRate(url));
  return { provider, granted, largestBatch, sizes };
}

function createRefusal(
  { name, hide }: Pick<NodeClient, "name" | "hide">,
  answer: HttpAnswer,
  cause: unknown,
) {
  const { kind, isPassing, said, advice } = describeRefusal(answer);
  return new NodeError(kind, refusalLine(name, answer.status, hide(said), advice), { cause, isPassing });
}

/** Waits until a share allows calls. Only then they count in the whole budget, so that nothing is reserved. */
function openShares(readBudget: () => CallBudget) {
  const shares = new Map<number, TokenBucket>();
  return async (share: number, calls: number, stopping: AbortSignal | undefined): Promise<void> => {
    const now = performance.now();
    const bucket = shares.get(share) ?? openShare(now);
    const taken = spendShare({ bucket, share }, readBudget(), calls, now);
    shares.set(share, taken.bucket);
    if (taken.waitMs > 0) await delay(taken.waitMs, undefined, stopping && { signal: stopping });
  };
}

/**
 * "wallet/x" next to "https://host/key/jsonrpc" is "https://host/key/wallet/x". With a URL of its own, which may end with
 * "/wallet", it is below that.
 */
function resolvePath(text: string, walletUrl: string | undefined, path: string): string {
  if (path === "") return text;
  const url = new URL(walletUrl ?? text);
  url.pathname =
    walletUrl === undefined
      ? url.pathname.replace(/[^/]*\/*$/, path)
      : `${url.pathname.replace(/\/+$/, "").replace(/\/wallet$/, "")}/${path}`;
  return url.href;
}

/** User and password go into a header, because fetch rejects URLs that contain them. */
function parseUrl(
  text: string,
  extra: Readonly<Record<string, string>>,
): { url: string; headers: Record<string, string>; name: string } {
  const url = new URL(text);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (url.username !== "" || url.password !== "") {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(user).toString("base64")}`;
    url.username = "";
    url.password = "";
  }
  return { url: url.href, headers: { ...headers, ...extra }, name: url.host };
}

/**
 * Calls a second: of a known provider those of its free plan, if fewer. No limit for a node on this machine or in a private network: it is the
 * operator's own.
 */
export function getDefaultCallRate(url: string): number {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const own = isIP(host)
    ? !isPublicAddress(host)
    : !host.includes(".") || /\.(localhost|local|internal|lan)$/.test(host);
  if (own) return Number.POSITIVE_INFINITY;
  return Math.min(HOSTED_BUDGET, findProvider(url)?.free.perSecond ?? HOSTED_BUDGET);
}
