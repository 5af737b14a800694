import type { Env } from "#lib/chains/network-data.ts";

export const MAX_REDIRECT_URL = 2_048;

/** True for an https URL without user info. In the test environment also for an http URL of the local machine. */
export function isRedirectUrl(text: string, env: Env): boolean {
  // new URL() repairs many malformed texts. The text itself is stored, so a text that needs repair is refused.
  const match = /^https?:\/\/([^/?#]+)/i.exec(text);
  if (match?.[1] === undefined || match[1].includes("@")) return false;
  if (/[\s\\\p{Cc}\p{Cs}]/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === "https:" || (env === "test" && isLoopback(url.hostname));
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    // new URL() writes every IPv4 address with four numbers.
    /^127(?:\.[0-9]{1,3}){3}$/.test(hostname)
  );
}
