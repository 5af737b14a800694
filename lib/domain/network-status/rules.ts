/** A watcher error is reported after this time. Most errors are a single failed answer of a node. */
const ERROR_MS = 10_000;
/** The longest time without a complete pass: this or UNWATCHED_POLLS poll intervals, whichever is longer. */
const UNWATCHED_MS = 60_000;
const UNWATCHED_POLLS = 20;

/** True if a network's watcher has an error for more than ERROR_MS, or has not completed a pass for too long. */
export function isUnwatched(
  watcher: { readonly passStartedAt: Date | null; readonly watchError: string | null },
  pollMs: number,
  now: Date,
): boolean {
  if (watcher.passStartedAt === null) return true;
  const age = now.getTime() - watcher.passStartedAt.getTime();
  return age > (watcher.watchError === null ? Math.max(UNWATCHED_MS, UNWATCHED_POLLS * pollMs) : ERROR_MS);
}

/** A network's name for pages and their socket, for example "test:bep20". */
export function qualifiedNetworkName(env: string, network: string): string {
  return `${env}:${network}`;
}

/** The name, for pages and their socket, of the network whose finality is late: "test:bep20:late". */
export function lateNetworkName(env: string, network: string): string {
  return `${qualifiedNetworkName(env, network)}:late`;
}
