import { io } from "socket.io-client";
import { socketOptions } from "#lib/realtime/follow-link.ts";

/** How often a page without a connection asks by itself, as in follow-link.ts. */
const BEAT_MS = 5_000;

/** A link's page as far as it follows: its socket, its questions, and what it shows. */
export interface OpenPage {
  readonly refid: string;
  /** The version it shows; 0 before the first. */
  version(): number;
  /** Its heading. */
  heading(): string;
  connected(): boolean;
  /** How often its socket has connected. */
  connections(): number;
  /** How its last connection ended, in socket.io's words; "" before. */
  endedBy(): string;
  close(): void;
}

/** Opens a page at an origin that may refuse, break off and come back; it never fails, only shows what is old. */
export function openPage(origin: string, refid: string): OpenPage {
  const url = `${origin}/pay/${refid}`;
  const shown = { version: 0, heading: "" };
  let connections = 0;
  let endedBy = "";
  let due = true;
  let asking = false;

  async function ask(): Promise<void> {
    due = true;
    if (asking) return;
    asking = true;
    try {
      while (due) {
        due = false;
        const { version } = (await (await get(`${url}/version`)).json()) as { version: number };
        if (version <= shown.version) continue;
        const page = await (await get(url)).text();
        shown.heading = /<h1 id="status"[^>]*>([^<]*)</.exec(page)?.[1] ?? "";
        shown.version = version;
      }
    } catch {
      due = true;
    }
    asking = false;
  }

  const socket = io(origin, { ...socketOptions(refid), forceNew: true });
  socket.on("connect", () => {
    connections += 1;
  });
  socket.on("disconnect", (reason) => {
    endedBy = reason;
  });
  socket.on("version", (version: number) => version > shown.version && void ask());
  const beat = setInterval(() => {
    if (due || !socket.connected) void ask();
    if (!socket.active) socket.connect();
  }, BEAT_MS);
  void ask();
  return {
    refid,
    version: () => shown.version,
    heading: () => shown.heading,
    connected: () => socket.connected,
    connections: () => connections,
    endedBy: () => endedBy,
    close() {
      clearInterval(beat);
      socket.close();
    },
  };
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}
