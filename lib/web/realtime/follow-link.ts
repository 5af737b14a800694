import { keepSocket } from "./keep-socket.ts";
import { onBecomingVisible } from "./on-becoming-visible.ts";
import { type PageWatchStatus, UNWATCHED_HEADER, watchStatusDiffers } from "./rules.ts";
import { timeoutSignal } from "./timeout-signal.ts";

/** The least time between a rendering and the next refresh: the page and the report may be one pass apart. */
const MIN_REFRESH_MS = 5_000;
/** Interval of the connection check. Without a connection, also the interval of the version requests. */
const CHECK_MS = 5_000;
/** Interval of the version requests with a connection. A notification can get lost. */
const CONNECTED_REQUEST_MS = 60_000;
/** Pages without a socket learn of unwatched networks within CHECK_MS. Their refreshes spread over this time. */
const SPREAD_MS = 30_000;
/** If the two clocks of a browser differ by more, the machine slept or its clock was set. */
const DRIFT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** A refresh that has not brought the newer version after this time has failed. */
const REFRESH_TIMEOUT_MS = 3_000;
/** After this many failed requests in a row the server counts as unreachable. */
const MAX_FAILURES = 2;

export interface LinkFollower {
  /** Refreshes without a newer version, because something on the page expires. */
  refreshNow(): void;
  /** Call it after each rendering. */
  rendered(): void;
  stop(): void;
}

export interface FollowLinkOptions {
  readonly refid: string;
  /** The page's address without a query. Default: the browser's location. */
  readonly page?: string;
  /** The version that the page shows. */
  shownVersion(): number;
  refresh(): void;
  /** The watch status that the page shows. */
  watchStatus(): PageWatchStatus;
  /** Called when the server becomes unreachable or reachable. */
  onContactChange(isReachable: boolean): void;
  /** Receives each connection of the socket before it opens. For measurements. */
  readonly onSocket?: (socket: WebSocket) => void;
}

/**
 * Browser side of the socket: follows a link's version, and calls `refresh` when the page shows an older one. A
 * notification only triggers a request for the version. `refresh` is called only directly after an answer of the
 * server: without a connection, the router would replace the page with the browser's error screen.
 */
export function followLink(options: FollowLinkOptions): LinkFollower {
  const page = options.page ?? pageAddress();
  const stopped = new AbortController();
  const { signal } = stopped;
  const watchStatus = followWatchStatus({
    watchStatus: options.watchStatus,
    refresh: () => void versions.request(true),
  });
  const versions = followVersions(options, page, signal, (unwatched) => {
    if (!socket.isConnected() && unwatched !== null) watchStatus.receive(unwatched, SPREAD_MS);
  });
  const socket = keepSocket({
    origin: new URL(page).origin,
    room: { refid: options.refid },
    signal,
    onEvent(name, ...values) {
      if (name === "version") versions.receive(values[0]);
      if (name === "unwatched") watchStatus.receive(values[0], values[1]);
    },
    onDisconnect: watchStatus.reset,
    onSocket: options.onSocket,
  });

  const hasSlept = trackClocks();
  const timer = setInterval(() => {
    const slept = hasSlept();
    if (slept || !socket.isConnected() || versions.isRequestDue()) void versions.request(slept);
  }, CHECK_MS);

  onBecomingVisible(signal, () => void versions.request(hasSlept()));
  return {
    refreshNow: () => void versions.request(true),
    rendered: watchStatus.rendered,
    stop() {
      stopped.abort();
      watchStatus.stop();
      clearInterval(timer);
    },
  };
}

interface VersionFollower {
  /** Requests the version. Refreshes the page if it shows an older one, or for any version if `refresh` is true. */
  request(refresh: boolean): Promise<void>;
  /** Receives a version from the socket. */
  receive(version: unknown): void;
  isRequestDue(): boolean;
}

