import type { Server } from "node:http";
import { type AddressInfo, createServer, type Server as Port, type Socket } from "node:net";

/** The pages that the port of a connection serves. Without CONSOLE_PORT, one port serves all. */
type Served = "all" | "console" | "payers";

export interface WebPorts {
  /** More ports of the server. Their connections are its own, with the same limits. */
  readonly others: readonly Port[];
  servedAt(socket: Socket): Served;
  /** Opens the server's own port and the other ports. Throws if a port is taken. */
  listen(options: ListenOptions): Promise<{
    readonly port: number;
    /** The port at which Next reaches every page of this process. */
    readonly portForNext: number;
  }>;
}

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly backlog: number;
}

/**
 * The ports of a server whose console has one of its own (CONSOLE_PORT): its first, that one, and one of the loopback address for Next, which fetches the next page after an action from this process. null: one port serves all.
 */
export function createWebPorts(server: Server, consolePort: number | null): WebPorts {
  const served = new WeakMap<Socket, Served>();
  const portFor = (what: Served): Port =>
    // As the server's own connections: no answer waits until it fills a packet.
    createServer({ noDelay: true }, (socket) => {
      served.set(socket, what);
      server.emit("connection", socket);
    });
  if (consolePort === null) {
    const listen = async (options: ListenOptions) => {
      const port = await open(server, options);
      return { port, portForNext: port };
    };
    return { others: [], servedAt: () => "all", listen };
  }
  const [forConsole, forNext] = [portFor("console"), portFor("all")];
  return {
    others: [forConsole, forNext],
    servedAt: (socket) => served.get(socket) ?? "payers",
    async listen(options) {
      const port = await open(server, options);
      await open(forConsole, { ...options, port: consolePort });
      return { port, portForNext: await open(forNext, { ...options, port: 0, host: "127.0.0.1" }) };
    },
  };
}

/** Resolves with the port. */
async function open(one: Port, options: ListenOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    one.once("error", reject);
    one.listen(options, resolve);
  });
  return (one.address() as AddressInfo).port;
}
