import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** How often each server is asked whether it is ready. */
const ASK_MS = 200;

export interface Balancer {
  readonly origin: string;
  /** Whether the server of a port is ready, as far as known. */
  uses(port: number): boolean;
  /** Sockets that are open to the server of a port. */
  socketsTo(port: number): number;
  close(): Promise<void>;
}

/**
 * Forwards requests and sockets to the servers of these ports in turn, over connections that it keeps, to
 * those whose /readyz answers 200. Like nginx, it takes the next one when a connection is refused, and
 * repeats safe requests elsewhere. For any other failure it answers 502.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(ports);
  const sockets = new Map(ports.map((port) => [port, new Set<Socket>()]));
  const turns = { request: 0, socket: 0 };

  const ask = (port: number) =>
    fetch(`http://127.0.0.1:${port}/readyz`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(2_000),
    }).then(
      ({ ok }) => (ok ? ready.add(port) : ready.delete(port)),
      () => ready.delete(port),
    );
  const asking = setInterval(() => ports.forEach((port) => void ask(port)), ASK_MS);

  /** The ready servers in turn, then the others: one that may refuse is better than none. */
  function order(kind: "request" | "socket"): number[] {
    turns[kind] += 1;
    const turned = ports.map((_, i) => ports[(turns[kind] + i) % ports.length] ?? 0);
    return [...turned.filter((port) => ready.has(port)), ...turned.filter((port) => !ready.has(port))];
  }

  async function handOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "GET" } = request;
    for (const port of order("request")) {
      const result = await tryOne(port, request, Buffer.concat(chunks), response);
      if (result === "answered") return;
      if (result === "broken" && !["GET", "HEAD"].includes(method)) break;
    }
    response.writeHead(502).end("bad gateway");
  }

  function tryOne(port: number, { method, url, headers }: IncomingMessage, body: Buffer, to: ServerResponse) {
    const { promise, resolve } = Promise.withResolvers<"answered" | "refused" | "broken">();
    const options = { host: "127.0.0.1", port, method, path: url, headers, agent };
    const upstream = send(options, (answer) => {
      const { connection, "keep-alive": _, ...others } = answer.headers;
      to.writeHead(answer.statusCode ?? 502, others);
      answer.pipe(to);
      answer.once("error", () => to.destroy());
      resolve("answered");
    });
    upstream.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") ready.delete(port);
      resolve(error.code === "ECONNREFUSED" ? "refused" : "broken");
    });
    upstream.end(body);
    return promise;
  }

  /** Forwards a socket as it is when a server accepts its connection. */
  async function join(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    client.on("error", () => {});
    for (const port of order("socket")) {
      const server = await reach(port);
      if (server === null) continue;
      const open = sockets.get(port);
      open?.add(server);
      server.once("close", () => {
        open?.delete(server);
        client.destroy();
      });
      client.once("close", () => server.destroy());
      const lines = request.rawHeaders.flatMap((text, i, all) => (i % 2 ? [] : [`${text}: ${all[i + 1]}`]));
      server.write(`GET ${request.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      server.write(head);
      client.pipe(server).pipe(client);
      return;
    }
    client.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n");
  }

  const server = createServer((request, response) => {
    handOn(request, response).catch(() => response.destroy());
  });
  server.on("upgrade", (request, client: Socket, head) => void join(request, client, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uses: (port) => ready.has(port),
    socketsTo: (port) => sockets.get(port)?.size ?? 0,
    async close() {
      clearInterval(asking);
      server.closeAllConnections();
      for (const open of sockets.values()) for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

function reach(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.on("error", () => resolve(null));
  });
}