/** Requests versions, one at a time. `onUnwatched` receives the unwatched networks of each answer. */
function followVersions(
  options: FollowLinkOptions,
  page: string,
  signal: AbortSignal,
  onUnwatched: (unwatched: readonly string[] | null) => void,
): VersionFollower {
  const reportAnswer = trackContact(options.onContactChange);
  let isRequesting = false;
  let requestAgain = false;
  /** The last request was not answered. Only an answer shows that the server is back. */
  let hasFailed = false;
  /** A refresh is due for any version, until the server has answered. */
  let refreshDue = false;
  let requestedAt = performance.now();
  let refreshedAt = requestedAt;
  let newestVersion = 0;

  async function request(refresh: boolean): Promise<void> {
    if (signal.aborted) return;
    refreshDue ||= refresh;
    requestAgain = isRequesting;
    if (isRequesting) return;
    isRequesting = true;
    requestedAt = performance.now();
    const answer = navigator.onLine ? await fetchVersion(page) : null;
    isRequesting = false;
    if (signal.aborted) return;
    hasFailed = answer === null;
    reportAnswer(!hasFailed);
    newestVersion = Math.max(newestVersion, answer?.version ?? 0);
    if (answer !== null && (refreshDue || answer.version > options.shownVersion())) {
      refreshDue = false;
      refreshedAt = performance.now();
      options.refresh();
    }
    onUnwatched(answer?.unwatched ?? null);
    if (requestAgain) await request(false);
  }

  return {
    request,
    receive(version) {
      if (typeof version !== "number") return;
      newestVersion = Math.max(newestVersion, version);
      // The server sends the version when the socket joins.
      if (hasFailed || version > options.shownVersion()) void request(false);
    },
    isRequestDue() {
      const now = performance.now();
      // The request after a notification failed, or the refresh did.
      const isBehind = newestVersion > options.shownVersion() && now - refreshedAt >= REFRESH_TIMEOUT_MS;
      return hasFailed || refreshDue || isBehind || now - requestedAt >= CONNECTED_REQUEST_MS;
    },
  };
}

/** Takes whether each request was answered, and reports when the server becomes unreachable or reachable. */
function trackContact(report: (isReachable: boolean) => void): (answered: boolean) => void {
  let failures = 0;
  return (answered) => {
    const before = failures < MAX_FAILURES;
    failures = answered ? 0 : failures + 1;
    const isReachable = failures < MAX_FAILURES;
    if (isReachable !== before) report(isReachable);
  };
}

/** The returned function is true if the machine slept, or its clock was set, since the last call. */
function trackClocks(): () => boolean {
  const difference = () => Date.now() - performance.now();
  let last = difference();
  return () => {
    const hasDrifted = Math.abs(difference() - last) > DRIFT_MS;
    last = difference();
    return hasDrifted;
  };
}

/** The address of a payment page, without its query. */
export function pageAddress(): string {
  const { origin, pathname } = window.location;
  return origin + pathname.replace(/\/$/, "");
}

/** Fetches the link's version and the unwatched networks below the page's address. null on any failure. */
export async function fetchVersion(
  page = pageAddress(),
): Promise<{ version: number; unwatched: readonly string[] | null } | null> {
  try {
    const response = await fetch(`${page}/version`, {
      cache: "no-store",
      signal: timeoutSignal(REQUEST_TIMEOUT_MS),
    });
    const body: unknown = response.ok ? await response.json() : null;
    const version = typeof body === "object" && body !== null && "version" in body ? body.version : null;
    const unwatched = response.headers.get(UNWATCHED_HEADER)?.split(",").filter(Boolean) ?? null;
    return typeof version === "number" ? { version, unwatched } : null;
  } catch {
    return null;
  }
}

/**
 * Browser side of the watch status. Calls `refresh` when the server's report differs from what the page shows. All
 * pages of a network receive the report at the same time, so that each page waits a random part of `spreadMs`.
 */
export function followWatchStatus(options: { watchStatus(): PageWatchStatus; refresh(): void }) {
  let report: { unwatched: readonly string[]; spreadMs: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const differs = () => report !== null && watchStatusDiffers(options.watchStatus(), report.unwatched);

  function scheduleRefresh(atLeastMs: number): void {
    if (report === null || !differs()) return;
    clearTimeout(timer);
    timer = setTimeout(() => differs() && options.refresh(), atLeastMs + Math.random() * report.spreadMs);
  }

  return {
    /** Handles a report of the server. */
    receive(unwatched: unknown, spreadMs: unknown): void {
      if (!Array.isArray(unwatched) || typeof spreadMs !== "number") return;
      // For a repeated report the refresh is already scheduled.
      if (report !== null && report.unwatched.join() === unwatched.join()) return;
      report = { unwatched: unwatched.map(String), spreadMs };
      scheduleRefresh(0);
    },
    /** Discards the report when the connection ends. */
    reset(): void {
      report = null;
    },
    /** Call it after each rendering. */
    rendered: () => scheduleRefresh(MIN_REFRESH_MS),
    stop: () => clearTimeout(timer),
  };
}
