import { existsSync } from "node:fs";
import { openLog } from "#lib/log/open-log.ts";
import { catchStrays } from "./catch-strays.ts";
import { ConfigError, readConfig } from "./config.ts";
import { openServices } from "./open-services.ts";
import { openOperations } from "./operations/open-operations.ts";
import { setServices } from "./services.ts";

/** `npm start` and `npm run dev`: boots the roles of ROLES in this process and ends them in order. */
async function main(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const config = readConfig(process.env);
  const dev = process.argv.includes("--dev");
  // Next reads it, here and in what it bundles.
  Object.assign(process.env, { NODE_ENV: dev ? "development" : "production" });
  const log = openLog(config.logLevel);
  catchStrays(log, { dev });
  const { services, close } = await openServices(config, log);
  setServices(services);
  const operations = openOperations(services);
  const running: { stop(): Promise<void> }[] = [];
  if (config.roles.has("worker")) {
    const { startWorker } = await import("./start-worker.ts");
    running.push(await startWorker(services));
  }
  if (config.roles.has("web")) {
    const { startWeb } = await import("./start-web.ts");
    running.push(await startWeb(services, operations, { dev }));
  }
  if (config.operationsPort !== null) running.push(await operations.listen(config.operationsPort));
  operations.roles.running = true;

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    operations.roles.running = false;
    log.info({ signal }, "stopping");
    for (const role of running.reverse()) await role.stop();
    await close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void stop(signal));
  // Started by another program of ours (the demo, a test): end with it, even when it was killed.
  if (process.send !== undefined) {
    process.on("disconnect", () => void stop("parent gone"));
    process.send("ready");
  }
}

main().catch((error: unknown) => {
  // A person has to mend the environment, and reads it at the start; all else is a line of the log.
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else openLog("info").fatal({ err: error }, "the process cannot start");
  process.exit(1);
});
