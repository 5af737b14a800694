import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { until } from "../support/until.ts";

const APP = join(import.meta.dirname, "bare");
const NEXT = join(import.meta.dirname, "../../node_modules/next/dist/bin/next");

/** The yardstick of the payment page: a Next server of its own with the smallest page that Next renders per request. */
export interface BarePage {
  readonly url: string;
  stop(): Promise<void>;
}

/** Builds the app in `bare/` and starts its server. Throws with the builder's output. */
export async function startBarePage(): Promise<BarePage> {
  const env = { ...process.env, NODE_ENV: "production" } as const;
  await promisify(execFile)(process.execPath, [NEXT, "build", APP], { env });
  const port = String(await choosePort(0));
  const host = "127.0.0.1";
  const server = spawn(process.execPath, [NEXT, "start", APP, "-p", port, "-H", host], {
    env,
    stdio: "ignore",
  });
  const ended = once(server, "exit");
  const kill = () => server.kill();
  process.once("exit", kill);
  const url = `http://${host}:${port}/`;
  await until("the bare page's server", () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    async stop() {
      process.off("exit", kill);
      server.kill();
      await ended;
    },
  };
}
