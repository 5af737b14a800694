/**
 * The import gate. It first runs on planted violations and must find each of them: with some TypeScript versions
 * dependency-cruiser reads no module and still reports no violations. Then it runs on the project.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { FLOORS, OUTSIDE, PACKAGES, ROOMS } from "../.dependency-cruiser.mjs";

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

interface Module {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

interface Cruise {
  readonly summary: { readonly totalCruised: number; readonly violations: readonly Violation[] };
  readonly modules: readonly Module[];
}

const root = dirname(import.meta.dirname);
const program = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
const FOLDERS = ["app", "components", "lib", "packages"];

function cruise(folder: string): Cruise["summary"] {
  const config = join(root, ".dependency-cruiser.mjs");
  const run = spawnSync(
    process.execPath,
    [program, "--config", config, "--output-type", "json", ...FOLDERS],
    {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  if (run.stdout === "") throw new Error(`dependency-cruiser did not run: ${run.stderr}`);
  const { summary, modules } = JSON.parse(run.stdout) as Cruise;
  return { ...summary, violations: [...summary.violations, ...circlesOfFolders(modules)] };
}

/** The folder of a room that holds a file: "lib/domain/deposits/watch". A file directly in its room is shared by the room's folders. */
const folderOf = (path: string) => /^lib\/domain\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0];

/** The imports between folders of one room that are part of a circle of folders. */
function circlesOfFolders(modules: readonly Module[]): Violation[] {
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
  const between = imports.flatMap(({ from, to }) => {
    const [importing, imported] = [folderOf(from), folderOf(to)];
    if (importing === undefined || imported === undefined || importing === imported) return [];
    return dirname(importing) === dirname(imported) ? [{ from, to, importing, imported }] : [];
  });
  const reached = (start: string, found = new Set([start])): ReadonlySet<string> => {
    for (const { importing, imported } of between)
      if (importing === start && !found.has(imported)) reached(imported, found.add(imported));
    return found;
  };
  return between
    .filter(({ importing, imported }) => reached(imported).has(importing))
    .map(({ from, to }) => ({ rule: { name: "no-cycles-of-folders" }, from, to }));
}

/** A forbidden import: the rule that must find it, the file that imports, the file that is imported. */
type Planted = readonly [rule: string, from: string, to: string];

/** An import from each item of an ordered list to each item before it. */
function upward(list: readonly string[], folder: string, suffix: string): Planted[] {
  return list.flatMap((name, i) =>
    list
      .slice(0, i)
      .map(
        (above): Planted => [
          `${name}-${suffix}`,
          `${folder}/${name}/to-${above}.ts`,
          `${folder}/${above}/a.ts`,
        ],
      ),
  );
}

