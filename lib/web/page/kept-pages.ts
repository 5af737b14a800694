import {
  createServer,
  get,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import type { Logger } from "pino";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { answerPlainText, UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";
import { requestCsp } from "./headers.ts";
import { type Embedding, HOME_PATH, NOT_FOUND_PATH, STATUS_PATH } from "./route.ts";

/** In a kept page, where each response has a nonce of its own. The policy of no response allows it. */
const NONCE_PLACE = "place-of-the-nonce";
/** The pages that are rendered once for all visitors: their HTTP status, and for how long one rendering serves. */
const KEPT = {
  [NOT_FOUND_PATH]: { status: 404, keepMs: Number.POSITIVE_INFINITY },
  [HOME_PATH]: { status: 200, keepMs: Number.POSITIVE_INFINITY },
  [STATUS_PATH]: { status: 200, keepMs: 5_000 },
} as const;
export type KeptPath = keyof typeof KEPT;

/** Headers of Next's response that a kept page has too. */
const KEPT_HEADERS = ["content-type", "vary"] as const;
/** A rendering takes about 30 ms. */
const RENDER_LIMIT_MS = 10_000;

/** The values that the page depends on. All are from fixed sets, so that visitors cannot make us keep more pages. */
interface Variant extends Embedding {
  readonly path: KeptPath;
  readonly language: LanguageCode;
  /** True for an unknown page of the console. */
  readonly isConsole: boolean;
}

interface KeptPage {
  readonly headers: readonly (readonly [string, string])[];
  /** The HTML, split where the nonce belongs. */
  readonly parts: readonly string[];
}

/** The kept page at a path, which may have a query. null: each request renders that page. */
export function findKeptPath(path: string): KeptPath | null {
  const [bare = ""] = path.split("?", 1);
  return Object.hasOwn(KEPT, bare) ? (bare as KeptPath) : null;
}

/**
 * Returns a function that answers with a kept page. Next renders it once per variant, from a request with nothing of a visitor in it. If
 * each request rendered it, anyone who guesses links or reloads the page would make others wait.
 */
export function keptPages(
  page: RequestListener,
  log: Logger,
  now: () => number = () => performance.now(),
): (response: ServerResponse, nonce: string, variant: Variant) => Promise<void> {
  const kept = new Map<string, { readonly until: number; readonly rendering: Promise<KeptPage | null> }>();
  function renderAgain(key: string, variant: Variant) {
    const rendering = render(page, variant).catch((error) => {
      // The next request tries again.
      if (kept.get(key) === one) kept.delete(key);
      log.error({ err: error, path: variant.path }, "cannot render a page that is kept");
      return null;
    });
    const one = { until: now() + KEPT[variant.path].keepMs, rendering };
    kept.set(key, one);
    return one;
  }
  return async (response, nonce, asked) => {
    // No shop frames the other pages: fewer variants that anyone can have rendered.
    const variant = asked.path === NOT_FOUND_PATH ? asked : { ...asked, parent: null };
    const { path, language, parent, theme, isConsole } = variant;
    const { status } = KEPT[path];
    const key = JSON.stringify([path, language, parent, theme, isConsole]);
    const current = kept.get(key);
    const found = await (current !== undefined && now() < current.until ? current : renderAgain(key, variant))
      .rendering;
    if (found === null) return answerUnrendered(response, status);
    response.statusCode = status;
    response.setHeader("cache-control", "no-store");
    for (const [name, value] of found.headers) response.setHeader(name, value);
    response.end(found.parts.join(nonce));
  };
}

function answerUnrendered(response: ServerResponse, status: 200 | 404): void {
  if (status === 404) answerPlainText(response, 404, "not found");
  else
    answerPlainText(response, 503, "service unavailable", {
      "retry-after": String(UNAVAILABLE_RETRY_SECONDS),
    });
}

/** Asks Next over a connection in memory. Throws if it answers with another status. */
async function render(
  page: RequestListener,
  { path, language, parent, theme, isConsole }: Variant,
): Promise<KeptPage> {
  const [clientEnd, serverEnd] = duplexPair();
  createServer(page).emit("connection", serverEnd);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = get({
      path,
      headers: {
        // By default Next would take it from the connection, which has no address.
        "x-forwarded-for": "127.0.0.1",
        "content-security-policy": requestCsp(NONCE_PLACE, { dev: false }),
        "x-paylink-language": language,
        ...(isConsole && { "x-paylink-console": "on" }),
        ...(parent !== null && { "x-paylink-parent": parent }),
        ...(theme !== null && { "x-paylink-theme": theme }),
      },
      createConnection: () => clientEnd,
      signal: AbortSignal.timeout(RENDER_LIMIT_MS),
    });
    request.once("response", resolve).on("error", reject);
  });
  const parts = (await text(response)).split(NONCE_PLACE);
  const { status } = KEPT[path];
  if (response.statusCode !== status)
    throw new Error(`the page answered ${response.statusCode}, not ${status}`);
  return {
    headers: KEPT_HEADERS.flatMap((name) => {
      const value = response.headers[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
    parts,
  };
}
