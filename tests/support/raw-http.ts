import { connect, type Socket } from "node:net";

/** What came back, byte for byte as text; `status` is 0 where it is no answer of HTTP. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Sends these very bytes, which no client of a library would, and reads until the server hangs up or has answered whole
 * (a connection that stays open is hung up by us after `quietMs` without a byte).
 */
export function sendRaw(url: string, bytes: string, { quietMs = 1_000 } = {}): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname);
    let text = "";
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    // Hung up on while we were still sending.
    socket.on("error", () => {});
    socket.on("close", () => {
      const [head = "", ...body] = text.split("\r\n\r\n");
      const status = Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(head)?.[1] ?? 0);
      resolve({ status, head, body: body.join("\r\n\r\n") });
    });
    socket.write(Buffer.from(bytes, "latin1"));
  });
}
