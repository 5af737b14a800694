import { type RequestListener, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { createApi } from "./app.ts";
import { toApiResponse, toWebResponse } from "./envelope.ts";
import { failure } from "./errors.ts";
import type { ApiServices } from "./types.ts";

/** The API as a request listener of node:http; a request that makes no URL is answered in the envelope too. */
export function createApiListener(services: ApiServices): RequestListener {
  const app = createApi(services);
  return getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => toWebResponse(toApiResponse(failure("bad_request"))),
  });
}

/** For the server's `clientError`: what is no HTTP at all gets the envelope as well, and the connection ends. */
export function respondToClientError(_error: Error, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = toApiResponse(failure("bad_request"));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
