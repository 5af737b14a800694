import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FAULTS } from "../plants/faults.ts";

test("each fault that test:plants plants has its text once in its file", () => {
  assert.ok(FAULTS.length > 10);
  const lost = FAULTS.filter(({ file, text }) => readFileSync(file, "utf8").split(text).length !== 2);
  assert.deepEqual(
    lost.map(({ rule }) => rule),
    [],
  );
});
