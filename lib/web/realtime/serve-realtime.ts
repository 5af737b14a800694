import type { Server as HttpServer } from "node:http";
import type { Logger } from "pino";
import type { Server as SocketServer } from "socket.io";
import {
  findLinkVersion,
  listLinkVersions,
  parseLinkChange,
} from "#lib/domain/payment-links/link-versions.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { CHANNELS, listenForChanges } from "#lib/platform/db/listen-for-changes.ts";
import { withLogContext } from "#lib/platform/log/log-context.ts";
import { acceptSockets, type SocketAdmission } from "./accept-sockets.ts";
import { spreadMsFor } from "./rules.ts";

const ROOM = "link:";
/** After a reconnect, one query reads the versions of this many rooms. */
const CATCH_UP_BATCH = 1_000;

export interface Realtime {
  /**
   * Reports the unwatched networks and the late ones (NetworkTroubles). If they have changed, every page receives them with
   * the milliseconds over which the refreshes of the affected pages are spread.
   */
  announceUnwatched(names: readonly string[]): void;
  /** The last reported networks. null before the first report. */
  unwatched(): readonly string[] | null;
  stop(): Promise<void>;
}

const serving = new Set<SocketServer>();

/** The number of pages that are connected to this process by a socket. */
export function countOpenPages(): number {
  return [...serving].reduce((sum, { sockets }) => sum + sockets.sockets.size, 0);
}

/**
 * Serves the socket of the payment pages, with one room per link. A page receives `version` with a number, and
 * `unwatched` with the unwatched networks, when it joins and at each change. The page then reads the change from the
 * server's page. Resolves once this process listens for changes. Only WebSocket upgrades are accepted.
 */
export async function startRealtime(
  httpServer: HttpServer,
  deps: SocketAdmission & { database: Database; log: Logger },
): Promise<Realtime> {
  const { database, log } = deps;
  const io = acceptSockets(httpServer, deps);
  serving.add(io);
  let unwatched: readonly string[] | null = null;
  const spreadMs = () => spreadMsFor(io.engine.clientsCount);
  const announceVersion = (refid: string, version: number) => io.to(ROOM + refid).emit("version", version);

  io.use(admitLink(database, log));
  io.on("connection", (socket) => {
    const { refid } = socket.handshake.auth as { refid: string };
    void socket.join(ROOM + refid);
    if (unwatched !== null) socket.emit("unwatched", unwatched, spreadMs());
    // Read after the join, so that a change in between is either in this answer or announced to the room.
    findLinkVersion(database.db, refid).then(
      (version) => version !== null && socket.emit("version", version),
      () => socket.disconnect(true),
    );
  });

  async function catchUp(): Promise<void> {
    const refids = [...io.sockets.adapter.rooms.keys()]
      .filter((room) => room.startsWith(ROOM))
      .map((room) => room.slice(ROOM.length));
    for (let start = 0; start < refids.length; start += CATCH_UP_BATCH) {
      const batch = refids.slice(start, start + CATCH_UP_BATCH);
      for (const [refid, version] of await listLinkVersions(database.db, batch)) {
        announceVersion(refid, version);
      }
    }
  }

  const listener = await listenForChanges(
    database.url,
    CHANNELS.linkChanges,
    {
      onPayload(payload) {
        const change = parseLinkChange(payload);
        if (change !== null) announceVersion(change.refid, change.version);
      },
      onReconnect() {
        catchUp().catch((error: unknown) => log.error({ err: error }, "cannot bring open pages up to date"));
      },
    },
    log,
  );
  return {
    announceUnwatched(names) {
      if (names.join() === unwatched?.join()) return;
      unwatched = names;
      io.emit("unwatched", unwatched, spreadMs());
    },
    unwatched: () => unwatched,
    async stop() {
      serving.delete(io);
      // io.close() would also close the web server, which belongs to the caller.
      io.engine.close();
      await listener.stop();
    },
  };
}

/** Refuses a socket whose link does not exist. */
function admitLink(database: Database, log: Logger): Parameters<SocketServer["use"]>[0] {
  return (socket, next) => {
    const { refid } = socket.handshake.auth as { refid: unknown };
    if (!isRefid(refid)) return next(new Error("unknown payment link"));
    withLogContext({ refid }, () => findLinkVersion(database.db, refid)).then(
      (version) => next(version === null ? new Error("unknown payment link") : undefined),
      (error: unknown) => {
        log.error({ err: error }, "cannot look up a payment link for its socket");
        next(new Error("try again"));
      },
    );
  };
}
