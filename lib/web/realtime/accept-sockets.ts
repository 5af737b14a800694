import { createServer, type Server as HttpServer, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { Server as SocketServer } from "socket.io";
import { openSocketLimiter } from "./limit-sockets.ts";
import { isOriginAllowed, isRealtimePath } from "./rules.ts";

/** What a page says: its greeting, seven bytes in answer to each ping (every 25 s), goodbye. This is far more. */
const BYTES_AT_ONCE = 4_096;
const BYTES_PER_SECOND = 32;

export interface SocketAdmission {
  readonly publicOrigins: readonly string[];
  /** Who asks, as far as proxies are believed. */
  addressOf(request: IncomingMessage): string;
  /** Sockets of one client address, open at a time and new within a minute. */
  readonly socketsPerAddress: number;
  /** Some upgrades are for others: Next's dev server reloads pages over its own socket. */
  readonly allowOtherUpgrades?: boolean;
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The little of an engine.io connection that is used here. */
interface Connection {
  readonly request: IncomingMessage;
  on(event: "packet", listener: (packet: { type: string }) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

/**
 * A socket.io server whose own server never listens: which upgrades reach it is decided here, before anything of them
 * is read.
 */
export function acceptSockets(httpServer: HttpServer, door: SocketAdmission): SocketServer {
  const io = new SocketServer(createServer(), {
    transports: ["websocket"],
    serveClient: false,
    perMessageDeflate: false,
    // Clients say who they are on joining and nothing after it.
    maxHttpBufferSize: 1_024,
    connectTimeout: 5_000,
  });
  const admit = openSocketLimiter(door.socketsPerAddress);
  const engine: { handleUpgrade: Upgrade } = io.engine;
  io.engine.on("connection", holdToGreeting);
  httpServer.on("upgrade", (request, socket, head) => {
    const { url = "", headers } = request;
    if (!isRealtimePath(url)) {
      if (!door.allowOtherUpgrades) refuse(socket, 404);
      return;
    }
    // Of a session that exists, the library would ask for no origin.
    if (new URL(url, "http://localhost").searchParams.has("sid")) return refuse(socket, 400);
    if (!isOriginAllowed(headers.origin, { ...door, host: headers.host })) return refuse(socket, 403);
    const leave = admit(door.addressOf(request));
    if (leave === null) return refuse(socket, 429);
    socket.once("close", leave);
    engine.handleUpgrade(request, socket, head);
  });
  return io;
}

/** Cuts off who says more than a page does, in whichever frames: the other side may just not be listening. */
function holdToGreeting(connection: Connection): void {
  const { socket } = connection.request;
  let greeted = false;
  connection.on("packet", ({ type }) => {
    if (type !== "message") return;
    if (greeted) socket.destroy();
    greeted = true;
  });
  // Closed for us: whoever does not close its end as well would stay for half a minute.
  connection.on("close", () => socket.destroySoon());
  let left = BYTES_AT_ONCE;
  let at = performance.now();
  socket.on("data", (chunk: Buffer) => {
    const now = performance.now();
    left = Math.min(BYTES_AT_ONCE, left + ((now - at) / 1_000) * BYTES_PER_SECOND) - chunk.length;
    at = now;
    if (left < 0) socket.destroy();
  });
}

function refuse(socket: Duplex, status: number): void {
  socket.on("error", () => socket.destroy());
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
  // Not waiting for the other side to hang up as well.
  socket.end(head, () => socket.destroy());
}
