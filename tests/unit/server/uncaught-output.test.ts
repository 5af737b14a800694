/** What goes past the log in a process of its own: nobody else may listen to its stray errors. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** Runs `code` in a process that catches strays, and answers what it wrote, line by line. */
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

test("an exception that nobody caught is the last line, and ends the process", () => {
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

test("a rejection that nobody waited for is a line, and the process goes on", () => {
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

test("what a library prints is a line, shown like any error of ours", () => {
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
