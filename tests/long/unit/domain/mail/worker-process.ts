import { pino } from "pino";
import { startMailWorker } from "#lib/domain/mail/mail-worker.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { mailConfig } from "#tests/support/smtp.ts";

/** A worker in its own process, for tests that kill it: `node worker-process.ts <database url> <port> <timeout ms>`. */
const [url = "", port = "", timeoutMs = ""] = process.argv.slice(2);
await startMailWorker({
  database: openDatabase(url),
  config: mailConfig(Number(port)),
  log: pino({ level: "error" }),
  timeoutMs: Number(timeoutMs),
});
