import type { Logger } from "pino";
import type { Socket, Server as SocketServer } from "socket.io";
import { parseApiKey } from "#lib/domain/merchants/api-keys.ts";
import {
  findNewestTestEvent,
  type HeardEvent,
  listTestEvents,
  listTestEventsAfter,
  parseEventNotice,
} from "#lib/domain/webhooks/event-queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { authenticateRequest, KEY_HEADERS } from "#lib/web/api/authenticate.ts";
import { ERRORS } from "#lib/web/api/errors.ts";

const ROOM = "events:";
/** Programs that may listen to a merchant's events in this process at the same time. */
const MAX_PROGRAMS = 10;
/** Events that are read and sent at once, also those that a program has missed while it was away. */
const MAX_BATCH = 100;
/** Events of a merchant that wait to be read and sent. More are skipped. */
const MAX_WAITING = 1_000;
/** Bytes that may wait in this process for one slow connection before it is closed, and that are written to it at once. */
const MAX_UNSENT_BYTES = 2 ** 21;

/** The part of an engine.io connection that this file uses. */
interface Connection {
  readonly writeBuffer: readonly { readonly data?: unknown }[];
  readonly request: { readonly socket: { readonly writableLength: number; destroy(): void } };
}

/** The rooms of programs that listen to the events of a test key. */
export interface EventRooms {
  /** Finds the merchant whose events a key may read, or why it may not. */
  findMerchant(key: string): Promise<{ readonly merchantId: number } | { readonly refusal: string }>;
  /** False: the room of the merchant is full. */
  hasPlace(merchantId: number): boolean;
  /** Joins the room that the socket was admitted to. False: the socket is not of such a program. */
  join(socket: Socket): boolean;
  /** Receives a notification of CHANNELS.testEvents. */
  receive(payload: string): void;
  /** Closes the connections of all programs: each connects again and asks for what it has missed. */
  closeAll(): void;
}

/** Why a socket of a program is refused, in addition to the errors of the API. */
export const LIVE_KEY_REFUSED = "only a test key can listen to events";
export const ROOM_FULL = "ten programs listen to this merchant's events already";

/**
 * A program receives `joined` with the id of the newest event, then `event` with the id, type and exact text of each one, and `skipped`
 * where events were left out because there were too many at once. Everything that waits here is bounded.
 */
export function openEventRooms(
  io: SocketServer,
  { db, log }: { readonly db: Db; readonly log: Logger },
): EventRooms {
  const roomOf = (merchantId: number) => ROOM + merchantId;
  const idsIn = (merchantId: number) => io.sockets.adapter.rooms.get(roomOf(merchantId)) ?? new Set<string>();
  const hasPlace = (merchantId: number) => idsIn(merchantId).size < MAX_PROGRAMS;
  const closeAll = () => {
    for (const socket of io.sockets.sockets.values())
      if (merchantOf(socket) !== null) closeConnection(socket);
  };
  const queue = openQueue(async (merchantId, ids, isShortened) => {
    try {
      const events = await listTestEvents(db, merchantId, ids);
      for (const id of idsIn(merchantId)) {
        const socket = io.sockets.sockets.get(id);
        if (socket !== undefined) sendEvents(socket, events, isShortened);
      }
    } catch (error) {
      log.error({ err: error }, "cannot read events for the programs that listen to them");
      closeAll();
    }
  });

  return {
    hasPlace,
    closeAll,
    async findMerchant(key) {
      const parsed = parseApiKey(key);
      // A malformed one may be no header at all.
      if (parsed === null) return { refusal: ERRORS.invalid_api_key.message };
      if (parsed.env === "live") return { refusal: LIVE_KEY_REFUSED };
      const headers = new Headers({ [KEY_HEADERS.test]: key });
      const allowed = { scopes: ["read", "webhooks"], action: "developers.view" } as const;
      const found = await authenticateRequest(db, { headers, clientAddress: "" }, allowed, new Date());
      return found.ok ? { merchantId: found.caller.merchant.id } : { refusal: ERRORS[found.reason].message };
    },
    join(socket) {
      const merchantId = merchantOf(socket);
      if (merchantId === null) return false;
      // Others that were admitted at the same time have joined. Its next try is refused.
      if (!hasPlace(merchantId)) {
        closeConnection(socket);
        return true;
      }
      void socket.join(roomOf(merchantId));
      // Read after the join, so that an event in between is in this answer or sent to the room.
      greet(db, socket, merchantId).catch((error: unknown) => {
        log.error({ err: error }, "cannot read the events that a program has missed");
        closeConnection(socket);
      });
      return true;
    },
    receive(payload) {
      const notice = parseEventNotice(payload);
      if (notice !== null && idsIn(notice.merchantId).size > 0) queue.add(notice);
    },
  };
}

