import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Relay {
  readonly port: number;
  /** Ends the open connections. */
  cut(): void;
  /** Passes nothing on in either direction while it is silent, and accepts connections. */
  silence(silent: boolean): void;
  close(): Promise<void>;
}

/** Passes connections on to a port of this machine. */
export async function startRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((client) => {
    const upstream = connect(to, "127.0.0.1");
    const ends = [client, upstream] as const;
    for (const [from, other] of [ends, ends.toReversed() as [Socket, Socket]]) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("data", (chunk) => {
        if (!silent) other.write(chunk);
      });
      from.on("close", () => {
        sockets.delete(from);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    silence(now) {
      silent = now;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
