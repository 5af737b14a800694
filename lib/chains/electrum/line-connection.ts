import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { NodeError } from "../node-error.ts";
import type { ServerUrl } from "./server-url.ts";

/** The server's answer to one call. `error` is the server's own answer, not a failed request. */
export type ElectrumAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string };

/** One open connection. All failures are NodeErrors. */
export interface LineConnection {
  /** Calls are sent at once and not one after the other: a server holds answers back for up to a second. */
  call(method: string, params: readonly unknown[]): Promise<ElectrumAnswer>;
  close(reason: NodeError): void;
}

export interface ConnectionOptions {
  readonly name: string;
  /** A server gives up on its own node after 30 s. */
  readonly timeoutMs: number;
  readonly connectMs: number;
  /** Returns why the certificate is refused. Null: it is accepted. */
  readonly checkCertificate: (socket: Socket) => Promise<string | null>;
  readonly onRequest: () => void;
  readonly onNotification: (method: string, params: readonly unknown[]) => void;
  readonly onClose: (reason: NodeError) => void;
}

/** The longest line that is read: a history of a server's largest answer (MAX_SEND) fits several times. */
const MAX_LINE = 32_000_000;

interface Waiting {
  readonly resolve: (answer: ElectrumAnswer) => void;
  readonly reject: (error: NodeError) => void;
  readonly timer: NodeJS.Timeout;
}

/** Connects. The connection keeps the process alive only while a call waits for its answer. */
export async function openLineConnection(
  url: ServerUrl,
  options: ConnectionOptions,
): Promise<LineConnection> {
  const { name, timeoutMs, checkCertificate, onRequest, onClose } = options;
  const socket = await connectSocket(url, options);
  const refusal = url.encrypted ? await checkCertificate(socket) : null;
  if (refusal !== null) {
    socket.destroy();
    throw new NodeError("unreachable", `${name}: ${refusal}`);
  }
  // Its end is heard of only from here on.
  if (socket.destroyed) throw new NodeError("unreachable", `${name} closed the connection`);
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  let closed: NodeError | null = null;

  function close(reason: NodeError): void {
    if (closed !== null) return;
    closed = reason;
    socket.destroy();
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    waiting.clear();
    onClose(reason);
  }
  function settle(id: number): Waiting | undefined {
    const entry = waiting.get(id);
    clearTimeout(entry?.timer);
    waiting.delete(id);
    if (waiting.size === 0) socket.unref();
    return entry;
  }
  const lost = (error?: Error) =>
    close(new NodeError("unreachable", `${name} closed the connection`, { cause: error }));
  socket.on("error", lost);
  socket.on("close", () => lost());
  readLines(socket, options, {
    onAnswer: (id, answer) => settle(id)?.resolve(answer),
    onBroken: () => close(new NodeError("malformed", `${name} sent something not JSON-RPC`)),
  });
  socket.unref();
  return {
    close,
    call(method, params) {
      return new Promise((resolve, reject) => {
        if (closed !== null) return reject(closed);
        const id = nextId++;
        const timer = setTimeout(() => {
          settle(id);
          reject(
            new NodeError("unreachable", `${name} did not answer ${method} within ${timeoutMs / 1_000} s`),
          );
        }, timeoutMs);
        waiting.set(id, { resolve, reject, timer });
        onRequest();
        socket.ref();
        socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      });
    },
  };
}

/** Connects, whatever certificate the server shows. Throws NodeError. */
export function connectSocket(
  url: ServerUrl,
  { name, connectMs }: Pick<ConnectionOptions, "name" | "connectMs">,
): Promise<Socket> {
  const { host, port, encrypted } = url;
  return new Promise((resolve, reject) => {
    // The certificate is checked by checkCertificate: most servers sign their own.
    const socket = encrypted
      ? connectTls({ host, port, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) })
      : connectTcp({ host, port });
    const fail = (cause?: Error) => {
      clearTimeout(timer);
      socket.destroy();
      const code = cause && "code" in cause ? ` (${String(cause.code)})` : "";
      reject(new NodeError("unreachable", `${name} cannot be reached${code}`, { cause }));
    };
    const timer = setTimeout(fail, connectMs);
    socket.once("error", fail);
    socket.once(encrypted ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      socket.on("error", () => {});
      socket.setNoDelay();
      resolve(socket);
    });
  });
}

/** Cuts what arrives into lines of JSON, and passes answers and notifications on. */
function readLines(
  socket: Socket,
  { onNotification }: ConnectionOptions,
  to: { onAnswer: (id: number, answer: ElectrumAnswer) => void; onBroken: () => void },
): void {
  let parts: Buffer[] = [];
  let held = 0;
  socket.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]).toString("utf8");
      parts = [];
      held = 0;
      start = end + 1;
      if (!passOn(line)) return to.onBroken();
    }
    parts.push(chunk.subarray(start));
    held += chunk.length - start;
    if (held > MAX_LINE) to.onBroken();
  });
  function passOn(line: string): boolean {
    const message = parseObject(line);
    if (message === null) return false;
    const { id, method, params, result, error } = message;
    if (typeof method === "string") onNotification(method, Array.isArray(params) ? params : []);
    else if (typeof id === "number") {
      to.onAnswer(id, error === undefined || error === null ? { ok: true, result } : readError(error));
    } else return false;
    return true;
  }
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function readError(error: unknown): ElectrumAnswer {
  const { code, message } = (typeof error === "object" ? error : { message: error }) as Record<
    string,
    unknown
  >;
  return {
    ok: false,
    code: typeof code === "number" ? code : 0,
    message: String(message ?? "no reason given").slice(0, 200),
  };
}
