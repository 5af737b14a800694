import { randomBytes } from "node:crypto";

/** A fresh nonce: one per request, never reused. */
export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

interface PageHeaderOptions {
  /** Next's dev server evaluates code, styles its overlay inline and reloads over its own socket. */
  readonly dev: boolean;
}

/** The policy of every page. `frameAncestors` are origins that may frame it besides its own. */
function contentSecurityPolicy(nonce: string, dev: boolean, frameAncestors: readonly string[]): string {
  return [
    "default-src 'none'",
    // strict-dynamic lets Next's own scripts load their chunks; the others do not understand it and use 'self'.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${["'self'", ...frameAncestors].join(" ")}`,
  ].join("; ");
}

/**
 * `content-security-policy` of the request as handed to Next, which reads the nonce out of it and puts it on its
 * scripts. It is overwritten on every request, so that nobody outside chooses a nonce.
 */
export function requestCsp(nonce: string, options: PageHeaderOptions): string {
  return contentSecurityPolicy(nonce, options.dev, []);
}

/** Headers of every answer of the payment page, lower-case names. */
export function pageHeaders(
  nonce: string,
  options: PageHeaderOptions & { readonly frameAncestors?: readonly string[] },
): Record<string, string> {
  return {
    "content-security-policy": contentSecurityPolicy(nonce, options.dev, options.frameAncestors ?? []),
    // Not no-referrer: with it the form without JavaScript sends `Origin: null` and is refused.
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex, nofollow",
    "permissions-policy": "clipboard-write=(self), camera=(), microphone=(), geolocation=(), payment=()",
  };
}
