/** The search of a run's logs finds planted secrets, and fails when there is too little to search. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { SUITES } from "#tests/runner/suites.ts";
import { findSecrets } from "#tests/support/search-logs.ts";

const folder = mkdtempSync(join(tmpdir(), "paylink-search-"));
after(() => rmSync(folder, { recursive: true }));
const CLEAN = '{"level":"info","msg":"request","path":"/v1/payment-links","refid":"4kWbmNfMQJcYf4ALXXJwd4"}';

for (const planted of [
  `pl_live_${"a1B2".repeat(8)}`,
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "postgres://paylink:hunter2hunter2@db:5432/paylink",
  "http://:rpcpassword@127.0.0.1:8332/",
  `tprv8ZgxMBicQKsPd${"7".repeat(60)}`,
  "Authorization: Basic dXNlcjpwYXNzd29yZA==",
  "bearer 0123456789abcdef",
  "ada@example.com",
  "Ada",
  "+2348035550123",
  "Failed query: select $1\nparams: x",
  "Key (email)=(x) already exists.",
  "handed-out-to-somebody",
]) {
  test(`finds "${planted.slice(0, 24)}" in a log`, () => {
    const line = JSON.stringify({ level: "info", msg: planted });
    const [found, ...others] = findSecrets(`${CLEAN}\n${line}\n${CLEAN}\n`, ["handed-out-to-somebody"]);
    assert.equal(found?.line, 2);
    assert.deepEqual(others, []);
  });
}

test("finds nothing secret in ordinary lines", () => {
  assert.deepEqual(findSecrets(`${CLEAN}\n${CLEAN}`, ["handed-out-to-somebody"]), []);
});

test("fails a run for a secret in one of its logs, and for missing logs", () => {
  const search = (name: string, ...suites: string[]) =>
    spawnSync(process.execPath, ["tests/search-logs.ts", join(folder, name), ...suites], {
      encoding: "utf8",
    });
  const write = (name: string, log: string) => {
    mkdirSync(join(folder, name, "process-1"), { recursive: true });
    writeFileSync(join(folder, name, "secrets.txt"), "handed-out-to-somebody\n");
    writeFileSync(join(folder, name, "process-1/server-1.log"), log);
  };
  write("good", `${CLEAN}\n`.repeat(200));
  assert.equal(search("good", "e2e").status, 0, search("good", "e2e").stderr);
  write("bad", `${`${CLEAN}\n`.repeat(200)}{"msg":"handed-out-to-somebody"}\n`);
  const bad = search("bad", "e2e");
  assert.equal(bad.status, 1);
  assert.match(bad.stderr, /server-1\.log:201 holds a secret of the run/);
  write("little", `${CLEAN}\n`);
  assert.match(search("little", "e2e").stderr, /1 lines of server logs: e2e alone writes at least 200/);
  assert.equal(search("nothing", "api").status, 1);
  assert.equal(search("nothing", "screens").status, 1);
  assert.equal(search("nothing", "generators").status, 1);
  const all = SUITES.map(({ name }) => name);
  assert.doesNotMatch(search("good", ...all).stderr, /is not known/);
  assert.match(search("good", "new-suite").stderr, /what new-suite writes at least is not known/);
});
