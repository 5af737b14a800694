import type { ServerResponse } from "node:http";

/**
 * Tells caches that an answer depends on the visitor's languages. Next writes its own Vary over any set before, so ours
 * is added as the head goes out.
 */
export function varyByLanguage(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (!response.headersSent) response.appendHeader("vary", "accept-language");
    return writeHead(...head);
  };
}
