import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import pg from "pg";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { EmbeddedPostgresError, startEmbedded } from "#lib/platform/db/embedded.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { findProcesses } from "#tests/support/processes.ts";

const REPOSITORY = new URL("../../../../../", import.meta.url);
const QUICK = { durable: false } as const;
const folders: string[] = [];
let dataDir = "";

beforeEach(() => {
  dataDir = temporaryFolder();
  folders.push(dataDir);
});
afterEach(() => {
  assert.deepEqual(findProcesses(`${dataDir}/`), [], "a server was left running");
});
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Moves `dataDir` below a folder of mode 0700 and returns that folder. Under root, the server's user cannot
 * enter it.
 */
function closeParent(): string {
  const parent = mkdtempSync(join(tmpdir(), "paylink-closed-"));
  folders.push(parent);
  dataDir = join(parent, "data");
  return parent;
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query({ text: sql, rowMode: "array" });
    return result.rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function postmasterPid(): number {
  return Number.parseInt(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8"), 10);
}

/** False also for a dead process that was not collected. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

/** Another program on the same folder. Resolves to the process and the URL when it has its server. */
async function startProgram(options: object = QUICK): Promise<{ child: ChildProcess; url: string }> {
  const code = `
    import { startEmbedded } from "#lib/platform/db/embedded.ts";
    const server = await startEmbedded(${JSON.stringify(dataDir)}, ${JSON.stringify(options)});
    process.on("SIGTERM", async () => { await server.stop(); process.exit(0); });
    console.log(server.url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = (await once(child.stdout!, "data")) as [Buffer];
  return { child, url: chunk.toString().trim() };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

test("creates a durable, password-protected cluster on loopback at the first start, and stops it cleanly", async () => {
  const server = await startEmbedded(dataDir);
  assert.equal(server.started, true);
  assert.equal(await ask(server.url, "select current_database()"), "paylink");
  assert.equal(await ask(server.url, "show fsync"), "on");
  assert.equal(await ask(server.url, "show listen_addresses"), "127.0.0.1");
  assert.equal(await ask(server.url, "select lower('ÄÉ')"), "äé");
  const wrong = new URL(server.url);
  wrong.password = "wrong";
  await assert.rejects(ask(wrong.href, "select 1"), /password authentication failed/);
  assert.equal(statSync(join(dataDir, "postgres/password")).mode & 0o777, 0o600);
  const pid = postmasterPid();
  await server.stop();
  await server.stop();
  assert.equal(isRunning(pid), false);
  assert.match(readFileSync(join(dataDir, "postgres/server.log"), "utf8"), /database system is shut down/);
});

test("keeps rows over a stop and a start", async () => {
  const first = await startEmbedded(dataDir, QUICK);
  await ask(first.url, "create table kept as select 7 as n");
  await first.stop();
  const second = await startEmbedded(dataDir, QUICK);
  assert.equal(await ask(second.url, "select n from kept"), 7);
  await second.stop();
});

test("lets a command join the running server and leave it running", async () => {
  const server = await startEmbedded(dataDir, QUICK);
  const command = await startEmbedded(dataDir, { ...QUICK, attach: true });
  assert.equal(command.started, false);
  assert.equal(command.url, server.url);
  await command.stop();
  assert.equal(await ask(server.url, "select 1"), 1);
  await server.stop();
});

test("starts the server for a command, and stops it when the last command leaves", async () => {
  const first = await startEmbedded(dataDir, { ...QUICK, attach: true });
  const second = await startEmbedded(dataDir, { ...QUICK, attach: true });
  assert.deepEqual([first.started, second.started], [true, false]);
  const pid = postmasterPid();
  await first.stop();
  assert.equal(await ask(second.url, "select 1"), 1);
  await second.stop();
  assert.equal(isRunning(pid), false);
});

test("keeps a server that a command started when a program joined it", async () => {
  const command = await startEmbedded(dataDir, { ...QUICK, attach: true });
  const server = await startEmbedded(dataDir, QUICK);
  await command.stop();
  assert.equal(await ask(server.url, "select 1"), 1);
  const pid = postmasterPid();
  await server.stop();
  assert.equal(isRunning(pid), false);
});

test("refuses a second program on the same folder, names the first, and leaves it running", async () => {
  const { child, url } = await startProgram();
  await assert.rejects(startEmbedded(dataDir, QUICK), (error: EmbeddedPostgresError) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.equal(error.kind, "in_use");
    assert.match(error.message, new RegExp(`is in use by paylink \\(process ${child.pid}\\)`));
    return true;
  });
  assert.equal(await ask(url, "select 1"), 1);
  await end(child, "SIGTERM");
});

test("gives an empty folder to one of two concurrent programs and refuses the other", async () => {
  const results = await Promise.allSettled([startEmbedded(dataDir, QUICK), startEmbedded(dataDir, QUICK)]);
  const [won] = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const [lost] = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  assert.equal((lost as EmbeddedPostgresError).kind, "in_use");
  assert.equal(await ask(won!.url, "select 1"), 1);
  await won!.stop();
});

test("joins the postmaster of a killed program at once, and stops it in the end", async () => {
  const { child, url } = await startProgram();
  await ask(url, "create table kept as select 8 as n");
  const pid = postmasterPid();
  await end(child, "SIGKILL");
  assert.equal(isRunning(pid), true);
  const server = await startEmbedded(dataDir, QUICK);
  assert.equal(server.started, false);
  assert.equal(server.url, url);
  assert.equal(await ask(server.url, "select n from kept"), 8);
  await server.stop();
  assert.equal(isRunning(pid), false);
});

test("keeps the server alive when its program's process group is interrupted", async () => {
  const { child } = await startProgram();
  const pid = postmasterPid();
  const groupOf = (n: number) =>
    readFileSync(`/proc/${n}/stat`, "utf8").split(") ")[1]!.split(" ").slice(2, 4);
  const [group, session] = groupOf(pid);
  assert.deepEqual([group, session], [String(pid), String(pid)]);
  await end(child, "SIGTERM");
});

test("recovers from kill -9 of the postmaster at the next start", async () => {
  const first = await startEmbedded(dataDir);
  await ask(first.url, "create table kept as select 9 as n");
  const pid = postmasterPid();
  process.kill(pid, "SIGKILL");
  await first.stop();
  const second = await startEmbedded(dataDir, QUICK);
  assert.equal(second.started, true);
  assert.equal(await ask(second.url, "select n from kept"), 9);
  await second.stop();
});

test("starts although the pid in postmaster.pid now belongs to another process", async () => {
  await (await startEmbedded(dataDir, QUICK)).stop();
  writeFileSync(
    join(dataDir, "postgres/data/postmaster.pid"),
    `${process.pid}\n${dataDir}/postgres/data\n1\n5432\n\n127.0.0.1\n\nready\n`,
  );
  const server = await startEmbedded(dataDir, QUICK);
  assert.equal(server.started, true);
  await server.stop();
});

test("stops the server that it started when its database cannot be created", async () => {
  const first = await startEmbedded(dataDir, QUICK);
  const administration = Object.assign(new URL(first.url), { pathname: "/postgres" }).href;
  await ask(administration, "drop database paylink with (force)");
  await ask(administration, "update pg_database set datistemplate = false where datname = 'template1'");
  await ask(administration, "drop database template1");
  await first.stop();
  // A new one is a copy of template1.
  await assert.rejects(startEmbedded(dataDir, QUICK), /template database "template1" does not exist/);
});

test("reports a port that is in use", async () => {
  // No server of another test takes it between the squatter and the database.
  const port = await choosePort(0);
  const squatter: Server = createServer().listen(port, "127.0.0.1");
  await once(squatter, "listening");
  await assert.rejects(startEmbedded(dataDir, { ...QUICK, port }), (error: EmbeddedPostgresError) => {
    assert.equal(error.kind, "port_taken");
    assert.equal(
      error.message,
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port.`,
    );
    return true;
  });
  squatter.close();
  await once(squatter, "close");
  const server = await startEmbedded(dataDir, { ...QUICK, port });
  assert.equal(new URL(server.url).port, String(port));
  await server.stop();
});

