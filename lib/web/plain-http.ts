import type { ServerResponse } from "node:http";

/** Answers with one line of text, which nobody keeps. */
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

/** Segments that lead up, or nowhere, plain or encoded. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/** What a request asks for, as far as it can be judged before anybody reads it. */
export interface RequestLine {
  readonly url?: string | undefined;
  /** As they came: name, value, name, value. */
  readonly rawHeaders: readonly string[];
}

/**
 * Is this a request that proxies and rooms all read alike? Its target is a path of this server: no other server's URL,
 * no `*`, nothing that leads up. It names one host at most.
 */
export function isPlainRequest({ url = "", rawHeaders }: RequestLine): boolean {
  const path = url.split("?", 1)[0] ?? "";
  if (!path.startsWith("/") || path.startsWith("//") || path.includes("\\") || DOTS.test(path)) return false;
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === "host").length <= 1;
}

/** What a browser says of where a form comes from. */
export interface FormSender {
  readonly origin: string | undefined;
  readonly site: string | undefined;
}

/** A form without an Origin is a program's; or a browser's that says in Sec-Fetch-Site that it is another site's. */
export function hidesOrigin({ origin, site }: FormSender): boolean {
  return origin === undefined && site !== undefined && site !== "same-origin" && site !== "none";
}
