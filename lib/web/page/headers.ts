import type { ServerResponse } from "node:http";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { random128Bits } from "#lib/platform/random-128-bits.ts";

/** A new nonce. Each request has its own. */
export function newNonce(): string {
  return random128Bits().toString("base64");
}

interface PageHeaderOptions {
  /** Allows what Next's dev server needs: eval and inline styles. */
  readonly dev: boolean;
  /** URL of the relay that the page may connect to; absent or null: none. */
  readonly relayUrl?: string | null;
  /** The origin to which the page may send a form, besides its own; absent or null: none. */
  readonly formOrigin?: string | null;
}

/** The policy of every page. `frameAncestors` are the origins that may frame it, in addition to its own. null: no page may. */
function contentSecurityPolicy(
  nonce: string,
  { dev, relayUrl, formOrigin }: PageHeaderOptions,
  frameAncestors: readonly string[] | null,
): string {
  return [
    "default-src 'none'",
    // strict-dynamic lets Next's scripts load their chunks. Browsers without it use 'self'.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${relayUrl ? ` ${new URL(relayUrl).origin}` : ""}`,
    "manifest-src 'self'",
    `form-action 'self'${formOrigin ? ` ${formOrigin}` : ""}`,
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors === null ? "'none'" : ["'self'", ...frameAncestors].join(" ")}`,
  ].join("; ");
}

/**
 * The `content-security-policy` header of a request to Next, which reads the nonce from it and adds it to its scripts.
 * It replaces the visitor's header on every request, so that no visitor can choose the nonce.
 */
export function requestCsp(nonce: string, options: PageHeaderOptions): string {
  return contentSecurityPolicy(nonce, options, []);
}

/** Response headers of every page. */
export function pageHeaders(
  nonce: string,
  options: PageHeaderOptions & {
    readonly frameAncestors?: readonly string[] | null;
    /** The address of the page is a secret: no link reveals anything of it. */
    readonly isSecret?: boolean;
  },
): Record<string, string> {
  return {
    "content-security-policy": contentSecurityPolicy(
      nonce,
      options,
      options.frameAncestors === undefined ? [] : options.frameAncestors,
    ),
    // With no-referrer, a form without JavaScript sends `Origin: null`, which only start-web.ts accepts for a secret page.
    "referrer-policy": options.isSecret ? "no-referrer" : "strict-origin",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex, nofollow",
    "permissions-policy": "clipboard-write=(self), camera=(), microphone=(), geolocation=(), payment=()",
  };
}

/** Content types with translated text: pages, their parts that Next fetches, and preview pictures. */
const TRANSLATED = /^(?:text\/html|text\/x-component|image\/png)/;

/**
 * Sets the language of a response, and `Vary` for caches. Next overwrites a `Vary` header that was set before, so that
 * it is appended when the head is written.
 */
export function setLanguageHeaders(response: ServerResponse, language: LanguageCode): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (!response.headersSent && TRANSLATED.test(String(response.getHeader("content-type") ?? ""))) {
      response.setHeader("content-language", language);
      response.appendHeader("vary", "accept-language");
    }
    return writeHead(...head);
  };
}
