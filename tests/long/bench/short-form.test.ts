/** Every bench still works: its short form runs every step with small counts, in a process of its own. Its figures are not compared with goals. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BENCHES } from "#tests/bench/benches.ts";

const BENCH = join(import.meta.dirname, "../../bench");
const MAIN = join(BENCH, "main.ts");

test("every file of a bench is in the list of benches", () => {
  const files = globSync("*.bench.ts", { cwd: BENCH }).map((file) => file.replace(".bench.ts", ""));
  assert.deepEqual(files.sort(), [...BENCHES].sort());
});

for (const name of BENCHES) {
  test(`the bench ${name} runs to its end`, async (t) => {
    const child = spawn(process.execPath, [MAIN, "--short", name], { stdio: ["ignore", "pipe", "pipe"] });
    t.after(() => child.kill());
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => (output += String(chunk)));
    const [code] = await once(child, "exit");
    assert.equal(code, 0, output.slice(-4_000));
  });
}
