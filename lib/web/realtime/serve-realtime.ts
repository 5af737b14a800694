import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { Socket, Server as SocketServer } from "socket.io";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { findSession, findWorkplace } from "#lib/domain/members/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import {
  findLinkVersion,
  listLinkVersions,
  parseLinkChange,
} from "#lib/domain/payment-links/version-queries.ts";
import { type Clock, clockOf } from "#lib/platform/clock.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { CHANNELS, listenForChanges } from "#lib/platform/db/listen-for-changes.ts";
import { withLogContext } from "#lib/platform/log/log-context.ts";
import { repeat } from "#lib/platform/repeat.ts";
import { readSessionToken } from "#lib/web/console-session.ts";
import type { WebPorts } from "#lib/web/web-ports.ts";
import { acceptSockets, type SocketAdmission } from "./accept-sockets.ts";
import { type EventRooms, openEventRooms, ROOM_FULL } from "./event-rooms.ts";
import { spreadMsFor } from "./rules.ts";

const ROOM = "link:";
/** Rooms of the console: a merchant's links in an environment. */
const DESK = "desk:";
/** How long a person who was removed may still hear that something has changed. */
const DESK_CHECK_MS = 10_000;
/** After a reconnect, one query reads the versions of this many rooms. */
const CATCH_UP_BATCH = 1_000;
/** The other connections to the database may need longer than the one that listens. */
const CATCH_UP_PAUSE_MS = 1_000;

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
 * server's page. A page of the console receives `joined`, and `changed` when any link of its merchant has changed.
 * Programs receive the events of a test key (event-rooms.ts). Resolves once this process listens for changes. Only WebSocket upgrades are accepted.
 */
export async function startRealtime(
  httpServer: HttpServer,
  deps: SocketAdmission & DeskAdmission & Partial<Clock> & { readonly deskCheckMs?: number },
): Promise<Realtime> {
  const { database, log } = deps;
  const io = acceptSockets(httpServer, deps);
  serving.add(io);
  let unwatched: readonly string[] | null = null;
  const spreadMs = () => spreadMsFor(io.engine.clientsCount);
  const announceVersion = (refid: string, version: number) => io.to(ROOM + refid).emit("version", version);

  const events = openEventRooms(io, { db: database.db, log });
  io.use(admit(deps, events));
  io.on("connection", (socket) => {
    if (joinDesk(socket) || events.join(socket)) return;
    const { refid } = socket.handshake.auth as { refid: string };
    void socket.join(ROOM + refid);
    if (unwatched !== null) socket.emit("unwatched", unwatched, spreadMs());
    // Read after the join, so that a change in between is either in this answer or announced to the room.
    findLinkVersion(database.db, refid).then(
      (version) => version !== null && socket.emit("version", version),
      () => socket.disconnect(true),
    );
  });

  const catchingUp = retryUntilDone(() => catchUp(io, database, announceVersion), deps);
  const listener = await listenForChanges(
    database.url,
    [CHANNELS.linkChanges, CHANNELS.testEvents],
    {
      onPayload(payload, channel) {
        if (channel === CHANNELS.testEvents) return events.receive(payload);
        const change = parseLinkChange(payload);
        if (change === null) return;
        announceVersion(change.refid, change.version);
        if (change.owner !== null) io.to(deskRoom(change.owner)).emit("changed");
      },
      onReconnect() {
        events.closeAll();
        catchingUp.start();
      },
    },
    deps,
  );
  const checking = repeat("checking who follows payments", deps.deskCheckMs ?? DESK_CHECK_MS, deps, () =>
    disconnectStrangers(io, deps, events),
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
      catchingUp.stop();
      await checking.stop();
      // io.close() would also close the web server, which belongs to the caller.
      io.engine.close();
      await listener.stop();
    },
  };
}

/** Notifies open pages after the connection for notifications was lost. */
async function catchUp(
  io: SocketServer,
  { db }: Database,
  announceVersion: (refid: string, version: number) => void,
): Promise<void> {
  const rooms = [...io.sockets.adapter.rooms.keys()];
  const refids = rooms.filter((room) => room.startsWith(ROOM)).map((room) => room.slice(ROOM.length));
  for (let start = 0; start < refids.length; start += CATCH_UP_BATCH) {
    const batch = refids.slice(start, start + CATCH_UP_BATCH);
    for (const [refid, version] of await listLinkVersions(db, batch)) announceVersion(refid, version);
  }
  for (const room of rooms) if (room.startsWith(DESK)) io.to(room).emit("changed");
}

