import { existsSync } from "node:fs";
import { ConfigError, readConfig } from "./config.ts";
import { openLog } from "./log.ts";
import { openServices } from "./open-services.ts";
import { openOperations } from "./operations/open-operations.ts";
import { setServices } from "./services.ts";
import { endOnSignal } from "./shutdown.ts";

/** `npm start` and `npm run dev`: boots the roles of ROLES in this process and ends them in order. */
async function main(): Promise<void> {
  const ending = endOnSignal();
  if (existsSync(".env")) process.loadEnvFile(".env");
  const config = readConfig(process.env);
  const dev = process.argv.includes("--dev");
  // Next reads it, here and in what it bundles.
  Object.assign(process.env, { NODE_ENV: dev ? "development" : "production" });
  const log = openLog(config.logLevel);
  const { services, close } = await openServices(config, log);
  setServices(services);
  const operations = openOperations(services);
  const running: { stop(timeIsUp: AbortSignal): Promise<void> }[] = [];
  if (config.roles.has("worker")) {
    const { startWorker } = await import("./start-worker.ts");
    running.push(await startWorker(services));
  }
  if (config.roles.has("web")) {
    const { startWeb } = await import("./start-web.ts");
    running.push(await startWeb(services, operations, { dev }));
  }
  const { operationsPort } = config;
  const asked = operationsPort === null ? null : await operations.listen(operationsPort);
  const stop = async (timeIsUp: AbortSignal) => {
    operations.roles.running = false;
    await Promise.all(running.map((role) => role.stop(timeIsUp)));
    // To the last it says that this process is not ready.
    await asked?.stop();
    await close();
  };
  const noticeMs = config.roles.has("web") ? config.drainSeconds * 1_000 : 0;
  ending.arm({ noticeMs, stop }, log);
  operations.roles.running = true;
  process.send?.("ready");
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) console.error(error.message);
  else console.error(error instanceof Error ? (error.stack ?? error.message) : error);
  process.exit(1);
});