test("keeps the data below a folder closed to the server's user over a restart", async () => {
  const parent = closeParent();
  const first = await startEmbedded(dataDir);
  assert.equal(await ask(first.url, "show fsync"), "on");
  await ask(first.url, "create table kept as select 10 as n");
  await ask(first.url, "create database second");
  const pid = postmasterPid();
  const { uid } = statSync(`/proc/${pid}`);
  if (process.getuid?.() === 0) {
    assert.notEqual(uid, 0);
    const entered = spawnSync("ls", [dataDir], { uid });
    assert.notEqual(entered.status, 0, "the folder is not closed to that user: the test shows nothing");
  }
  await first.stop();
  assert.equal(isRunning(pid), false);
  assert.equal(lstatSync(join(dataDir, "postgres")).isDirectory(), true);
  assert.equal(statSync(parent).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(dataDir), ["postgres"]);
  const second = await startEmbedded(dataDir, QUICK);
  assert.equal(await ask(second.url, "select n from kept"), 10);
  await second.stop();
});

test("refuses a second program, joins a command and takes over an orphan below a closed folder", async () => {
  closeParent();
  const { child, url } = await startProgram();
  const pid = postmasterPid();
  await assert.rejects(startEmbedded(dataDir, QUICK), { name: "EmbeddedError", kind: "in_use" });
  const command = await startEmbedded(dataDir, { ...QUICK, attach: true });
  assert.deepEqual([command.started, command.url], [false, url]);
  await command.stop();
  await end(child, "SIGKILL");
  assert.equal(isRunning(pid), true);
  const server = await startEmbedded(dataDir, QUICK);
  assert.deepEqual([server.started, server.url], [false, url]);
  await server.stop();
  assert.equal(isRunning(pid), false);
});

test("recovers from kill -9 of the postmaster below a closed folder at the next start", async () => {
  closeParent();
  const first = await startEmbedded(dataDir);
  await ask(first.url, "create table kept as select 11 as n");
  process.kill(postmasterPid(), "SIGKILL");
  await first.stop();
  const second = await startEmbedded(dataDir, QUICK);
  assert.equal(second.started, true);
  assert.equal(await ask(second.url, "select n from kept"), 11);
  await second.stop();
});

test("joins a server whose folder was opened while it ran, and treats a copied folder as another cluster", async () => {
  const parent = closeParent();
  const { child, url } = await startProgram();
  await ask(url, "create table kept as select 12 as n");
  chmodSync(parent, 0o755);
  const command = await startEmbedded(dataDir, { ...QUICK, attach: true });
  assert.deepEqual([command.started, command.url], [false, url]);
  await command.stop();
  await end(child, "SIGTERM");
  const original = dataDir;
  const copied = temporaryFolder();
  folders.push(copied);
  execFileSync("cp", ["-a", join(original, "postgres"), copied]);
  const servers = await Promise.all([startEmbedded(original, QUICK), startEmbedded(copied, QUICK)]);
  await ask(servers[0].url, "update kept set n = 13");
  assert.deepEqual(
    await Promise.all(servers.map((server) => ask(server.url, "select n from kept"))),
    [13, 12],
  );
  await Promise.all(servers.map((server) => server.stop()));
});
