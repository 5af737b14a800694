import type { Server as HttpServer } from "node:http";
import type { Logger } from "pino";
import type { Socket } from "socket.io";
import type { Database } from "#lib/db/connection.ts";
import { listenChanges } from "#lib/db/listen-changes.ts";
import { linkVersion, linkVersions } from "#lib/payment-links/view-payment-link.ts";
import { acceptSockets, type Doorkeeper } from "./accept-sockets.ts";
import { isRefid, parseChange } from "./rules.ts";

const CHANNEL = "paylink_links";
const ROOM = "link:";
/** Rooms brought up to date by one query after a reconnect. */
const CATCH_UP_BATCH = 1_000;

/**
 * The socket that tells payment pages "there is a newer version": one room per link, `version` with a number on
 * joining and at each change. It carries nothing else; a page reads what changed from the page itself.
 * It takes upgrades alone. Resolves once changes are being listened for.
 */
export async function startRealtime(
  httpServer: HttpServer,
  deps: Doorkeeper & { database: Database; log: Logger },
): Promise<{ stop(): Promise<void> }> {
  const { database, log } = deps;
  const io = acceptSockets(httpServer, deps);
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
      await listener.stop();
      // Not io.close(): that would close the web server as well, which is not ours.
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

/** A socket is let in for a link that exists. */
async function admit(socket: Socket, database: Database): Promise<boolean> {
  const refid: unknown = socket.handshake.auth.refid;
  return isRefid(refid) && (await linkVersion(database.db, refid)) !== null;
}
