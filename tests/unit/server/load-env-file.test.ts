import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { findOpenFiles } from "#lib/server/find-open-files.ts";
import { loadEnvFile } from "#lib/server/load-env-file.ts";
import { temporaryFolder } from "#tests/support/database.ts";

const ROOT = join(import.meta.dirname, "../../..");
let folder = "";
let file = "";

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, ".env");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of this repository in the folder of the .env file. */
const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, program), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { NODE_ENV: "test", PATH: process.env.PATH },
  });

test("an absent .env is no problem, and a readable one fills in for absent variables", () => {
  assert.deepEqual(loadEnvFile(file), []);
  writeFileSync(file, "OF_THE_FILE=1\nPATH=/nowhere\n");
  const path = process.env.PATH;
  assert.deepEqual(loadEnvFile(file), ["OF_THE_FILE", "PATH"]);
  assert.deepEqual([process.env.OF_THE_FILE, process.env.PATH], ["1", path]);
  delete process.env.OF_THE_FILE;
});

test("a value in single quotes is read unchanged, as systemd reads it", () => {
  const value = 'a#b\\c "d" $e `f`';
  writeFileSync(file, `QUOTED='${value}'\n`);
  assert.deepEqual(loadEnvFile(file), ["QUOTED"]);
  assert.equal(process.env.QUOTED, value);
  delete process.env.QUOTED;
});

test("without the right to read .env a command does nothing, and the server says why variables are missing", () => {
  // A folder cannot be read as a file, not even by root.
  mkdirSync(file);
  assert.equal(loadEnvFile(file), null);
  const command = run("lib/cli/main.ts", "link", "list");
  assert.deepEqual([command.status, command.stdout], [1, ""]);
  assert.equal(command.stderr, "this user may not read .env: run the command as its owner\n");
  const server = run("lib/server/main.ts");
  assert.equal(server.status, 1);
  assert.match(
    server.stderr,
    /^The environment is not usable:\n {2}SECRET_KEY .*\nThis user may not read \.env\./,
  );
});

test("at start the server names the variables of .env that it does not know", () => {
  const lines = ["SECRET_KEY=0123456789abcdef0123456789abcdef", "DATABASE_URL=postgres://127.0.0.1:1/none"];
  writeFileSync(file, [...lines, "QUOTE_MINUTE=5", "TURBO=hunter2", "TZ=UTC", ""].join("\n"), {
    mode: 0o600,
  });
  const { status, stdout } = run("lib/server/main.ts");
  assert.equal(status, 1);
  const [line = "{}"] = stdout.split("\n").filter((text) => text.includes("variables have no effect"));
  assert.deepEqual(JSON.parse(line).variables, ["QUOTE_MINUTE (QUOTE_MINUTES?)", "TURBO"]);
  assert.equal(stdout.includes("hunter2"), false);
});

test("files that others can read are found, and a link that leads nowhere stops no start", () => {
  writeFileSync(file, "");
  chmodSync(file, 0o640);
  const loop = join(folder, "loop");
  symlinkSync(loop, loop);
  assert.deepEqual(findOpenFiles([file, loop, join(folder, "absent")]), [file]);
});
