import type { Socket } from "socket.io-client";

/** How often to look at the connection; without one, how often to ask for the version. */
const BEAT_MS = 5_000;
/** A lost connection is tried again after up to twice this, differently for each page: a server that stops loses all. */
const AGAIN_MS = 500;
/** With a connection, how often to ask all the same: a nudge is a courtesy, not a promise. */
const QUIET_MS = 60_000;
/** The two clocks of a browser that ran apart by more: the machine slept, or its clock was set. */
const DRIFT_MS = 3_000;
const ANSWER_MS = 10_000;
/** A refresh that has not brought the newer version by then got lost on its way. */
const REFRESH_MS = 3_000;
/** The page is out of touch once so many questions in a row had no answer: one alone is a hiccup. */
const UNANSWERED = 2;

export interface Follower {
  /** Refreshes even without a newer version: something runs out by the clock. */
  renew(): void;
  stop(): void;
}

/**
 * Browser side of the socket: watches a link's version and calls `refresh` when the page shows an older one. The socket
 * only says when to ask; the answer is the page's own `version`, so `refresh` is called only while the server has just
 * answered, never offline (the router would leave the page for the browser's error screen).
 */
export function followLink(options: {
  refid: string;
  /** The version that the page shows. */
  shown(): number;
  refresh(): void;
  /** Told at every change whether the server answers. */
  contact(answers: boolean): void;
}): Follower {
  const gone = new AbortController();
  const { signal } = gone;
  let socket: Socket | null = null;
  let asking = false;
  let again = false;
  /** A refresh is due whatever the version; it stays so until the server has answered. */
  let due = false;
  let unanswered = 0;
  let askedAt = performance.now();

  async function ask(renew: boolean): Promise<void> {
    if (signal.aborted) return;
    due ||= renew;
    again = asking;
    if (asking) return;
    asking = true;
    askedAt = performance.now();
    const version = navigator.onLine ? await fetchVersion() : null;
    asking = false;
    if (signal.aborted) return;
    heard(version !== null);
    if (version !== null && (due || version > options.shown())) {
      due = false;
      options.refresh();
      setTimeout(() => version > options.shown() && void ask(false), REFRESH_MS);
    }
    if (again) await ask(false);
  }

  function heard(answered: boolean): void {
    const before = unanswered < UNANSWERED;
    unanswered = answered ? 0 : unanswered + 1;
    const now = unanswered < UNANSWERED;
    if (now !== before) options.contact(now);
  }

  async function connect(): Promise<void> {
    // Not part of the page's own script: first the page, then the nudges.
    const { io } = await import("socket.io-client");
    if (signal.aborted) return;
    socket = io(socketOptions(options.refid));
    socket.on("version", (version: unknown) => {
      if (typeof version === "number" && version > options.shown()) void ask(false);
    });
  }

  const clocks = () => Date.now() - performance.now();
  let apart = clocks();
  const slept = () => {
    const drifted = Math.abs(clocks() - apart) > DRIFT_MS;
    apart = clocks();
    return drifted;
  };
  const beat = setInterval(() => {
    const age = performance.now() - askedAt;
    const drifted = slept();
    if (drifted || due || socket?.connected !== true || age >= QUIET_MS) void ask(drifted);
    // Refused by the server rather than cut: the library does not try again by itself.
    if (socket !== null && !socket.active) socket.connect();
  }, BEAT_MS);

  const look = () => {
    if (document.visibilityState === "visible") void ask(slept());
  };
  document.addEventListener("visibilitychange", look, { signal });
  window.addEventListener("online", look, { signal });
  window.addEventListener("offline", look, { signal });
  window.addEventListener("pageshow", look, { signal });
  connect().catch(() => {
    // The chunk could not be had: the beat goes on asking.
  });
  return {
    renew: () => void ask(true),
    stop() {
      gone.abort();
      clearInterval(beat);
      socket?.close();
    },
  };
}

/** How a page's socket connects, and comes back when it was cut. */
export const socketOptions = (refid: string) => ({
  path: "/realtime",
  transports: ["websocket"],
  auth: { refid },
  reconnectionDelay: AGAIN_MS,
  randomizationFactor: 1,
  reconnectionDelayMax: BEAT_MS,
});

/** The link's version by the page's own address, or null when it cannot be had now. Never throws. */
export async function fetchVersion(): Promise<number | null> {
  const page = window.location.pathname.replace(/\/$/, "");
  try {
    const response = await fetch(`${page}/version`, {
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body: unknown = response.ok ? await response.json() : null;
    const version = typeof body === "object" && body !== null && "version" in body ? body.version : null;
    return typeof version === "number" ? version : null;
  } catch {
    return null;
  }
}
