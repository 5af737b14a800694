import type { ServerResponse } from "node:http";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";

/** What has words in it: pages, the parts of them that Next fetches, pictures of shared links. Scripts have none. */
const WORDED = /^(?:text\/html|text\/x-component|image\/png)/;

/**
 * Says in which language an answer is, and tells caches that it depends on the visitor's. Next writes its own Vary over
 * any set before, so ours is added as the head goes out.
 */
export function setLanguageHeaders(response: ServerResponse, language: LanguageCode): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (!response.headersSent && WORDED.test(String(response.getHeader("content-type") ?? ""))) {
      response.setHeader("content-language", language);
      response.appendHeader("vary", "accept-language");
    }
    return writeHead(...head);
  };
}
