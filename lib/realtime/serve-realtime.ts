import type { Server as HttpServer } from "node:http";
import type { Logger } from "pino";
import { type Socket, Server as SocketServer } from "socket.io";
import type { Database } from "#lib/db/connection.ts";
import { listenChanges } from "#lib/db/listen-changes.ts";
import { linkVersion, linkVersions } from "#lib/payment-links/view-payment-link.ts";
import { isRefid, originAllowed, parseChange } from "./rules.ts";

export const REALTIME_PATH = "/realtime";
const CHANNEL = "paylink_links";
const ROOM = "link:";
/** Rooms brought up to date by one query after a reconnect. */
const CATCH_UP_BATCH = 1_000;

/**
 * The socket that tells payment pages "there is a newer version": one room per link, `version` with a number on
 * joining and at each change. It carries nothing else; a page reads what changed from the page itself.
 * Call it once the server has its request handler: what is not under the path stays with that one.
 * Resolves once changes are being listened for.
 */
export async function startRealtime(
  httpServer: HttpServer,
  deps: { database: Database; publicOrigins: readonly string[]; log: Logger },
): Promise<{ stop(): Promise<void> }> {
  const { database, publicOrigins, log } = deps;
  const io = new SocketServer(httpServer, {
    path: REALTIME_PATH,
    addTrailingSlash: false,
    transports: ["websocket"],
    serveClient: false,
    // Clients say who they are on joining and nothing after it.
    maxHttpBufferSize: 1_024,
    connectTimeout: 10_000,
    allowRequest: (request, decide) => {
      const { origin, host } = request.headers;
      decide(null, originAllowed(origin, { publicOrigins, host }));
    },
  });
  const announce = (refid: string, version: number) => io.to(ROOM + refid).emit("version", version);

  io.use((socket, next) => {
    admit(socket, database).then(
      (known) => next(known ? undefined : new Error("unknown payment link")),
      (error: unknown) => {
        log.error({ err: error }, "cannot look up a payment link for its socket");
        next(new Error("try again"));
      },
    );
  });
  io.on("connection", (socket) => {
    const { refid } = socket.handshake.auth as { refid: string };
    void socket.join(ROOM + refid);
    // Read after joining: a change in between is either in this answer or announced to the room.
    linkVersion(database.db, refid).then(
      (version) => version !== null && socket.emit("version", version),
      () => socket.disconnect(true),
    );
  });

  async function catchUp(): Promise<void> {
    const refids = [...io.sockets.adapter.rooms.keys()]
      .filter((room) => room.startsWith(ROOM))
      .map((room) => room.slice(ROOM.length));
    for (let at = 0; at < refids.length; at += CATCH_UP_BATCH) {
      const batch = refids.slice(at, at + CATCH_UP_BATCH);
      for (const [refid, version] of await linkVersions(database.db, batch)) announce(refid, version);
    }
  }

  const listener = await listenChanges(
    database.url,
    CHANNEL,
    {
      onPayload(payload) {
        const change = parseChange(payload);
        if (change !== null) announce(change.refid, change.version);
      },
      onReconnect() {
        catchUp().catch((error: unknown) => log.error({ err: error }, "cannot bring open pages up to date"));
      },
    },
    log,
  );
  return {
    async stop() {
      // Not io.close(): that would close the web server as well, which is not ours. Nor io.disconnectSockets(): pages that
      // are sent away do not come back by themselves, those whose connection ends do.
      io.engine.close();
      await listener.stop();
    },
  };
}

/** A socket is let in for a link that exists. */
async function admit(socket: Socket, database: Database): Promise<boolean> {
  const refid: unknown = socket.handshake.auth.refid;
  return isRefid(refid) && (await linkVersion(database.db, refid)) !== null;
}
