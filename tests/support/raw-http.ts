import { connect, type Socket } from "node:net";

/** A response as text, byte for byte. `status` is 0 if it is not an HTTP response. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** For a server that never answers: one with much else to do may need seconds. */
const PATIENCE_MS = 30_000;
/** A response that has begun is whole after this time without a byte. */
const QUIET_MS = 1_000;

/**
 * Sends exactly these bytes, which an HTTP library would refuse to send. Reads until the server closes the
 * connection, or says no more.
 */
export function sendRaw(url: string, bytes: string): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname);
    let text = "";
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      socket.setTimeout(QUIET_MS);
    });
    // The server closed the connection while the request was still being sent.
    socket.on("error", () => {});
    socket.on("close", () => {
      const [head = "", ...body] = text.split("\r\n\r\n");
      const status = Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(head)?.[1] ?? 0);
      resolve({ status, head, body: body.join("\r\n\r\n") });
    });
    socket.write(Buffer.from(bytes, "latin1"));
  });
}
