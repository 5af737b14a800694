import { createServer, type Server as HttpServer, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { Server as SocketServer } from "socket.io";
import { SITE_SHARE, visitorNetworks } from "#lib/domain/payment-links/visitor-rules.ts";
import { TokenBuckets } from "#lib/platform/token-buckets.ts";
import { isPlainRequest } from "#lib/web/plain-http.ts";
import { isOriginAllowed, isRealtimePath } from "./rules.ts";

/** A page sends a greeting, seven bytes per ping (every 25 s) and a goodbye. The limits are far above that. */
const BURST_BYTES = 4_096;
const BYTES_PER_SECOND = 32;

/** Decides which sockets are accepted. */
export interface SocketAdmission {
  readonly publicOrigins: readonly string[];
  /** The client address, as far as the proxies are trusted. */
  addressOf(request: IncomingMessage): string;
  /** Sockets of one client address: the limit of open ones, and of new ones per minute. */
  readonly socketsPerAddress: number;
  /** Does not refuse other upgrades: Next's dev server reloads pages over its own socket. */
  readonly allowOtherUpgrades?: boolean;
}

type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The part of an engine.io connection that this file uses. */
interface Connection {
  readonly request: IncomingMessage;
  on(event: "packet", listener: (packet: { type: string }) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

/**
 * Creates a socket.io server whose own HTTP server never listens. This function decides which upgrades reach it,
 * before anything of them is read.
 */
export function acceptSockets(httpServer: HttpServer, admission: SocketAdmission): SocketServer {
  const io = new SocketServer(createServer(), {
    transports: ["websocket"],
    serveClient: false,
    perMessageDeflate: false,
    // A client sends only its greeting.
    maxHttpBufferSize: 1_024,
    connectTimeout: 5_000,
  });
  const admit = openSocketLimiter(admission.socketsPerAddress);
  const engine: { handleUpgrade: UpgradeHandler } = io.engine;
  io.engine.on("connection", limitMessages);
  httpServer.on("upgrade", (request, socket, head) => {
    const { url = "", headers } = request;
    if (!isRealtimePath(url)) {
      if (!admission.allowOtherUpgrades) refuse(socket, 404);
      return;
    }
    if (!isPlainRequest(request)) return refuse(socket, 400);
    // The library does not check the origin of an existing session.
    if (new URL(url, "http://localhost").searchParams.has("sid")) return refuse(socket, 400);
    if (!isOriginAllowed(headers.origin, { ...admission, host: headers.host })) return refuse(socket, 403);
    const release = admit(admission.addressOf(request));
    if (release === null) return refuse(socket, 429);
    socket.once("close", release);
    engine.handleUpgrade(request, socket, head);
  });
  return io;
}

/** Destroys the connection of a client that sends more than a page does: a second message, or too many bytes. */
function limitMessages(connection: Connection): void {
  const { socket } = connection.request;
  let hasGreeted = false;
  connection.on("packet", ({ type }) => {
    if (type !== "message") return;
    if (hasGreeted) socket.destroy();
    hasGreeted = true;
  });
  // Otherwise a client that does not close its end would stay connected for half a minute.
  connection.on("close", () => socket.destroySoon());
  let bytesLeft = BURST_BYTES;
  let refilledAt = performance.now();
  socket.on("data", (chunk: Buffer) => {
    const now = performance.now();
    const refill = ((now - refilledAt) / 1_000) * BYTES_PER_SECOND;
    bytesLeft = Math.min(BURST_BYTES, bytesLeft + refill) - chunk.length;
    refilledAt = now;
    if (bytesLeft < 0) socket.destroy();
  });
}

function refuse(socket: Duplex, status: number): void {
  socket.on("error", () => socket.destroy());
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
  // Does not wait until the client closes its end.
  socket.end(head, () => socket.destroy());
}

const WINDOW_SECONDS = 60;

/**
 * Limits the sockets of each client address (for IPv6, of its 64-bit network) in this process: at most `most` open at
 * a time, and `most` new ones per minute. A 48-bit network has SITE_SHARE times as many. `clock` is monotonic, in milliseconds. The returned
 * function admits a socket and returns a callback for its end. It returns null if the address has too many sockets.
 */
export function openSocketLimiter(
  most: number,
  clock: () => number = () => performance.now(),
): (address: string) => (() => void) | null {
  const visitors = openCounter(most, clock);
  const sites = openCounter(most * SITE_SHARE, clock);
  return (address) => {
    const { visitor, site } = visitorNetworks(address);
    if (!visitors.hasRoom(visitor) || !sites.hasRoom(site)) return null;
    const ends = [visitors.open(visitor), sites.open(site)];
    return () => {
      for (const end of ends) end();
    };
  };
}

/** Counts the open sockets of each key, and the new ones of a minute. */
function openCounter(most: number, clock: () => number) {
  const openOnes = new Map<string, number>();
  /** New sockets that a key may open now. */
  const buckets = new TokenBuckets<string>({ capacity: most, perSecond: most / WINDOW_SECONDS }, clock);
  const add = (key: string, change: number) => {
    const count = (openOnes.get(key) ?? 0) + change;
    if (count === 0) openOnes.delete(key);
    else openOnes.set(key, count);
  };
  return {
    hasRoom: (key: string) => (openOnes.get(key) ?? 0) < most && buckets.left(key) >= 1,
    open(key: string) {
      buckets.take(key, 1);
      add(key, 1);
      return () => add(key, -1);
    },
  };
}
