/**
 * `npm run bench` measures everything, `npm run bench -- links page` only these. Both sides of a ratio are
 * from the same run. `--write` stores the figures in docs/performance.md. `--short` runs every step with small counts.
 */
import { parseArgs } from "node:util";
import { buildPage } from "#lib/demo/build-page.ts";
import { paint } from "../support/paint.ts";
import { BENCHES } from "./benches.ts";
import { takeFigures } from "./report.ts";
import { markRun, writeResults } from "./write-results.ts";

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean" }, write: { type: "boolean" } },
});
const unknown = asked.filter((name) => !BENCHES.some((bench) => bench === name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(", ")} (there are ${BENCHES.join(", ")})`);
  process.exit(2);
}
if (values.short && values.write) {
  console.error("the figures of a short run mean nothing: --short and --write exclude each other");
  process.exit(2);
}
// Before a bench is loaded: its counts depend on it.
if (values.short) process.env.BENCH = "short";
if (values.write) process.env.CALLS_WRITE = "yes";
const { TEST_POSTGRES_URL } = process.env;
const mark = markRun();
// The server of almost every bench has the page.
await buildPage((line) => console.log(line));
for (const name of asked.length > 0 ? asked : BENCHES) {
  console.log(paint("bold", name));
  const { bench } = (await import(`./${name}.bench.ts`)) as { bench(): Promise<void> };
  await bench();
  const figures = takeFigures();
  if (figures.length === 0) throw new Error(`the bench ${name} reported nothing`);
  if (values.write) writeResults(name, figures, mark);
  // Some use their own PostgreSQL, which is stopped now.
  if (TEST_POSTGRES_URL === undefined) delete process.env.TEST_POSTGRES_URL;
  else process.env.TEST_POSTGRES_URL = TEST_POSTGRES_URL;
}
process.exit(0);
