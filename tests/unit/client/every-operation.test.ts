import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listOperations } from "#tests/support/operations.ts";

const FOLDER = join(import.meta.dirname, "../../api");
const sources = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(FOLDER, name), "utf8"))
  .join("\n");
const called = new Set(
  [...sources.matchAll(/\.(GET|POST|PATCH|DELETE)\(\s*"([^"]+)"/g)].map(
    ([, method, path]) => `${method} ${path}`,
  ),
);

for (const { id, method, path } of listOperations()) {
  test(`the API tests call ${id} through the typed client`, () => {
    assert.ok(called.has(`${method} ${path}`), `no test of tests/api calls .${method}("${path}", …)`);
  });
}
