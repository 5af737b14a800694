import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { COMPILED_FILE, compileSweeper } from "#tests/support/compile-sweeper.ts";

test("the sweeper's bytecode is what its source compiles to", () => {
  assert.equal(readFileSync(COMPILED_FILE, "utf8"), compileSweeper());
});
