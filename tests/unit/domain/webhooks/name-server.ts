import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;

export interface NameServer {
  /** "127.0.0.1:port" */
  readonly address: string;
  /** Queried names with "A" or "AAAA", in their order. */
  readonly asked: string[];
  close(): void;
}

/**
 * A name server on loopback over UDP (RFC 1035). `answer` returns the addresses of a name for each query,
 * null for a name that does not exist, or "silence" for no answer. Nothing may be cached (TTL 0).
 */
export async function startNameServer(
  answer: (name: string, type: "A" | "AAAA") => readonly string[] | null | "silence",
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, peer) => {
    const { name, type, end } = readQuestion(query);
    if (type !== TYPE_A && type !== TYPE_AAAA) return;
    const kind = type === TYPE_A ? "A" : "AAAA";
    asked.push(`${name} ${kind}`);
    const found = answer(name, kind);
    if (found === "silence") return;
    const addresses = (found ?? []).filter((address) => isIPv4(address) === (type === TYPE_A));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (found === null ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) => record(type, address));
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), peer.port, peer.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

/** The first question of a query; `end` is the byte after it. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + size));
    at += 1 + size;
  }
  // Resolvers send names in mixed case to detect forged answers.
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A resource record for the name of the question. */
function record(type: number, address: string): Buffer {
  const bytes = type === TYPE_A ? Buffer.from(address.split(".").map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

function ipv6Bytes(address: string): Buffer {
  // A URL writes it in groups of hexadecimal digits only.
  const [left = "", right = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (half: string) => half.split(":").filter((group) => group !== "");
  const missing = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array<string>(missing).fill("0"), ...groups(right)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
