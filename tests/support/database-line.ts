import { connect, createServer, type Server, type Socket } from "node:net";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import type { World } from "./stack.ts";

/** The connection between a world's server and its database. */
export interface DatabaseLine {
  /** Closes every connection and refuses new ones, as while PostgreSQL is stopped. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Restarts the world's server with a database that can be taken away. The test's own connections remain. */
export async function startDatabaseLine(world: World): Promise<DatabaseLine> {
  const database = new URL(world.db.url);
  // A port that nothing else takes while the line is cut.
  const port = await choosePort(0);
  const open = new Set<Socket>();
  let server: Server;
  const restore = async () => {
    server = createServer((client) => {
      const upstream = connect(Number(database.port), database.hostname);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        open.add(one);
        one.on("error", () => {});
        one.on("close", () => {
          open.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  };
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  await restore();
  const { DATABASE_URL: before = "" } = world.env;
  const restart = async (url: string) => {
    await world.server().stop();
    Object.assign(world.env, { DATABASE_URL: url });
    await world.startServer();
  };
  await restart(Object.assign(new URL(before), { hostname: "127.0.0.1", port: String(port) }).href);
  return {
    cut,
    restore,
    async close() {
      await restart(before);
      await cut();
    },
  };
}