/** `start` runs `work` until it succeeds, and replaces a run that has not succeeded yet. */
function retryUntilDone(
  work: () => Promise<void>,
  { log, ...clock }: Partial<Clock> & { readonly log: Logger },
): { start(): void; stop(): void } {
  let current = new AbortController();
  const stop = () => current.abort("stopped");
  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        log.error({ err: error }, "cannot bring open pages up to date");
        await clockOf(clock).sleep(CATCH_UP_PAUSE_MS, signal);
      }
    }
  }
  return {
    start() {
      stop();
      current = new AbortController();
      void run(current.signal);
    },
    stop,
  };
}

/** The dependencies of the check that decides who may follow a merchant's links. */
export interface DeskAdmission extends Pick<WebPorts, "servedAt"> {
  readonly database: Database;
  readonly log: Logger;
  /** The address of the console. Null: there is no console. */
  readonly consoleUrl: string | null;
}

const deskRoom = ({ merchantId, env }: { readonly merchantId: number; readonly env: Env }) =>
  `${DESK}${merchantId}:${env}`;

/** False for the socket of a payment page. */
function joinDesk(socket: Socket): boolean {
  const { desk } = socket.data as { desk?: string };
  if (desk === undefined) return false;
  void socket.join(desk);
  return socket.emit("joined");
}

/** Refuses a socket whose link does not exist, whose merchant is not the signed-in person's, or whose key may not listen. */
function admit(deps: DeskAdmission, events: EventRooms): Parameters<SocketServer["use"]>[0] {
  const { database, log } = deps;
  return (socket, next) => {
    const { refid, desk, key } = socket.handshake.auth as { refid: unknown; desk: unknown; key: unknown };
    if (typeof key === "string") {
      admitProgram(deps, events, socket, key).then(
        (refusal) => next(refusal === null ? undefined : new Error(refusal)),
        (error: unknown) => {
          log.error({ err: error }, "cannot look up the key of a program that listens to events");
          next(new Error("try again"));
        },
      );
      return;
    }
    if (typeof desk === "string") {
      findDeskRoom(deps, desk, socket.request).then(
        (room) => {
          if (room !== null) socket.data.desk = room;
          next(room === null ? new Error("unknown merchant") : undefined);
        },
        (error: unknown) => {
          log.error({ err: error }, "cannot look up a merchant for a socket of the console");
          next(new Error("try again"));
        },
      );
      return;
    }
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

/** Returns why the socket is refused; null if it is admitted to the events of its key. */
async function admitProgram(
  { servedAt }: DeskAdmission,
  events: EventRooms,
  socket: Socket,
  key: string,
): Promise<string | null> {
  if (servedAt(socket.request.socket) === "console") return "not served at this port";
  const found = await events.findMerchant(key);
  if ("refusal" in found) return found.refusal;
  if (!events.hasPlace(found.merchantId)) return ROOM_FULL;
  socket.data.listensTo = found.merchantId;
  return null;
}

/** Disconnects those who may no longer follow: a person was removed, a session has ended, or a key was revoked. */
async function disconnectStrangers(io: SocketServer, deps: DeskAdmission, events: EventRooms): Promise<void> {
  for (const socket of io.sockets.sockets.values()) {
    const { desk: room, listensTo } = socket.data as { desk?: string; listensTo?: number };
    if (listensTo !== undefined) {
      const { key } = socket.handshake.auth as { key: string };
      if ("refusal" in (await events.findMerchant(key))) socket.disconnect(true);
    }
    if (room === undefined) continue;
    const { desk } = socket.handshake.auth as { desk: string };
    if ((await findDeskRoom(deps, desk, socket.request)) !== room) socket.disconnect(true);
  }
}

/** The room of "<merchant's code>/<env>" for the person of the cookie. null if there is no such room for them. */
async function findDeskRoom(
  { database: { db }, consoleUrl, servedAt }: DeskAdmission,
  desk: string,
  { socket, headers }: IncomingMessage,
): Promise<string | null> {
  if (consoleUrl === null || servedAt(socket) === "payers") return null;
  const token = readSessionToken(headers.cookie, consoleUrl);
  // Following payments is no use of the session: it ends where nobody uses the console.
  const signedIn = token === "" ? null : await findSession(db, token, new Date());
  const [code = "", given] = desk.split("/");
  const env = ENVS.find((one) => one === given);
  const workplace = signedIn && (await findWorkplace(db, signedIn, code));
  const isAllowed = workplace !== null && env !== undefined && may(workplace.role, "payments.view");
  return isAllowed ? deskRoom({ merchantId: workplace.merchantId, env }) : null;
}
