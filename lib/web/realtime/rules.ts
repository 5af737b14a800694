/** A link's refid: 22 base58 characters. */
const REFID = /^[1-9A-HJ-NP-Za-km-z]{22}$/;

export function isRefid(value: unknown): value is string {
  return typeof value === "string" && REFID.test(value);
}

/** Is this address of a request the socket's? With or without a slash at its end, whatever is asked of it. */
export function isRealtimePath(url: string): boolean {
  return /^\/realtime\/?(?:\?|$)/.test(url);
}

/**
 * May a request with this Origin act on our pages? A browser names the origin of whoever sends it; a program that
 * names none carries nobody's authority. `null` (a sandboxed frame, a file) is foreign.
 */
export function isOriginAllowed(
  origin: string | undefined,
  own: { readonly publicOrigins: readonly string[]; readonly host: string | undefined },
): boolean {
  if (origin === undefined) return true;
  if (own.publicOrigins.includes(origin)) return true;
  if (!URL.canParse(origin) || own.host === undefined) return false;
  // As a browser writes it: no user, no path, nothing in capitals.
  const url = new URL(origin);
  return url.origin === origin && url.host === own.host;
}

/** What a page says: the networks that matter to it by name, and those of them that it says cannot be seen. */
export interface PageWatchStatus {
  readonly networks: readonly string[];
  readonly unwatched: readonly string[];
}

/** Does a page say something else of its networks than the server, which names those that cannot be seen? */
export function watchStatusDiffers(page: PageWatchStatus, told: readonly string[]): boolean {
  return page.networks.some((name) => page.unwatched.includes(name) !== told.includes(name));
}

/** The header of a version's answer that names the networks which cannot be seen, by commas; absent: nobody knows yet. */
export const UNWATCHED_HEADER = "x-paylink-unwatched";

/** Pages that are asked to draw themselves anew in one second: less than what a core can draw. */
const RENEWALS_A_SECOND = 40;

/** Over how many milliseconds so many pages are to spread: a power of two of seconds, for how many there are is not said. */
export function spreadMsFor(pages: number): number {
  return 1_000 * 2 ** Math.max(0, Math.ceil(Math.log2(pages / RENEWALS_A_SECOND)));
}

/** What a notification on `paylink_links` says ("<refid>:<version>"), or null when it is none of ours. */
export function parseLinkChange(payload: string): { refid: string; version: number } | null {
  const match = /^([^:]+):([0-9]{1,15})$/.exec(payload);
  const refid = match?.[1];
  if (match === null || !isRefid(refid)) return null;
  return { refid, version: Number(match[2]) };
}
