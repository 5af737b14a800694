import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** Lines that await at a module's top level after a test was registered. */
function waitsAfterTest(source: string): string[] {
  const lines = source.split("\n");
  const first = lines.findIndex((line) => /^(test|describe|it)\(/.test(line));
  return first < 0
    ? []
    : lines.slice(first).filter((line) => /^(await |(const|let) .*= await |for await)/.test(line));
}

// node:test runs the `after` hooks as soon as the registered tests have ended.
test("no test file awaits at its top level after its first test", () => {
  assert.deepEqual(waitsAfterTest('test("a", () => {});\nconst b = await c();'), ["const b = await c();"]);
  const files = globSync("tests/**/*.test.ts");
  assert.ok(files.length > 100);
  const found = files.flatMap((file) =>
    waitsAfterTest(readFileSync(file, "utf8")).map((line) => `${file}: ${line}`),
  );
  assert.deepEqual(found, []);
});
