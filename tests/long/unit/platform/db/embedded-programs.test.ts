import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import {
  findPrograms,
  type PostgresPrograms,
  reachablePrograms,
} from "#lib/platform/db/embedded-programs.ts";
import { type RunAs, unprivilegedUser } from "#lib/platform/db/embedded-user.ts";
import { temporaryFolder } from "#tests/support/database.ts";

const isRoot = process.getuid?.() === 0;
const closed = mkdtempSync(join(tmpdir(), "paylink-closed-"));
const open = temporaryFolder();
let runAs: RunAs;
let installed: PostgresPrograms;
let shut: PostgresPrograms;

before(async () => {
  runAs = await unprivilegedUser();
  installed = await findPrograms();
  const source = join(dirname(installed.postgres), "../..");
  cpSync(source, join(closed, "package"), { recursive: true, verbatimSymlinks: true });
  const inside = (program: string) => join(closed, "package/native/bin", basename(program));
  shut = { initdb: inside(installed.initdb), postgres: inside(installed.postgres) };
});
after(() => {
  for (const folder of [closed, open]) rmSync(folder, { recursive: true, force: true });
});

const versionOf = (program: string) =>
  execFileSync(program, ["--version"], { ...runAs, cwd: "/", encoding: "utf8" });

/** Only root needs copies. For other users the programs stay where they are, and nothing is created. */
function assertUntouched(programs: PostgresPrograms, systemFolder: string): void {
  assert.deepEqual(programs, shut);
  assert.throws(() => readdirSync(systemFolder), { code: "ENOENT" });
}

test("uses programs that the server's user can reach", async () => {
  const systemFolder = join(open, "unused");
  const bin = join(open, "bin");
  mkdirSync(bin);
  const reachable = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  for (const program of Object.values(reachable)) writeFileSync(program, "", { mode: 0o755 });
  assert.deepEqual(await reachablePrograms(reachable, runAs, undefined, systemFolder), reachable);
  assert.throws(() => readdirSync(systemFolder), { code: "ENOENT" });
});

test("copies programs in a closed folder once with three concurrent callers, and runs the copy", async () => {
  const systemFolder = join(open, "system");
  const lines: string[] = [];
  const find = () => reachablePrograms(shut, runAs, (line) => lines.push(line), systemFolder);
  const [programs, ...others] = await Promise.all([find(), find(), find()]);
  if (!isRoot) return assertUntouched(programs, systemFolder);
  for (const other of others) assert.deepEqual(other, programs);
  const [copy, ...leftovers] = readdirSync(systemFolder);
  assert.match(copy!, /^postgresql-\d+\.[^/]*-linux-/);
  assert.deepEqual(leftovers, []);
  assert.equal(programs.postgres, join(systemFolder, copy!, "bin/postgres"));
  assert.match(versionOf(programs.postgres), /^postgres \(PostgreSQL\) /);
  assert.match(versionOf(programs.initdb), /^initdb \(PostgreSQL\) /);
  assert.ok(lines[0]?.startsWith(`PostgreSQL's user cannot enter ${closed}`), lines[0]);
  const made = statSync(programs.postgres);
  lines.length = 0;
  await find();
  assert.deepEqual(lines, []);
  assert.equal(statSync(programs.postgres).ino, made.ino);
});

test("replaces a damaged copy, whatever the umask was when npm unpacked the programs", async () => {
  const systemFolder = join(open, "damaged");
  const find = () => reachablePrograms(shut, runAs, undefined, systemFolder);
  execFileSync("chmod", ["-R", "go=", join(closed, "package")]);
  const programs = await find();
  if (!isRoot) return assertUntouched(programs, systemFolder);
  const library = join(dirname(programs.postgres), "../lib/libcrypto.so.1.1");
  for (const damage of [() => truncateSync(library), () => rmSync(library)]) {
    damage();
    assert.throws(() => execFileSync(programs.postgres, ["--version"], { stdio: "ignore" }));
    assert.deepEqual(await find(), programs);
    assert.match(versionOf(programs.postgres), /^postgres/);
  }
  assert.equal(readdirSync(systemFolder).length, 1);
});

test("names the closed folder and the solutions if there is no place for a copy that only root can change", async () => {
  const writable = join(open, "writable");
  mkdirSync(writable);
  chmodSync(writable, 0o777);
  const foreign = join(open, "foreign");
  mkdirSync(foreign);
  if (runAs.uid !== undefined && runAs.gid !== undefined) chownSync(foreign, runAs.uid, runAs.gid);
  const file = join(open, "file");
  writeFileSync(file, "");
  const shutToo = join(closed, "system");
  for (const systemFolder of [writable, foreign, join(file, "below"), shutToo]) {
    const found = reachablePrograms(shut, runAs, undefined, systemFolder);
    if (!isRoot) {
      assert.deepEqual(await found, shut);
      continue;
    }
    await assert.rejects(found, (error: Error) => {
      assert.match(
        error.message,
        /The user "postgres" cannot enter .* use a folder outside .* or set DATABASE_URL/,
      );
      assert.ok(
        error.message.includes(shut.postgres) && error.message.includes(`cannot enter ${closed}`),
        error.message,
      );
      return true;
    });
  }
});
