import { pino } from "pino";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { agent, plainSecrets } from "#tests/unit/domain/webhooks/receiver.ts";

/**
 * A worker in its own process, for tests that kill it: `node worker-process.ts <database url> <timeout ms>`.
 */
const [url = "", timeoutMs = "15000"] = process.argv.slice(2);
await startWebhookWorker({
  database: openDatabase(url),
  secrets: plainSecrets,
  agent,
  log: pino({ level: "error" }),
  timeoutMs: Number(timeoutMs),
});
