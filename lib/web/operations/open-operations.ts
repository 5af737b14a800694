import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Services } from "#lib/web/services.ts";
import { openMetrics, type RequestArea } from "./metrics.ts";
import { operationsListener } from "./operations-listener.ts";

/** What whoever runs the program asks of a process. */
export interface Operations {
  /** Set once every role has started, and taken back when it is told to stop. */
  readonly roles: { running: boolean };
  observe(area: RequestArea, request: IncomingMessage, response: ServerResponse): void;
  /** Answers /healthz, /readyz and /metrics; false: the request asks for something else. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  /** A server for these alone: a process without the web role has no other. */
  listen(port: number): Promise<{ stop(): Promise<void> }>;
}

export function openOperations(services: Services): Operations {
  const { config, log } = services;
  const metrics = openMetrics(services);
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
