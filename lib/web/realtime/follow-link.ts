import type { Socket } from "socket.io-client";
import { followWatchStatus } from "./follow-watch-status.ts";
import { type PageWatchStatus, UNWATCHED_HEADER } from "./rules.ts";

/** How often to look at the connection; without one, how often to ask for the version. */
const BEAT_MS = 5_000;
/** A lost connection is tried again after up to twice this, differently for each page: a server that stops loses all. */
const AGAIN_MS = 500;
/** With a connection, how often to ask all the same: a nudge is a courtesy, not a promise. */
const QUIET_MS = 60_000;
/** Pages without a socket learn of unwatched networks all within a beat, and draw themselves anew over this time. */
const SPREAD_MS = 30_000;
/** The two clocks of a browser that ran apart by more: the machine slept, or its clock was set. */
const DRIFT_MS = 3_000;
const ANSWER_MS = 10_000;
/** A refresh that has not brought the newer version by then got lost on its way. */
const REFRESH_MS = 3_000;
/** The page is out of touch once so many questions in a row had no answer: one alone is a hiccup. */
const UNANSWERED = 2;

export interface LinkFollower {
  /** Refreshes even without a newer version: something runs out by the clock. */
  refreshNow(): void;
  /** The page shows something else than before. */
  rendered(): void;
  stop(): void;
}

/**
 * Browser side of the socket: watches a link's version and calls `refresh` when the page shows an older one. The socket
 * only says when to ask; the answer is the page's own `version`, so `refresh` is called only while the server has just
 * answered, never offline (the router would leave the page for the browser's error screen).
 */
export function followLink(options: {
  refid: string;
  /** The page's own address, without a query. Default: where the browser is. */
  page?: string;
  /** The version that the page shows. */
  shown(): number;
  refresh(): void;
  /** What the page says of the networks that matter to it. */
  sight(): PageWatchStatus;
  /** Told at every change whether the server answers. */
  contact(answers: boolean): void;
  /** Given the socket before it connects: what a measurement wants to listen to. */
  opened?(socket: Socket): void;
}): LinkFollower {
  const page = options.page ?? ownAddress();
  const gone = new AbortController();
  const { signal } = gone;
  let socket: Socket | null = null;
  let asking = false;
  let again = false;
  /** A refresh is due whatever the version; it stays so until the server has answered. */
  let due = false;
  const heard = watchContact(options.contact);
  let askedAt = performance.now();
  let refreshedAt = askedAt;
  /** The newest version that the server named. */
  let newest = 0;
  const sight = followWatchStatus({ sight: options.sight, renew: () => void ask(true) });

  const alone = () => socket?.connected !== true;

  async function ask(renew: boolean): Promise<void> {
    if (signal.aborted) return;
    due ||= renew;
    again = asking;
    if (asking) return;
    asking = true;
    askedAt = performance.now();
    const answer = navigator.onLine ? await fetchVersion(page) : null;
    asking = false;
    if (signal.aborted) return;
    heard(answer !== null);
    newest = Math.max(newest, answer?.version ?? 0);
    if (answer !== null && (due || answer.version > options.shown())) {
      due = false;
      refreshedAt = performance.now();
      options.refresh();
    }
    if (alone() && answer?.unwatched != null) sight.hear(answer.unwatched, SPREAD_MS);
    if (again) await ask(false);
  }

  async function connect(): Promise<void> {
    // Not part of the page's own script: first the page, then the nudges.
    const { io } = await import("socket.io-client");
    if (signal.aborted) return;
    socket = io(new URL(page).origin, socketOptions(options.refid));
    socket.on("version", (version: unknown) => {
      if (typeof version !== "number") return;
      newest = Math.max(newest, version);
      if (version > options.shown()) void ask(false);
    });
    socket.on("unwatched", sight.hear);
    socket.on("disconnect", sight.forget);
    options.opened?.(socket);
  }

  const slept = watchClocks();
  const beat = setInterval(() => {
    const age = performance.now() - askedAt;
    const drifted = slept();
    // The question after a nudge had no answer, or the refresh did not come.
    const behind = newest > options.shown() && performance.now() - refreshedAt >= REFRESH_MS;
    if (drifted || due || alone() || behind || age >= QUIET_MS) void ask(drifted);
    // Refused by the server rather than cut: the library does not try again by itself.
    if (socket !== null && !socket.active) socket.connect();
  }, BEAT_MS);

  const look = () => {
    if (document.visibilityState === "visible") void ask(slept());
  };
  document.addEventListener("visibilitychange", look, { signal });
  for (const event of ["online", "offline", "pageshow"]) window.addEventListener(event, look, { signal });
  connect().catch(() => {
    // The chunk could not be had: the beat goes on asking.
  });
  return {
    refreshNow: () => void ask(true),
    rendered: sight.drawn,
    stop() {
      gone.abort();
      sight.stop();
      clearInterval(beat);
      socket?.close();
    },
  };
}

/** Takes whether each question was answered, and tells when the page gets out of touch or back. */
function watchContact(tell: (answers: boolean) => void): (answered: boolean) => void {
  let unanswered = 0;
  return (answered) => {
    const before = unanswered < UNANSWERED;
    unanswered = answered ? 0 : unanswered + 1;
    const now = unanswered < UNANSWERED;
    if (now !== before) tell(now);
  };
}

/** Answers whether the machine slept, or its clock was set, since it was asked last. */
function watchClocks(): () => boolean {
  const clocks = () => Date.now() - performance.now();
  let apart = clocks();
  return () => {
    const drifted = Math.abs(clocks() - apart) > DRIFT_MS;
    apart = clocks();
    return drifted;
  };
}

function ownAddress(): string {
  const { origin, pathname } = window.location;
  return origin + pathname.replace(/\/$/, "");
}

/** How a page's socket connects, and comes back when it was cut. */
const socketOptions = (refid: string) => ({
  path: "/realtime",
  transports: ["websocket"],
  auth: { refid },
  reconnectionDelay: AGAIN_MS,
  randomizationFactor: 1,
  reconnectionDelayMax: BEAT_MS,
});

/** The link's version and the unwatched networks by the page's own address, or null when they cannot be had. Never throws. */
export async function fetchVersion(
  page = ownAddress(),
): Promise<{ version: number; unwatched: readonly string[] | null } | null> {
  try {
    const response = await fetch(`${page}/version`, {
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body: unknown = response.ok ? await response.json() : null;
    const version = typeof body === "object" && body !== null && "version" in body ? body.version : null;
    const unwatched = response.headers.get(UNWATCHED_HEADER)?.split(",").filter(Boolean) ?? null;
    return typeof version === "number" ? { version, unwatched } : null;
  } catch {
    return null;
  }
}
