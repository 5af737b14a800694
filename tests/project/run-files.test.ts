import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import type { FileResult } from "#tests/runner/results.ts";
import { runFiles } from "#tests/runner/run-files.ts";

const ROOT = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "paylink-runner-"));
after(() => rmSync(folder, { recursive: true }));

const IMPORT = 'import { after, before, suite, test } from "node:test";\n';
/** A file, and what a run must report of its tests. */
const FILES: readonly (readonly [source: string, results: readonly string[]])[] = [
  ['test("a", () => {}); suite("s", () => { test("b", () => {}); });', ["passed a", "passed b"]],
  ['test("a", () => { throw new Error("broken"); }); test("b", () => {});', ["failed a", "passed b"]],
  [
    'test("a", async (t) => { await t.test("inner", () => { throw new Error(); }); });',
    ["failed inner", "failed a"],
  ],
  ['before(() => { throw new Error("no node"); }); test("a", () => {});', ["failed a", "failed the file"]],
  ['after(() => { throw new Error("still open"); }); test("a", () => {});', ["passed a", "failed the file"]],
  ['test.skip("a", () => {}); test.todo("b", () => {});', ["skipped a", "skipped b"]],
  ['throw new Error("cannot be loaded");', ["failed the file"]],
  ["", []],
  ['process.env.LEFT = "1"; test("a", () => {});', ["passed a", "failed leaves nothing behind"]],
  ['test("a", (t) => { if (process.env.LEFT) throw new Error(); });', ["passed a"]],
  ['test("a", () => process.kill(process.pid, "SIGKILL"));', ["failed the whole file"]],
  ['test("a", () => new Promise(() => { setInterval(() => {}, 1000); }));', ["failed the whole file"]],
  [
    'test("a", () => { Promise.reject(new Error("nobody waits")); });',
    ["passed a", "failed leaves no error uncaught"],
  ],
  [
    'test("a", async () => { setImmediate(() => { throw new Error("late"); }); await new Promise((go) => setTimeout(go, 20)); });',
    ["failed a", "failed leaves no error uncaught"],
  ],
  ['test("a", () => {});', ["passed a"]],
  ['test("a", async () => { await null; after(() => { throw new Error("still open"); }); });', ["failed a"]],
  [
    'test("a", async () => { await null; await test("inner", () => { throw new Error(); }); });',
    ["failed inner", "failed a"],
  ],
  ['suite("s", async () => { await null; test("b", () => { throw 1; }); });', ["failed b"]],
  ['test("a", () => {});', ["passed a"]],
  [
    'await null; before(() => { globalThis.ready = 1; }); test("a", () => { if (!ready) throw 1; });',
    ["passed a"],
  ],
];

test("reports every result of a file, and continues after one that breaks its worker", async () => {
  const paths = FILES.map(([source], n) => {
    const path = join(folder, `${n}.test.mjs`);
    writeFileSync(path, IMPORT + source);
    return relative(ROOT, path);
  });
  const found = new Map<string, FileResult>();
  await runFiles({
    queue: [...paths],
    workers: 1,
    alone: () => false,
    timeoutMs: (file) => (file.endsWith("11.test.mjs") ? 500 : 60_000),
    report: (result) => found.set(result.file, result),
  });
  const results = paths.map((path) => {
    const { tests } = found.get(path)!;
    return tests.map(({ name, status }) => `${status} ${name.endsWith(".mjs") ? "the file" : name}`);
  });
  assert.deepEqual(
    results,
    FILES.map(([, expected]) => expected),
  );
});

test("starts one more worker when the work before it has ended", async () => {
  const path = join(folder, "later.test.mjs");
  writeFileSync(path, `${IMPORT}test("a", () => {});`);
  const order: string[] = [];
  await runFiles({
    queue: [relative(ROOT, path)],
    workers: 0,
    before: Promise.resolve().then(() => void order.push("before")),
    alone: () => false,
    timeoutMs: () => 60_000,
    report: () => order.push("file"),
  });
  assert.deepEqual(order, ["before", "file"]);
});
