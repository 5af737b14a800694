import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { pino } from "pino";
import { createApiListener } from "#lib/web/api/app.ts";
import type { ApiServices } from "#lib/web/api/types.ts";
import { startRealtime } from "#lib/web/realtime/serve-realtime.ts";
import type { TestDatabase } from "#tests/support/database.ts";

/** Serves the socket, and the API if its services are given, on one port as a whole server does. It is closed after the file's tests. */
export async function startServiceServer({ database }: TestDatabase, services?: ApiServices) {
  const log = pino({ level: "silent" });
  const answer = services === undefined ? undefined : createApiListener(services);
  const server = createServer(answer ?? ((_request, response) => response.end()));
  const realtime = await startRealtime(server, {
    ...{ database, log, publicOrigins: [], socketsPerAddress: 1_000, consoleUrl: null, deskCheckMs: 20 },
    servedAt: () => "all",
    addressOf: () => "127.0.0.1",
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(async () => {
    await realtime.stop();
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
