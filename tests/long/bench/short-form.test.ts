/** Every other bench. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BENCHES } from "#tests/bench/benches.ts";
import { testBench } from "./run-short.ts";

const BENCH = join(import.meta.dirname, "../../bench");

test("every file of a bench is in the list of benches", () => {
  const files = globSync("*.bench.ts", { cwd: BENCH }).map((file) => file.replace(".bench.ts", ""));
  assert.deepEqual(files.sort(), [...BENCHES].sort());
});

for (const name of BENCHES.filter((one) => one !== "chains")) testBench(name);