/** Event ids that wait for `send`, by merchant. It is called for a batch of one merchant after another. */
function openQueue(
  send: (merchantId: number, ids: readonly number[], isShortened: boolean) => Promise<void>,
): { add(notice: { readonly id: number; readonly merchantId: number }): void } {
  const waiting = new Map<number, { ids: number[]; isShortened: boolean }>();
  let isSending = false;

  async function sendAll(): Promise<void> {
    if (isSending) return;
    isSending = true;
    for (const [merchantId, { ids, isShortened }] of waiting) {
      waiting.delete(merchantId);
      const batch = ids.splice(0, MAX_BATCH);
      // Behind the other merchants. A map is iterated to entries that are added meanwhile.
      if (ids.length > 0) waiting.set(merchantId, { ids, isShortened });
      await send(merchantId, batch, isShortened && ids.length === 0);
    }
    isSending = false;
  }

  return {
    add({ id, merchantId }) {
      const entry = waiting.get(merchantId) ?? { ids: [], isShortened: false };
      if (entry.ids.length < MAX_WAITING) entry.ids.push(id);
      else entry.isShortened = true;
      waiting.set(merchantId, entry);
      void sendAll();
    },
  };
}

/** The merchant that a socket was admitted to listen to. Null: the socket is not of such a program. */
function merchantOf(socket: Socket): number | null {
  const { listensTo } = socket.data as { listensTo?: number };
  return listensTo ?? null;
}

/** Sends what the program has missed, if it says which event it has seen last. */
async function greet(db: Db, socket: Socket, merchantId: number): Promise<void> {
  const { after } = socket.handshake.auth as { after?: unknown };
  socket.emit("joined", await findNewestTestEvent(db, merchantId));
  if (typeof after !== "number" || !Number.isSafeInteger(after) || after < 0) return;
  const missed = await listTestEventsAfter(db, merchantId, { after, limit: MAX_BATCH + 1 });
  sendEvents(socket, missed.slice(0, MAX_BATCH), missed.length > MAX_BATCH);
}

/** `isShortened`: more were to be sent. Closes the connection of a program that does not read. */
function sendEvents(socket: Socket, events: readonly HeardEvent[], isShortened: boolean): void {
  if (countUnsent(socket) > MAX_UNSENT_BYTES) {
    closeConnection(socket);
    return;
  }
  let bytes = 0;
  const fitting = events.filter(({ body }) => {
    bytes += Buffer.byteLength(body);
    return bytes <= MAX_UNSENT_BYTES;
  });
  for (const event of fitting) socket.emit("event", event);
  if (isShortened || fitting.length < events.length) socket.emit("skipped");
}

const connectionOf = (socket: Socket) => socket.conn as unknown as Connection;

/** The bytes that wait for the program to read, in this process. */
function countUnsent(socket: Socket): number {
  const { writeBuffer, request } = connectionOf(socket);
  const waiting = writeBuffer.map(({ data }) => (typeof data === "string" ? Buffer.byteLength(data) : 0));
  return waiting.reduce((sum, bytes) => sum + bytes, request.socket.writableLength);
}

/** Without a goodbye, so that the program connects again, and at once, so that nothing unsent stays in memory. */
function closeConnection(socket: Socket): void {
  connectionOf(socket).request.socket.destroy();
}
