import { openLog } from "#lib/platform/log/open-log.ts";
import { openOperations } from "#lib/web/operations/open-operations.ts";
import { setServices } from "#lib/web/services.ts";
import { ConfigError, readConfig } from "./config.ts";
import { findOpenFiles } from "./find-open-files.ts";
import { loadEnvFile } from "./load-env-file.ts";
import { type DatabaseServer, openServices, startDatabase } from "./open-services.ts";
import { stopOnSignal } from "./stop-on-signal.ts";
import { logUncaughtOutput } from "./uncaught-output.ts";
import { logUnknown } from "./variables/find-unknown.ts";

const ending = stopOnSignal();
let database: DatabaseServer | undefined;
let envFileRead = true;

/** `npm start` and `npm run dev`: starts the roles of ROLES in this process and stops them in order. */
async function main(): Promise<void> {
  const namesOfFile = loadEnvFile(".env");
  envFileRead = namesOfFile !== null;
  const config = readConfig(process.env);
  const dev = process.argv.includes("--dev");
  // Next reads it, here and in its bundle.
  Object.assign(process.env, { NODE_ENV: dev ? "development" : "production" });
  const log = openLog(config.logLevel);
  logUncaughtOutput(log, { dev });
  const open = findOpenFiles([".env", config.dataDir]);
  if (open.length > 0) log.warn({ files: open }, "other users can read files with secrets: chmod go-rwx");
  logUnknown(log, process.env, namesOfFile ?? []);
  const server = startDatabase(config, log);
  database = server;
  ending.arm({ noticeMs: 0, stop: server.stop }, log);
  const { services, close } = await openServices(config, await server.url, log);
  setServices(services);
  const operations = openOperations(services);
  const running: { stop(timeIsUp: AbortSignal): Promise<void> }[] = [];
  if (config.roles.has("worker")) {
    const { startWorker } = await import("./start-worker.ts");
    running.push(await startWorker(services));
  }
  if (config.roles.has("web")) {
    const { startWeb } = await import("#lib/web/start-web.ts");
    running.push(await startWeb(services, operations, { dev }));
  }
  const { operationsPort } = config;
  const asked = operationsPort === null ? null : await operations.listen(operationsPort);
  const stop = async (timeIsUp: AbortSignal) => {
    operations.roles.running = false;
    await Promise.all(running.map((role) => role.stop(timeIsUp)));
    // Until the end it reports that this process is not ready.
    await asked?.stop();
    // In parallel: a hanging query ends with the database server.
    await Promise.all([close(), server.stop()]);
  };
  const noticeMs = config.roles.has("web") ? config.drainSeconds * 1_000 : 0;
  ending.arm({ noticeMs, stop }, log);
  operations.roles.running = true;
  process.send?.("ready");
}

main().catch(async (error: unknown) => {
  // A signal during the start stops the database under it. The process ends after that.
  if (ending.begun()) return;
  // An operator fixes the environment at the start and reads this on the terminal. Everything else is logged.
  const unread = envFileRead ? "" : "This user may not read .env. Only the environment counts.\n";
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n${unread}`);
  else openLog("info").fatal({ err: error }, "the process cannot start");
  await database?.stop();
  process.exit(1);
});
