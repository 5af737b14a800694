import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { followLink } from "#lib/web/realtime/follow-link.ts";

/**
 * An event of a page: `nudge` is a notification over its socket, `shown` a new rendering, `lost` and `back`
 * changes of contact.
 */
export interface Met {
  readonly refid: string;
  readonly what: "nudge" | "shown" | "lost" | "back";
  /** The version in the notification or on the page. 0 if there is none. */
  readonly version: number;
  /** Milliseconds since 1970: one clock for all processes of the machine. */
  readonly at: number;
}

export interface OpenPage {
  /** The version that the page shows. */
  version(): number;
  /** The page's heading. */
  heading(): string;
  connected(): boolean;
  /** How often the page's socket has connected. */
  connections(): number;
  close(): void;
}

// The globals that every browser has. All pages of a process share them.
Object.assign(globalThis, { window: new EventTarget(), document: new EventTarget() });
Object.assign(document, { visibilityState: "visible" });
Object.defineProperty(navigator, "onLine", { value: true });
setMaxListeners(0, window, document);

/** Seconds after the time at which the page wants to refresh: the same half second as in `live.tsx`. */
const AFTER = 0.5;

/**
 * One open payment page without the browser around it: its document over HTTP, then the page's own follower (socket,
 * version, beat), which refreshes it as Next's router does and when the page says that something runs out. Resolves once
 * its document is there; throws when it is unavailable. Afterwards the server may refuse, break off and come back: the page
 * then only shows what is old.
 */
export async function openPage(url: string, tell: (met: Met) => void = () => {}): Promise<OpenPage> {
  const refid = url.slice(url.lastIndexOf("/") + 1);
  const met = (what: Met["what"], version = 0) => tell({ refid, what, version, at: Date.now() });
  const connection = { up: false, times: 0 };
  let shown = 0;
  let heading = "";
  let watchStatus = { networks: [] as string[], unwatched: [] as string[] };
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const show = (payload: string) => {
    if (closed) return;
    shown = numberIn(payload, "version") ?? shown;
    heading = headingIn(payload) ?? heading;
    watchStatus = { networks: namesIn(payload, "networks"), unwatched: namesIn(payload, "unwatched") };
    met("shown", shown);
    const refreshIn = numberIn(payload, "refreshIn");
    clearTimeout(timer);
    if (refreshIn !== null) timer = setTimeout(() => follower.refreshNow(), (refreshIn + AFTER) * 1_000);
    follower.rendered();
  };
  const document = await ask(url, { accept: "text/html" });
  const follower = followLink({
    refid,
    page: url,
    shownVersion: () => shown,
    // The follower repeats a failed refresh.
    refresh: () => void refresh(url, refid).then(show, () => {}),
    watchStatus: () => watchStatus,
    onContactChange: (answers) => met(answers ? "back" : "lost"),
    onSocket(socket) {
      socket.addEventListener("message", ({ data }) => {
        const version = /^42\["version",(\d+)\]$/.exec(data)?.[1];
        if (version !== undefined) met("nudge", Number(version));
        if (!data.startsWith("40")) return;
        connection.up = true;
        connection.times += 1;
      });
      socket.addEventListener("close", () => {
        connection.up = false;
      });
    },
  });
  show(document);
  return {
    version: () => shown,
    heading: () => heading,
    connected: () => connection.up,
    connections: () => connection.times,
    close() {
      closed = true;
      clearTimeout(timer);
      follower.stop();
    },
  };
}

async function ask(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { headers, redirect: "error", signal: AbortSignal.timeout(20_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  return text;
}

/** The request of `router.refresh()`. `_rsc` is the digest of the headers that Next expects. */
function refresh(url: string, refid: string): Promise<string> {
  const page = ["__PAGE__", {}, null, null, 0];
  const link = [["refid", refid, "d", null], { children: page }, null, null, 0];
  const tree = ["", { children: ["pay", { children: link }, null, null, 0] }, null, "refetch", 16];
  const asked = encodeURIComponent(JSON.stringify(tree));
  const digest = createHash("sha256").update(`0,0,${asked},0`).digest().subarray(0, 12);
  const headers = { rsc: "1", "next-router-state-tree": asked };
  return ask(`${url}?_rsc=${digest.toString("base64url")}`, headers);
}

/** A property of the page's live part, in the document (a string in a script) and in the router's answer. */
function numberIn(payload: string, name: string): number | null {
  const found = new RegExp(`\\\\?"${name}\\\\?":(\\d+)`).exec(payload)?.[1];
  return found === undefined ? null : Number(found);
}

function headingIn(payload: string): string | undefined {
  return /\\?"id\\?":\\?"status\\?",[^}]*?\\?"children\\?":\\?"([^"\\]+)/.exec(payload)?.[1];
}

function namesIn(payload: string, name: string): string[] {
  const list = new RegExp(`\\\\?"${name}\\\\?":\\[([^\\]]*)\\]`).exec(payload)?.[1] ?? "";
  return [...list.matchAll(/[a-z]+:[a-z0-9]+/g)].map(([found]) => found);
}
