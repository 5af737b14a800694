/**
 * `npm run bench` measures everything, `npm run bench -- links page` only these. Both sides of a ratio are
 * from the same run.
 */
import { buildPage } from "#lib/demo/build-page.ts";
import { paint } from "../support/paint.ts";

const BENCHES = [
  "links",
  "api",
  "page",
  "lighthouse",
  "chains",
  "webhooks",
  "console",
  "crowd",
  "payouts",
  "scale",
] as const;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !BENCHES.some((bench) => bench === name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(", ")} (there are ${BENCHES.join(", ")})`);
  process.exit(2);
}
const { TEST_POSTGRES_URL } = process.env;
// The server of almost every bench has the page.
await buildPage((line) => console.log(line));
for (const name of asked.length > 0 ? asked : BENCHES) {
  console.log(paint("bold", name));
  const { bench } = (await import(`./${name}.bench.ts`)) as { bench(): Promise<void> };
  await bench();
  // Some use their own PostgreSQL, which is stopped now.
  if (TEST_POSTGRES_URL === undefined) delete process.env.TEST_POSTGRES_URL;
  else process.env.TEST_POSTGRES_URL = TEST_POSTGRES_URL;
}
process.exit(0);
