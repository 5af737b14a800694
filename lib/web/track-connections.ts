import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How long open sockets have to say goodbye, and connections that have sent nothing yet to begin. */
const GOODBYE_MS = 1_000;

export interface TrackedConnections {
  /** From now on every answer is its connection's last. */
  leave(): void;
  /**
   * Accepts nobody any more, and resolves when everybody has been answered; those who have not been at `timeIsUp` are cut
   * off. Answers how many those were.
   */
  close(timeIsUp: AbortSignal): Promise<number>;
}

/** Follows the connections of a server, so that it can be left without breaking off an answer. Call it before it listens. */
export function trackConnections(server: Server): TrackedConnections {
  const open = new Set<Socket>();
  const upgraded = new Set<Duplex>();
  const underWay = new Map<ServerResponse, IncomingMessage>();
  let leaving = false;

  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("upgrade", (_request, socket: Duplex) => {
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
  });
  server.prependListener("request", (request, response) => {
    if (leaving) return makeLast(request, response);
    underWay.set(response, request);
    response.once("close", () => underWay.delete(response));
  });

  function leave(): void {
    leaving = true;
    for (const [response, request] of underWay) makeLast(request, response);
  }

  return {
    leave,
    async close(timeIsUp) {
      leave();
      // Closes those at rest between two requests, too.
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const goodbye = setTimeout(() => {
        // For Node a connection that has sent nothing is not at rest: browsers open some in advance.
        for (const socket of open) if (upgraded.has(socket) || socket.bytesRead === 0) socket.destroy();
      }, GOODBYE_MS);
      let cut = 0;
      const cutOff = () => {
        cut = open.size;
        for (const socket of open) socket.destroy();
      };
      timeIsUp.addEventListener("abort", cutOff, { once: true });
      if (timeIsUp.aborted) cutOff();
      await closed;
      clearTimeout(goodbye);
      timeIsUp.removeEventListener("abort", cutOff);
      return cut;
    },
  };
}

function makeLast({ socket }: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
  // It was told that the connection stays; it is at rest once this answer is out.
  else response.once("close", () => socket.end());
}
