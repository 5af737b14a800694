import type { ServerResponse } from "node:http";

/** When to ask again after a 503, in seconds. An open page also asks every five seconds. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/** Answers with one line of text that is not cached. */
export function answerPlainText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
  });
  response.end(`${text}\n`);
}

/** A dot, slash or backslash, encoded once or several times: some proxies decode a path twice. */
const ENCODED = /%(?:25)*(2e|2f|5c)/gi;
/** Path segments "." and "..". */
const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** The parts of a request that can be checked before its body is read. */
export interface RequestLine {
  readonly url?: string | undefined;
  /** As received: name, value, name, value. */
  readonly rawHeaders: readonly string[];
}

/**
 * True if proxies and this program read the request in the same way. Its target is a path of this server: no
 * URL of another server, no `*`, no backslashes or dot segments, encoded or not. It has at most one Host header.
 */
export function isPlainRequest({ url = "", rawHeaders }: RequestLine): boolean {
  const path = (url.split("?", 1)[0] ?? "").replace(ENCODED, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  if (!path.startsWith("/") || path.startsWith("//") || path.includes("\\") || DOTS.test(path)) return false;
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === "host").length <= 1;
}

/** The statement of a browser about the origin of a form. */
export interface FormSender {
  readonly origin: string | undefined;
  readonly site: string | undefined;
}

/**
 * True if a browser sends a form from another site without an Origin. A form with neither header comes from
 * a program.
 */
export function hidesOrigin({ origin, site }: FormSender): boolean {
  return origin === undefined && site !== undefined && site !== "same-origin" && site !== "none";
}
