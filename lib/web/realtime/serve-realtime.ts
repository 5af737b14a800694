import type { Server as HttpServer } from "node:http";
import type { Logger } from "pino";
import type { Server as SocketServer } from "socket.io";
import { findLinkVersion, listLinkVersions } from "#lib/domain/payment-links/link-versions.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { listenForChanges } from "#lib/platform/db/listen-changes.ts";
import { withLogContext } from "#lib/platform/log/log-context.ts";
import { acceptSockets, type SocketAdmission } from "./accept-sockets.ts";
import { isRefid, parseLinkChange, spreadMsFor } from "./rules.ts";

const CHANNEL = "paylink_links";
const ROOM = "link:";
/** Rooms brought up to date by one query after a reconnect. */
const CATCH_UP_BATCH = 1_000;

export interface Realtime {
  /**
   * Which networks cannot be seen now, by name and in order: when that changes, every page is told, and over how many
   * milliseconds those that it concerns are to spread.
   */
  announceUnwatched(names: readonly string[]): void;
  /** What was told last; null: nobody has looked yet. */
  unwatched(): readonly string[] | null;
  stop(): Promise<void>;
}

const serving = new Set<SocketServer>();

/** How many pages are open on sockets of this process. */
export function countOpenPages(): number {
  return [...serving].reduce((sum, { sockets }) => sum + sockets.sockets.size, 0);
}

/**
 * The socket that tells payment pages "there is a newer version": one room per link, `version` with a number on
 * joining and at each change; `unwatched` with the networks that cannot be seen, likewise. It carries nothing else: a page
 * reads what changed from the page itself.
 * It takes upgrades alone. Resolves once changes are being listened for.
 */
export async function startRealtime(
  httpServer: HttpServer,
  deps: SocketAdmission & { database: Database; log: Logger },
): Promise<Realtime> {
  const { database, log } = deps;
  const io = acceptSockets(httpServer, deps);
  serving.add(io);
  /** null: nobody has looked yet. */
  let unwatched: readonly string[] | null = null;
  const spreadMs = () => spreadMsFor(io.engine.clientsCount);
  const announce = (refid: string, version: number) => io.to(ROOM + refid).emit("version", version);

  io.use((socket, next) => {
    const { refid } = socket.handshake.auth as { refid: unknown };
    if (!isRefid(refid)) return next(new Error("unknown payment link"));
    withLogContext({ refid }, () => findLinkVersion(database.db, refid)).then(
      (version) => next(version === null ? new Error("unknown payment link") : undefined),
      (error: unknown) => {
        log.error({ err: error }, "cannot look up a payment link for its socket");
        next(new Error("try again"));
      },
    );
  });
  io.on("connection", (socket) => {
    const { refid } = socket.handshake.auth as { refid: string };
    void socket.join(ROOM + refid);
    if (unwatched !== null) socket.emit("unwatched", unwatched, spreadMs());
    // Read after joining: a change in between is either in this answer or announced to the room.
    findLinkVersion(database.db, refid).then(
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
      for (const [refid, version] of await listLinkVersions(database.db, batch)) announce(refid, version);
    }
  }

  const listener = await listenForChanges(
    database.url,
    CHANNEL,
    {
      onPayload(payload) {
        const change = parseLinkChange(payload);
        if (change !== null) announce(change.refid, change.version);
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
      // Not io.close(): that would close the web server as well, which is not ours. Nor io.disconnectSockets(): pages that
      // are sent away do not come back by themselves, those whose connection ends do.
      io.engine.close();
      await listener.stop();
    },
  };
}
