/** The command as a process: its exit status, signals, .env, and what it loads, which is most of a short command's time. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOfFile } from "#tests/support/folders.ts";
import { QUICK_START } from "#tests/support/processes.ts";
import { COMPILE_CACHE } from "#tests/support/run-cli.ts";

const ROOT = join(import.meta.dirname, "../../..");
const MAIN = join(ROOT, "lib/cli/main.ts");

const t = await databaseOfFile();
const folder = folderOfFile();

/** Starts Node in the test's folder. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...COMPILE_CACHE, ...env },
  });
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
    ([[status, signal], stdout, stderr]) => ({ status, signal, stdout, stderr }),
  );
  return { child, ended };
}
const run = (env: Record<string, string>, ...words: string[]) => start([MAIN, ...words], env).ended;

test("the exit status is 0, 1 refused or 2 wrong usage; only the answer is on standard output", async () => {
  const [help, refused, misused] = await Promise.all([
    run({}, "wallet", "--help"),
    run({}, "wallet", "check"),
    run({}, "wallet", "bogus"),
  ]);
  assert.deepEqual([help.status, help.stderr], [0, ""]);
  assert.match(help.stdout, /^Usage: paylink wallet/);
  const message = "no account key is configured: see docs/operate/wallets.md\n";
  assert.partialDeepStrictEqual(refused, { status: 1, stdout: "", stderr: message });
  assert.partialDeepStrictEqual(misused, { status: 2, stdout: "" });
  assert.match(misused.stderr, /^error: unknown command 'bogus'/);
});

test("the environment wins over .env, also with an empty value", async (context) => {
  const file = join(folder, ".env");
  writeFileSync(file, "PORT=wrong\n");
  context.after(() => rmSync(file));
  const [absent, ...given] = await Promise.all(
    [{}, { PORT: "3001" }, { PORT: "" }].map((env) => run(env as Record<string, string>, "wallet", "check")),
  );
  assert.match(absent!.stderr, /PORT must be a whole number/);
  for (const { stderr } of given) assert.match(stderr, /^no account key is configured/);
});

/** A node that never answers. */
async function startSilentNode() {
  const asked = Promise.withResolvers<void>();
  const server = createServer(() => asked.resolve());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: asked.promise,
    stop: () => server.closeAllConnections() ?? server.close(),
  };
}

const keys = Object.fromEntries(
  createWallet()
    .accounts.filter(({ network }) => network === "bep20" || network === "bitcoin")
    .flatMap(({ env, network, xpub }) => [
      [`${env}_${network}_XPUB`.toUpperCase(), xpub],
      [`${env}_${network}_RPC_URL`.toUpperCase(), "http://127.0.0.1:1"],
    ]),
);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The second one starts the server of the first.
  test(`${signal} stops an embedded server that the command started, also when it comes twice`, async (context) => {
    const node = await startSilentNode();
    context.after(node.stop);
    const data = join(folder, "data");
    const { child, ended } = start([MAIN, "networks", "--on"], {
      ...keys,
      DATA_DIR: data,
      EMBEDDED: "yes",
      TEST_BEP20_RPC_URL: node.url,
    });
    await Promise.race([node.asked, ended]);
    assert.equal(existsSync(join(data, "postgres/data/postmaster.pid")), true);
    // As Ctrl-C under npm does.
    child.kill(signal);
    child.kill(signal);
    const { status, stdout } = await ended;
    assert.deepEqual([status, stdout], [130, ""]);
    assert.equal(existsSync(join(data, "postgres/data/postmaster.pid")), false);
  });
}

test("a signal ends a command on a database of its own at once", async (context) => {
  const node = await startSilentNode();
  context.after(node.stop);
  const env = { ...keys, DATABASE_URL: t.url, TEST_BEP20_RPC_URL: node.url };
  const { child, ended } = start([MAIN, "networks", "--on"], env);
  await Promise.race([node.asked, ended]);
  child.kill("SIGINT");
  assert.partialDeepStrictEqual(await ended, { status: null, signal: "SIGINT" });
});

/** Prints, at the end, the URLs of the modules that were loaded and the CPU time in microseconds. */
const RECORDER = `
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";
const urls = [];
registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, JSON.stringify({ urls, cpu: user + system }));
});`;

