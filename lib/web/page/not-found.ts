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
import { answerPlainText } from "#lib/web/plain-http.ts";
import { requestCsp } from "./headers.ts";
import { type Embedding, NOT_FOUND_PATH } from "./route.ts";

/** In a kept page, where each response has a nonce of its own. The policy of no response allows it. */
const NONCE_PLACE = "place-of-the-nonce";
/** Headers of Next's response that a kept page has too. */
const KEPT_HEADERS = ["content-type", "vary"] as const;
/** A rendering takes about 30 ms. */
const RENDER_LIMIT_MS = 10_000;

/** The values that the page depends on. All are from fixed sets, so that visitors cannot make us keep more pages. */
interface Variant extends Embedding {
  readonly language: LanguageCode;
  /** True for an unknown page of the console. */
  readonly isConsole: boolean;
}

interface KeptPage {
  readonly headers: readonly (readonly [string, string])[];
  /** The HTML, split where the nonce belongs. */
  readonly parts: readonly string[];
}

/**
 * Returns a function that answers with Next's not-found page. Next renders it once per variant, from a request with
 * nothing of a visitor in it. If each request rendered it, anyone who guesses links would make others wait.
 */
export function notFoundPages(
  page: RequestListener,
  log: Logger,
): (response: ServerResponse, nonce: string, variant: Variant) => Promise<void> {
  const kept = new Map<string, Promise<KeptPage | null>>();
  return async (response, nonce, variant) => {
    const key = JSON.stringify([variant.language, variant.parent, variant.theme, variant.isConsole]);
    const rendering =
      kept.get(key) ??
      render(page, variant).catch((error) => {
        // The next request tries again.
        kept.delete(key);
        log.error({ err: error }, "cannot render the page for unknown links");
        return null;
      });
    kept.set(key, rendering);
    const found = await rendering;
    if (found === null) return answerPlainText(response, 404, "not found");
    response.statusCode = 404;
    response.setHeader("cache-control", "no-store");
    for (const [name, value] of found.headers) response.setHeader(name, value);
    response.end(found.parts.join(nonce));
  };
}

/** Asks Next over a connection in memory. Throws if it does not answer with its not-found page. */
async function render(
  page: RequestListener,
  { language, parent, theme, isConsole }: Variant,
): Promise<KeptPage> {
  const [clientEnd, serverEnd] = duplexPair();
  createServer(page).emit("connection", serverEnd);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = get({
      path: NOT_FOUND_PATH,
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
  if (response.statusCode !== 404) throw new Error(`the page answered ${response.statusCode}, not 404`);
  return {
    headers: KEPT_HEADERS.flatMap((name) => {
      const value = response.headers[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
    parts,
  };
}
