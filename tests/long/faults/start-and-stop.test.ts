/**
 * The program as an operator starts it: a signal to npm reaches it, and however it ends, it leaves no process
 * behind.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { SECRET_KEY } from "#tests/support/api.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { keepLog } from "#tests/support/kept-logs.ts";
import { findProcesses } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SERVER = [process.execPath, "lib/server/main.ts"] as const;

/** Starts the program with its own PostgreSQL below a new folder. */
function start(t: TestContext, command: readonly [string, ...string[]], env: Record<string, string> = {}) {
  const dataDir = temporaryFolder();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "test",
      SECRET_KEY,
      ...env,
      DATA_DIR: dataDir,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  /** PostgreSQL, and what else has the folder in its command line. */
  const left = () => findProcesses(`${dataDir}/`);
  t.after(() => {
    child.kill("SIGKILL");
    // Its own process if npm did not pass the signal on, and PostgreSQL.
    const own = Number(/"pid":(\d+)/.exec(output)?.[1]);
    const server = findProcesses("lib/server/main.ts").filter(({ pid }) => pid === own);
    for (const { pid } of [...server, ...left()]) process.kill(pid, "SIGKILL");
    const lines = output.split("\n").filter((line) => line.startsWith("{"));
    keepLog("server", lines.map((line) => `${line}\n`).join(""));
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return { child, ended, left, output: () => output };
}

test("SIGTERM to npm start stops the server and its PostgreSQL", async (t) => {
  const PORT = String(await choosePort(0));
  const { child, ended, left, output } = start(t, ["npm", "start"], { PORT, FIXED_RATES: "usdt/usd=1" });
  const ready = () =>
    fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("the server to be ready", ready, { withinMs: 60_000, everyMs: 100 });
  const server = Number(/"pid":(\d+)/.exec(output())?.[1]);
  assert.notEqual(server, child.pid);
  assert.equal(left().length > 0, true);
  child.kill("SIGTERM");
  assert.equal(await ended, 0, output());
  assert.throws(() => process.kill(server, 0), { code: "ESRCH" });
  assert.deepEqual(left(), []);
  await assert.rejects(fetch(`http://127.0.0.1:${PORT}/healthz`));
});

test("a start that fails on a port in use stops its PostgreSQL", async (t) => {
  const squatter = createServer();
  await once(squatter.listen(0, "127.0.0.1"), "listening");
  t.after(() => squatter.close());
  const { port } = squatter.address() as AddressInfo;
  const env = { ROLES: "worker", OPERATIONS_PORT: String(port) };
  const { ended, left, output } = start(t, SERVER, env);
  assert.equal(await ended, 1);
  assert.match(output(), /the process cannot start/);
  assert.match(output(), /starting PostgreSQL/);
  assert.deepEqual(left(), []);
});

test("a signal during the start stops the PostgreSQL that is starting", async (t) => {
  const { child, ended, left, output } = start(t, SERVER, { ROLES: "worker" });
  await until("PostgreSQL to be starting", () => output().includes("starting PostgreSQL"), { everyMs: 5 });
  child.kill("SIGTERM");
  assert.equal(await ended, 0);
  assert.doesNotMatch(output(), /the process cannot start/);
  assert.deepEqual(left(), []);
});