/** Runs a program with the recorder. */
async function record(args: readonly string[], env: Record<string, string> = {}) {
  const recorder = `data:text/javascript,${encodeURIComponent(RECORDER)}`;
  const { status, stderr } = await start(["--import", recorder, ...args], env).ended;
  assert.equal(status, 0, stderr);
  const { urls, cpu } = JSON.parse(stderr) as { urls: string[]; cpu: number };
  const packages = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  const files = urls.filter((url) => url.includes("/lib/") && !url.includes("/node_modules/"));
  return { packages: new Set(packages), files, urls, cpu };
}

test("the list of commands loads nothing but the list", async () => {
  const { packages, files } = await record([MAIN, "--help"]);
  assert.deepEqual([...packages], ["commander"]);
  assert.deepEqual(
    files.map((url) => basename(url)),
    ["main.ts", "quick-start.mjs", "load-env-file.ts", "run-command.ts", "read-version.ts"],
  );
});

/** Prints, at the end, whether Node loaded its compiler of TypeScript, which takes longer than the list of commands. */
const COMPILER = `process.on("exit", () => {
  const isLoaded = process.moduleLoadList.some((name) => name.includes("amaro"));
  process.stderr.write(isLoaded ? "compiled" : "kept");
});`;

test("the command runs sources that an earlier run compiled", async () => {
  const words = ["--import", `data:text/javascript,${encodeURIComponent(COMPILER)}`, ...QUICK_START];
  // The cache is the command's own, not that of the tests.
  const list = () => start([...words, MAIN, "--help"], { NODE_COMPILE_CACHE: "" }).ended;
  await list();
  assert.partialDeepStrictEqual(await list(), { status: 0, stderr: "kept" });
});

test("the list has groups, and one line of at most 80 characters for each command", async () => {
  const { stdout } = await run({}, "--help");
  const [, ...groups] = stdout.split(/^(?=[A-Z][a-z ]+:$)/m);
  assert.ok(groups.length >= 6);
  for (const line of groups.flatMap((group) => group.trimEnd().split("\n").slice(1)))
    assert.match(line, /^ {2}(\S.*\S {2,}\S.*)?$/);
  assert.ok(stdout.split("\n").every((line) => line.length <= 80));
  assert.match((await run({}, "--version")).stdout, /^\d+\.\d+\.\d+\n$/);
});

/** Runs each line as a command, one after another. */
const COMMANDS = `
  const { runCommand } = await import(process.argv[1]);
  const { env, stdin, stdout, stderr } = process;
  for (const line of process.argv.slice(2)) {
    const status = await runCommand({ args: line.split(" "), env, stdin, stdout, stderr });
    if (status !== 0) process.exit(status);
}`;

test("commands load neither what servers need nor what other commands need", async () => {
  const heavy = ["viem", "next", "react", "sharp", "undici", "hono", "prom-client", "socket.io", "zeromq"];
  const { packages } = await record(
    [
      ...[...QUICK_START, "--input-type=module", "-e", COMMANDS, join(ROOT, "lib/cli/run-command.ts")],
      ...["merchant list", "link list", "deposits list", "withdrawal list", "addresses export"],
      ...["ledger balances", "audit list", "wallet check"],
    ],
    { DATABASE_URL: t.url, ...keys },
  );
  assert.ok(packages.has("pg"));
  assert.deepEqual(
    heavy.filter((name) => packages.has(name)),
    [],
  );
});

test("a look at what runs loads no reader of a node, no migration and one language of zod", async () => {
  for (const command of ["status", "attention list"]) {
    const { files, urls } = await record([MAIN, ...command.split(" ")], { DATABASE_URL: t.url, ...keys });
    const isUnneeded = (url: string) => /-adapter\.ts$|\/node-pool\.ts$|\/(migrate|embedded)\.ts$/.test(url);
    assert.deepEqual(files.filter(isUnneeded), [], command);
    const languages = urls.filter((url) => url.includes("/zod/v4/locales/"));
    assert.deepEqual(
      languages.map((url) => basename(url)),
      ["en.cjs"],
      command,
    );
  }
});
