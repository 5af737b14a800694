import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import type { BENCHES } from "#tests/bench/benches.ts";

const MAIN = join(import.meta.dirname, "../../bench/main.ts");

/** Tests that a bench still works: its short form runs every step with small counts, in a process of its own. Its figures are not compared with goals. */
export function testBench(name: (typeof BENCHES)[number]): void {
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
