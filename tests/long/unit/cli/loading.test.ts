/** A command loads only what it needs. Most of the time of a short command is loading. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { type TestDatabase, temporaryFolder, testDatabase } from "#tests/support/database.ts";
import { COMPILE_CACHE } from "#tests/support/run-cli.ts";

const ROOT = join(import.meta.dirname, "../../../..");
/** Writes the URL of every loaded module into the file LOADED. */
const RECORDER = `
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
const urls = [];
registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
process.on("exit", () => writeFileSync(process.env.LOADED, JSON.stringify(urls)));
`;
let t: TestDatabase;
let folder = "";

before(async () => {
  t = await testDatabase();
  folder = temporaryFolder();
  writeFileSync(join(folder, "recorder.mjs"), RECORDER);
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await t.close();
});

/** The packages and the program's own files that a command loads. */
function load(env: Record<string, string>, ...args: string[]): { packages: Set<string>; files: string[] } {
  const loaded = join(folder, "loaded.json");
  const recorder = pathToFileURL(join(folder, "recorder.mjs")).href;
  const run = spawnSync(process.execPath, ["--import", recorder, "lib/cli/main.ts", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...COMPILE_CACHE, LOADED: loaded, ...env },
  });
  assert.equal(run.status, 0, run.stderr);
  const urls = JSON.parse(readFileSync(loaded, "utf8")) as string[];
  const packages = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  const files = urls.filter((url) => url.includes("/lib/") && !url.includes("/node_modules/"));
  return { packages: new Set(packages), files };
}

const keys = Object.fromEntries(
  createWallet()
    .accounts.filter(({ network }) => network === "bep20" || network === "bitcoin")
    .flatMap(({ env, network, xpub }) => [
      [`${env}_${network}_XPUB`.toUpperCase(), xpub],
      [`${env}_${network}_RPC_URL`.toUpperCase(), "http://127.0.0.1:1"],
    ]),
);

test("the list of commands loads nothing but the list", () => {
  const { packages, files } = load({}, "--help");
  assert.deepEqual([...packages], ["commander"]);
  assert.deepEqual(
    files.map((url) => basename(url)),
    ["main.ts", "quick-start.ts", "load-env-file.ts"],
  );
});

test("a command loads neither what servers need nor what other commands need", () => {
  const heavy = ["viem", "next", "react", "sharp", "undici", "hono", "prom-client", "socket.io", "zeromq"];
  const commands = [
    ["merchant", "list"],
    ["link", "list"],
    ["deposits", "list"],
    ["withdrawal", "list"],
    ["addresses", "export"],
    ["ledger", "balances"],
    ["audit", "list"],
    ["wallet", "check"],
  ];
  for (const command of commands) {
    const { packages } = load({ DATABASE_URL: t.url, ...keys }, ...command);
    assert.deepEqual(
      heavy.filter((name) => packages.has(name)),
      [],
      command.join(" "),
    );
  }
});
