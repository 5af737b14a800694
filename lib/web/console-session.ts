/** Name of a cookie of the console. With the prefix, browsers accept it only over https, for the whole host, and from no subdomain (RFC 6265bis). */
export function consoleCookieName(name: "session" | "challenge" | "draft", consoleUrl: string): string {
  return `${consoleUrl.startsWith("https:") ? "__Host-" : ""}paylink_${name}`;
}

/** The token of a session in a Cookie header (RFC 6265, section 4.2). "" without one. */
export function readSessionToken(cookies: string | undefined, consoleUrl: string): string {
  const start = `${consoleCookieName("session", consoleUrl)}=`;
  const found = cookies?.split("; ").find((cookie) => cookie.startsWith(start));
  return found?.slice(start.length) ?? "";
}
