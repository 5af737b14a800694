/** True for the path of the socket, with or without a final slash or a query. */
export function isRealtimePath(url: string): boolean {
  return /^\/realtime\/?(?:\?|$)/.test(url);
}

/**
 * True if a request with this Origin header may act on our pages. Browsers always send the header. A program may omit
 * it, because it has no cookies or other authority of a user. `null` (a sandboxed frame, a file) is foreign.
 */
export function isOriginAllowed(
  origin: string | undefined,
  own: { readonly publicOrigins: readonly string[]; readonly host: string | undefined },
): boolean {
  if (origin === undefined) return true;
  if (own.publicOrigins.includes(origin)) return true;
  if (!URL.canParse(origin) || own.host === undefined) return false;
  // The exact form that a browser sends: no user, no path, no capital letters.
  const url = new URL(origin);
  return url.origin === origin && url.host === own.host;
}

/** The names of the networks that a page depends on, each also as late (lateNetworkName), and those that it mentions. */
export interface PageWatchStatus {
  readonly networks: readonly string[];
  readonly unwatched: readonly string[];
}

/** True if the page shows a different watch status of its networks than the server reports. */
export function watchStatusDiffers(page: PageWatchStatus, reported: readonly string[]): boolean {
  return page.networks.some((name) => page.unwatched.includes(name) !== reported.includes(name));
}

/** Response header with the unwatched networks, separated by commas. Absent while the server does not know them yet. */
export const UNWATCHED_HEADER = "x-paylink-unwatched";

/** Request header of HEAD: only whether pages can be rendered now is asked. */
export const ANSWERS_HEADER = "x-paylink-answers";

/** How many pages may refresh per second. One core renders more than this. */
const REFRESHES_PER_SECOND = 40;

/** Over how many milliseconds the refreshes of `pages` pages are spread: a power of two of seconds. */
export function spreadMsFor(pages: number): number {
  return 1_000 * 2 ** Math.max(0, Math.ceil(Math.log2(pages / REFRESHES_PER_SECOND)));
}
