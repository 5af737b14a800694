import { io } from "socket.io-client";
import * as z from "zod";
import type { Service } from "./service.ts";

const LONGEST_RETRY_MS = 5_000;
/** The pause after the server has ended the connection itself. */
const RETRY_MS = 500;
/**
 * An event may be stored later than one with a higher id. After an interruption, the events from this far below the newest are asked for
 * again. Fewer than the service sends at once, so that the missed ones fit in its answer too.
 */
const ASKED_AGAIN = 50;
/** Ids of events that are kept to recognize repeats. */
const MAX_SEEN = 1_000;

const heardEvent = z.object({
  id: z.number().int().positive(),
  type: z.string().regex(/^[a-z_]{1,64}$/),
  body: z.string(),
});
export type HeardEvent = z.infer<typeof heardEvent>;

export interface EventSocketOptions {
  onEvent(event: HeardEvent): void;
  /** The server sends events from now on. Called again after each new connection. */
  onJoined?(): void;
  /** Events were left out, because too many came at once or the connection was away for too long. */
  onSkipped?(): void;
  /** The connection is away. It is opened again. Called once until the next onJoined. */
  onLost?(reason: string): void;
  /** The server refuses the key. The socket is closed. */
  onRefused(reason: string): void;
}

/**
 * Receives the events of a test key, each once, and stays connected. After an interruption it asks for the events that it missed.
 * Returns what closes it.
 */
export function openEventSocket(
  { origin, key }: Service,
  { onEvent, onJoined, onSkipped, onLost, onRefused }: EventSocketOptions,
): () => void {
  /** The newest event before the first connection: older ones are not wanted. undefined until it is known. */
  let first: number | undefined;
  /** The newest event that is known. */
  let newest = 0;
  let isLost = false;
  const seen = new Set<number>();
  const socket = io(origin, {
    path: "/realtime",
    transports: ["websocket"],
    reconnectionDelayMax: LONGEST_RETRY_MS,
    auth: (send) =>
      send({ key, ...(first !== undefined && { after: Math.max(first, newest - ASKED_AGAIN) }) }),
  });
  const lose = (reason: string) => {
    if (!isLost) onLost?.(reason);
    isLost = true;
  };
  const retry = () => setTimeout(() => socket.connect(), RETRY_MS).unref();

  socket.on("joined", (id: unknown) => {
    isLost = false;
    if (typeof id === "number") first ??= id;
    onJoined?.();
  });
  socket.on("skipped", () => onSkipped?.());
  socket.on("event", (given: unknown) => {
    const { success, data } = heardEvent.safeParse(given);
    if (!success || seen.has(data.id)) return;
    seen.add(data.id);
    const [oldest] = seen;
    if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
    newest = Math.max(newest, data.id);
    onEvent(data);
  });
  socket.on("disconnect", (reason) => {
    if (reason === "io client disconnect") return;
    lose(reason);
    // The library does not connect again if the server has ended it: the key was revoked, or the server stops.
    if (reason === "io server disconnect") retry();
  });
  socket.on("connect_error", (error) => {
    if (socket.active) return lose(error.message);
    // The server's answer to the key.
    if (error.message === "try again") return void retry();
    socket.close();
    onRefused(error.message);
  });
  return () => socket.close();
}
