import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** Lines that wait at a module's top level after a test was registered there. */
function waitsAfterTest(source: string): string[] {
  const lines = source.split("\n");
  const first = lines.findIndex((line) => /^(test|describe|it)\(/.test(line));
  return first < 0
    ? []
    : lines.slice(first).filter((line) => /^(await |(const|let) .*= await |for await)/.test(line));
}

// node:test runs the `after` hooks as soon as the tests registered so far have ended.
test("no test file waits at its top level once its first test is registered", () => {
  assert.deepEqual(waitsAfterTest('test("a", () => {});\nconst b = await c();'), ["const b = await c();"]);
  const files = globSync("tests/**/*.test.ts");
  assert.ok(files.length > 100);
  const found = files.flatMap((file) =>
    waitsAfterTest(readFileSync(file, "utf8")).map((line) => `${file}: ${line}`),
  );
  assert.deepEqual(found, []);
});
