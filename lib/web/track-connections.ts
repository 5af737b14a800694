import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as Port, Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Time for open sockets to close, and for silent connections to send something. */
const GOODBYE_MS = 1_000;

export interface TrackedConnections {
  /** From now on every answer closes its connection. */
  leave(): void;
  /**
   * Accepts no connections, also at the other ports of the server (`others`), and resolves when every request is answered.
   * Connections that are open at `timeIsUp` are destroyed. Returns how many.
   */
  close(timeIsUp: AbortSignal, others?: readonly Port[]): Promise<number>;
}

/**
 * Tracks the connections of a server, so that it can stop without aborting an answer. Call it before the
 * server listens.
 */
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
    async close(timeIsUp, others = []) {
      leave();
      // The server also closes idle connections between two requests, of every port.
      const closed = Promise.all(
        [...others, server].map((one) => new Promise<void>((resolve) => one.close(() => resolve()))),
      );
      const goodbye = setTimeout(() => {
        // Node does not treat a connection without data as idle. Browsers open some in advance.
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
  // The client expects the connection to stay open. It is idle after this answer.
  else response.once("close", () => socket.end());
}
