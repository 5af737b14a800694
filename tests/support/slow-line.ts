import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line between two regions: a fake, because not every kernel can delay real packets. */
export interface SlowLine {
  readonly port: number;
  /** Loses what is on its way, closes every connection and refuses new ones. */
  cut(): void;
}

/** Forwards connections to a port of this machine. Everything arrives `oneWayMs` later, in each direction. */
export async function startSlowLine(toPort: number, oneWayMs: number): Promise<SlowLine> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(toPort, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.setNoDelay();
      one.on("error", () => {});
      // Timers of one length end in their order.
      one.on("data", (bytes) => setTimeout(() => other.destroyed || other.write(bytes), oneWayMs));
      one.on("close", () => {
        open.delete(one);
        setTimeout(() => other.destroy(), oneWayMs);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
