import type { Server } from "node:http";
import type { Socket } from "node:net";

/** A client has this long to take what waits for it. 1 MiB in this time is 52 kB a second. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 5_000;

/** How a connection was seen last. */
interface Look {
  /** Bytes that the client took. Grows only when the system has accepted everything of one write. */
  readonly taken: number;
  readonly at: number;
}

/**
 * Destroys connections whose client does not read: something waits for it, and for 20 seconds it has not taken it whole.
 * Otherwise a client that asks for large answers and reads none fills the memory. Call it before the server listens.
 * Returns a function that stops it. `clock` is monotonic, in milliseconds.
 */
export function cutStalledReaders(
  server: Server,
  onCut: (connections: number) => void,
  clock: () => number = () => performance.now(),
): () => void {
  const looks = new Map<Socket, Look>();
  server.on("connection", (socket: Socket) => {
    looks.set(socket, { taken: 0, at: clock() });
    socket.once("close", () => looks.delete(socket));
  });
  const timer = setInterval(() => {
    const now = clock();
    let cut = 0;
    for (const [socket, last] of looks) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== last.taken) looks.set(socket, { taken, at: now });
      else if (now - last.at >= PATIENCE_MS) {
        socket.destroy();
        looks.delete(socket);
        cut += 1;
      }
    }
    if (cut > 0) onCut(cut);
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
