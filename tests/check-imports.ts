/**
 * The import gate. It must find the planted violations first (with some TypeScript versions dependency-cruiser reads
 * no module at all and still says "no violations"), then none in the project itself.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";

interface Cruise {
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
}

const root = dirname(import.meta.dirname);
const planted = join(import.meta.dirname, "support/planted-imports");
const program = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");

function cruise(folder: string, paths: readonly string[]): Cruise["summary"] {
  const config = join(root, ".dependency-cruiser.mjs");
  const run = spawnSync(process.execPath, [program, "--config", config, "--output-type", "json", ...paths], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.stdout === "") throw new Error(`dependency-cruiser did not run: ${run.stderr}`);
  return (JSON.parse(run.stdout) as Cruise).summary;
}

/** One planted file per rule: if the gate misses one of these, it guards nothing. */
const EXPECTED = [
  "foundations-know-no-room",
  "money-is-pure",
  "languages-are-pure",
  "pictures-know-only-themselves",
  "rooms-know-no-edge",
  "store-is-private",
  "store-is-not-for-pages",
  "rules-are-pure",
  "ledger-comes-after",
  "demo-is-imported-by-nothing",
  "components-know-no-server",
  "client-knows-no-server",
  "widget-knows-no-server",
  "wording-is-the-server's",
  "services-are-wired-in-one-place",
  "no-cycles",
];

const bait = cruise(planted, ["app", "components", "lib"]);
const caught = new Set(bait.violations.map((violation) => violation.rule.name));
const missed = EXPECTED.filter((rule) => !caught.has(rule));
if (missed.length > 0) {
  console.error(`the import gate is blind: planted violations not caught: ${missed.join(", ")}`);
  process.exit(1);
}

const own = cruise(root, ["app", "components", "lib"]);
if (own.totalCruised < 60) {
  console.error(`the import gate read only ${own.totalCruised} modules of the project`);
  process.exit(1);
}
for (const { rule, from, to } of own.violations) console.error(`${rule.name}: ${from} → ${to}`);
if (own.violations.length > 0) process.exit(1);
console.log(
  `imports: ${own.totalCruised} modules, none out of place; ${EXPECTED.length} planted violations caught`,
);
