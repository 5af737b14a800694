/** Tests in a process of its own, because the test runner handles uncaught errors in this one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** Runs `code` in a process that logs uncaught output. Returns its output by line. */
function run(code: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { openLog } from "#lib/platform/log/open-log.ts";
       import { withLogContext } from "#lib/platform/log/log-context.ts";
       import { logUncaughtOutput } from "#lib/server/uncaught-output.ts";
       logUncaughtOutput(openLog("info"), { dev: false });
       const leaky = () => Object.assign(new Error("it broke at https://user:pw-private@node.example/key-private"), {
         detail: "Key (email)=(ada@private.example)",
       });
       ${code}`,
    ],
    { encoding: "utf8" },
  );
  assert.equal(stderr, "");
  assert.doesNotMatch(stdout, /private/);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { status, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test("an uncaught exception is the last line and ends the process", () => {
  const { status, lines } = run(`
    setTimeout(() => withLogContext({ requestId: "r1" }, () => { throw leaky(); }), 1);
    setTimeout(() => console.log("still here"), 100);`);
  assert.equal(status, 1);
  assert.equal(lines.length, 1);
  const { level, msg, requestId, err } = lines[0] as {
    level: string;
    msg: string;
    requestId: string;
    err: Error;
  };
  assert.deepEqual([level, msg, requestId], ["fatal", "an error that nobody caught ends the process", "r1"]);
  assert.equal(err.message, "it broke at https://node.example");
});

test("an unhandled rejection is logged, and the process continues", () => {
  const { status, lines } = run(`
    void Promise.reject(leaky());
    setTimeout(() => console.log("still here"), 50);`);
  assert.equal(status, 0);
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      ["error", "an error that nobody waited for"],
      ["info", "printed by a library"],
    ],
  );
});

test("logs the output of a library like any error of this program", () => {
  const { lines } = run(`
    console.error("oops:", leaky(), { nested: leaky() });
    console.warn("see %s", "https://u:pw-private@host.example/x");
    console.log(String(leaky()) + "\\nparams: private");`);
  assert.deepEqual(
    lines.map(({ level, printed }) => [level, printed]),
    [
      ["error", "oops:"],
      ["warn", "see https://host.example"],
      ["info", "Error: it broke at https://node.example"],
    ],
  );
});