const PLANTED: readonly Planted[] = [
  ...upward(FLOORS, "lib", "imports-only-below"),
  ...upward(ROOMS, "lib/domain", "comes-after"),
  ["cli-imports-only-below", "lib/cli/page.ts", "components/card.ts"],
  ["floors-import-no-package", "lib/web/package.ts", "packages/widget/a.ts"],
  ["money-is-pure", "lib/platform/money/amount.ts", "lib/platform/db/connection.ts"],
  ["languages-are-pure", "lib/platform/languages/languages.ts", "lib/platform/db/connection.ts"],
  ["pictures-know-only-themselves", "lib/platform/pictures/draw.ts", "lib/platform/db/connection.ts"],
  ["look-is-pure", "lib/platform/look.ts", "lib/platform/money/amount.ts"],
  ["rules-are-pure", "lib/domain/webhooks/rules.ts", "lib/platform/db/connection.ts"],
  ["rules-are-pure", "lib/domain/delivery/lane-rules.ts", "node:fs"],
  ["stores-are-private", "lib/domain/deposits/credit.ts", "lib/domain/ledger/store.ts"],
  ["stores-are-private", "lib/web/api/list.ts", "lib/domain/ledger/store.ts"],
  ["stores-are-private", "lib/cli/list.ts", "lib/domain/ledger/store.ts"],
  ["tables-of-others-are-for-joins", "lib/domain/deposits/credit-all.ts", "lib/domain/ledger/tables.ts"],
  ["tables-of-others-are-for-joins", "lib/cli/list-tables.ts", "lib/domain/ledger/tables.ts"],
  ["tables-of-others-are-for-joins", "app/tables.ts", "lib/domain/withdrawals/claims/tables.ts"],
  ["stores-are-not-for-pages", "app/page.ts", "lib/domain/ledger/store.ts"],
  ["stores-are-not-for-pages", "components/list.ts", "lib/domain/ledger/store.ts"],
  ["services-are-wired-in-one-place", "lib/domain/ledger/price.ts", "lib/domain/rates/open-rates.ts"],
  ["services-are-wired-in-one-place", "lib/web/page/chain.ts", "lib/chains/registry.ts"],
  ["demo-is-imported-by-nothing", "lib/server/main.ts", "lib/demo/main.ts"],
  ["dev-nodes-are-for-demo-and-tests", "lib/domain/sandbox/node.ts", "lib/dev-chains/anvil.ts"],
  ["dev-nodes-are-for-demo-and-tests", "lib/dev-chains/payers/node.ts", "lib/dev-chains/anvil.ts"],
  ["components-know-no-server", "components/card.ts", "lib/server/a.ts"],
  ["components-know-no-server", "components/rows.ts", "lib/platform/db/connection.ts"],
  ...PACKAGES.flatMap((name): Planted[] => {
    const rule = `package-${name}-imports-nothing-of-ours`;
    const others = PACKAGES.filter((other) => other !== name).map((other) => `packages/${other}`);
    return ["app", "components", "lib/web", "tests", ...others].map((folder) => [
      rule,
      `packages/${name}/src/to-${folder.replace("/", "-")}.ts`,
      `${folder}/a.ts`,
    ]);
  }),
  ["tests-are-imported-by-nothing", "lib/server/fake.ts", "tests/support/fake.ts"],
  ["wording-is-the-server's", "components/checkout/live.tsx", "components/checkout/texts.ts"],
  ["no-cycles", "lib/domain/rates/one.ts", "lib/domain/rates/two.ts"],
  ["no-cycles", "lib/domain/rates/two.ts", "lib/domain/rates/one.ts"],
  ["no-cycles-of-types", "lib/chains/one.ts", "lib/chains/two.ts"],
  ["no-cycles-of-types", "lib/chains/two.ts", "lib/chains/one.ts"],
  ["no-cycles-of-types", "components/checkout/one.ts", "components/checkout/two.ts"],
  ["no-cycles-of-types", "components/checkout/two.ts", "components/checkout/one.ts"],
  ["no-cycles-of-folders", "lib/domain/rates/near/one.ts", "lib/domain/rates/far/two.ts"],
  ["no-cycles-of-folders", "lib/domain/rates/far/three.ts", "lib/domain/rates/near/four.ts"],
  ["chains-base-knows-no-family", "lib/chains/network.ts", "lib/chains/evm/a.ts"],
  ["signer-knows-no-server", "lib/signer/api.ts", "lib/web/a.ts"],
  ["signer-knows-no-server", "lib/signer/start.ts", "lib/server/a.ts"],
  ["not-unresolvable", "lib/domain/rates/three.ts", "#lib/nowhere.ts"],
];

/** Writes the planted files to a folder of their own, runs the gate on it, and returns what the gate missed. */
function missedViolations(): readonly Planted[] {
  const folder = mkdtempSync(join(tmpdir(), "paylink-imports-"));
  try {
    const files = new Map<string, string>([["tsconfig.json", '{ "compilerOptions": { "allowJs": true } }']]);
    const isFile = (to: string) => !to.startsWith("node:") && !to.startsWith("#");
    for (const [, , to] of PLANTED) if (isFile(to)) files.set(to, "export const planted = 1;\n");
    for (const [rule, from, to] of PLANTED) {
      const kind = rule === "no-cycles-of-types" ? " type" : "";
      const path = relative(dirname(from), to);
      const target = isFile(to) ? (path.startsWith(".") ? path : `./${path}`) : to;
      files.set(
        from,
        `import${kind} { planted } from ${JSON.stringify(target)};\nexport${kind} { planted };\n`,
      );
    }
    for (const [path, text] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { violations } = cruise(folder);
    // A cycle of files is reported at one of them only.
    return PLANTED.filter(
      ([rule, ...files]) => !violations.some((v) => v.rule.name === rule && files.includes(v.from)),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lists the folders of a folder that its list does not name, and the names without a folder. */
function unlistedFolders(folder: string, listed: readonly string[]): readonly string[] {
  const found = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const differing = [
    ...found.filter((one) => !listed.includes(one)),
    ...listed.filter((one) => !found.includes(one)),
  ];
  return differing.map((name) => `${folder}/${name}`);
}

const unlisted = [
  ...unlistedFolders("lib", [...FLOORS, ...OUTSIDE]),
  ...unlistedFolders("lib/domain", ROOMS),
  ...unlistedFolders("packages", PACKAGES),
];
for (const folder of unlisted)
  console.error(
    `${folder} is a folder without a place in .dependency-cruiser.mjs, or a place without a folder`,
  );
if (unlisted.length > 0) process.exit(1);

const missed = missedViolations();
for (const [rule, from, to] of missed) console.error(`the import gate missed ${rule}: ${from} → ${to}`);
if (missed.length > 0) process.exit(1);

const own = cruise(root);
if (own.totalCruised < 500) {
  console.error(`the import gate read only ${own.totalCruised} modules of the project`);
  process.exit(1);
}
for (const { rule, from, to } of own.violations) console.error(`${rule.name}: ${from} → ${to}`);
if (own.violations.length > 0) process.exit(1);
console.log(`imports: ${own.totalCruised} modules, 0 violations; ${PLANTED.length} planted violations found`);
