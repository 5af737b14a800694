import { isIP } from "node:net";

/** Where an Electrum server listens. */
export interface ServerUrl {
  readonly host: string;
  readonly port: number;
  readonly encrypted: boolean;
}

const SCHEME = /^electrum\+(tls|tcp):\/\//i;

/** Returns whether a node's URL names an Electrum server. */
export function isElectrumUrl(url: string): boolean {
  return SCHEME.test(url);
}

/**
 * Parses electrum+tls://host:50002 and electrum+tcp://127.0.0.1:50001. Null: not such a URL, or one without encryption
 * to a host outside the private network.
 */
export function parseElectrumUrl(text: string): ServerUrl | null {
  if (!SCHEME.test(text)) return null;
  const address = text.replace(SCHEME, "http://");
  if (!URL.canParse(address)) return null;
  const { hostname, port, pathname, username, password, search, hash } = new URL(address);
  const extra = pathname !== "/" || username || password || search || hash;
  if (extra || port === "") return null;
  const host = hostname.replace(/^\[|\]$/g, "");
  const encrypted = /^electrum\+tls:/i.test(text);
  if (!encrypted && !isPrivateHost(host)) return null;
  return { host, port: Number(port), encrypted };
}

/** Loopback, private and link-local addresses, and names without a dot (of compose, for example). */
export function isPrivateHost(host: string): boolean {
  if (isIP(host) === 6) return host === "::1" || /^f[cd]|^fe[89ab]/i.test(host);
  if (isIP(host) === 4) return /^(127|10|192\.168|169\.254|172\.(1[6-9]|2[0-9]|3[01]))\./.test(host);
  return !host.includes(".") || /\.(local|internal|localhost)$/i.test(host);
}
