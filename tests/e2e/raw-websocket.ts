import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { until } from "#tests/support/until.ts";

/** Frame types (RFC 6455). */
export const FRAME = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A raw WebSocket, so that a test can send what no client sends. */
export interface RawWebsocket {
  readonly tcp: Socket;
  /** The status of the handshake's answer. 101: the socket is open. */
  readonly status: number;
  /** Texts of the server's frames in order of arrival. */
  readonly heard: string[];
  closed(): boolean;
  /** Sends texts as whole frames. */
  say(...texts: string[]): void;
  write(bytes: Buffer): void;
  waitForEnd(what: string): Promise<void>;
}

/** Shorter than the time after which the server gives up a socket that does not answer its pings. */
const END_MS = 20_000;

/** One masked frame, as clients send them. `bits`: FIN and the reserved bits. */
export function frame(kind: number, payload: Buffer | string, bits = 0x80): Buffer {
  const data = Buffer.from(payload);
  const length =
    data.length < 126
      ? Buffer.from([0x80 | data.length])
      : Buffer.from([0xfe, data.length >> 8, data.length & 255]);
  const mask = randomBytes(4);
  const masked = data.map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return Buffer.concat([Buffer.from([bits | kind]), length, mask, masked]);
}

/** Requests an upgrade and reads the answer. `target` is the request target with its query. */
export async function openRaw(
  origin: string,
  target = "/realtime/?EIO=4&transport=websocket",
  headers: Readonly<Record<string, string>> = {},
): Promise<RawWebsocket> {
  const { hostname, port, host } = new URL(origin);
  const tcp = connect(Number(port), hostname);
  tcp.on("error", () => {});
  const all = {
    host,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  tcp.write(`GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  let bytes: Buffer = Buffer.alloc(0);
  const heard: string[] = [];
  let status = 0;
  tcp.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (status === 0 && end >= 0) {
      status = Number(bytes.subarray(9, 12).toString());
      bytes = bytes.subarray(end + 4);
    }
    if (status === 101) bytes = readFrames(bytes, heard);
  });
  await Promise.race([until("the handshake", () => status > 0), once(tcp, "close")]);
  return {
    tcp,
    status,
    heard,
    closed: () => tcp.destroyed,
    say: (...texts) => {
      for (const text of texts) tcp.write(frame(FRAME.text, text));
    },
    write: (data) => void tcp.write(data),
    waitForEnd: (what) =>
      until(`the end of the connection: ${what}`, () => tcp.destroyed, { withinMs: END_MS }).then(
        () => undefined,
      ),
  };
}

/** Parses whole frames at the start. The server's frames are short and not masked. */
function readFrames(bytes: Buffer, heard: string[]): Buffer {
  let rest = bytes;
  while (rest.length >= 2) {
    const short = (rest[1] ?? 0) & 127;
    const start = short === 126 ? 4 : 2;
    if (rest.length < start) break;
    const end = start + (short === 126 ? rest.readUInt16BE(2) : short);
    if (rest.length < end) break;
    if (((rest[0] ?? 0) & 15) === FRAME.text) heard.push(rest.subarray(start, end).toString());
    rest = rest.subarray(end);
  }
  return rest;
}
