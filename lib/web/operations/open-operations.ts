import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Services } from "#lib/web/services.ts";
import { openMetrics, type RequestArea } from "./metrics.ts";
import { operationsListener } from "./operations-listener.ts";

/** Health and metrics of a process, for its operator. */
export interface Operations {
  /** True while every role runs: set after the start, cleared when a stop begins. */
  readonly roles: { running: boolean };
  observe(area: RequestArea, request: IncomingMessage, response: ServerResponse): void;
  /** Answers /healthz, /readyz and /metrics. Returns false for any other request. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  /** Opens a server for these endpoints only. A process without the web role has no other server. */
  listen(port: number): Promise<{ stop(): Promise<void> }>;
}

export function openOperations(services: Services): Operations {
  const { config, log } = services;
  const metrics = openMetrics({ ...services, mail: services.config.mail !== null });
  const roles = { running: false };
  const { metricsToken } = config;
  const answers = operationsListener({ ...services, metrics, metricsToken, roles });
  return {
    roles,
    observe: metrics.observe,
    answers,
    async listen(port) {
      const server = createServer((request, response) => {
        if (answers(request, response)) return;
        response.writeHead(404, { "content-type": "application/json" });
        response.end('{"status":"not found"}');
      });
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, config.host, resolve);
      });
      log.info({ port }, "health and metrics are listening");
      return {
        async stop() {
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
        },
      };
    },
  };
}
