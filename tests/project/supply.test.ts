/**
 * The rules of docs/operate/security.md for packages of others: pinned by hash, explained, and without
 * install scripts that are not allowed.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { temporaryFolder } from "#tests/support/database.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** npm's own library for versions. Next has a copy. */
const semver = createRequire(import.meta.url)("next/dist/compiled/semver") as {
  subset(range: string, of: string): boolean;
  satisfies(version: string, range: string): boolean;
  validRange(range: string): string | null;
};
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

interface Locked {
  readonly version: string;
  readonly resolved?: string;
  /** True for a package of this repository (packages/). */
  readonly link?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(read("package.json")) as {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  engines: { node: string };
};
/** The packages of this repository, one for each folder of packages/. */
const published = globSync("packages/*/package.json", { cwd: ROOT }).map((path) => {
  type Manifest = { name: string; version: string; dependencies?: Record<string, string> };
  return { ...(JSON.parse(read(path)) as Manifest), folder: path.replace(/\/package\.json$/, "") };
});
const { "": ours, ...others } = (
  JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> }
).packages;
const locked = Object.entries(others)
  .filter(([path, { link }]) => !link && !path.startsWith("packages/"))
  .map(([path, entry]) => {
    return { ...entry, path, name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length) };
  });
/** The dependencies of the program and of the packages. */
const running = new Set(
  [manifest, ...published].flatMap(({ dependencies = {} }) => Object.keys(dependencies)),
);

/** The packages in a table of docs/dependencies.md, each with its reason. */
function explained(title: string): [string, string][] {
  const section =
    read("docs/dependencies.md")
      .split(/^## /m)
      .find((part) => part.startsWith(title)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Package"));
  return rows.flatMap((row) => {
    const [, packages = "", reason = ""] = row.split("|").map((cell) => cell.trim());
    return packages.split(", ").map((name): [string, string] => [name, reason]);
  });
}

test("docs/dependencies.md explains every dependency, and only these", () => {
  for (const [title, names] of [
    ["At run time", [...running]],
    ["For development and tests", Object.keys(manifest.devDependencies).filter((name) => !running.has(name))],
  ] as const) {
    const reasons = explained(title);
    assert.deepEqual(reasons.map(([name]) => name).sort(), names.toSorted(), title);
    for (const [name, reason] of reasons) assert.ok(reason.length > 10, `${name} has no reason`);
  }
});

test("the lockfile has a hash of every package that Linux installs, and contains no registry host", () => {
  assert.equal(ours?.version, manifest.version);
  assert.ok(locked.length > 500);
  const runsOnLinux = ({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: Locked) =>
    os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
  const wrong = locked.filter(({ integrity = "", ...entry }) => {
    // Packages of other platforms that were unavailable where the lockfile was made.
    if (integrity === "" && entry.optional && !runsOnLinux(entry)) return false;
    return !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
  });
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    locked.filter(({ resolved }) => resolved !== undefined),
    [],
  );
  assert.doesNotMatch(read("package-lock.json"), /https?:\/\/[^"]*\.tgz/);
});

test("every package with an install script is allowed or denied by name", () => {
  const scripted = [...new Set(locked.filter((one) => one.hasInstallScript).map(({ name }) => name))];
  assert.ok(scripted.includes("node"));
  assert.deepEqual(
    scripted.filter((name) => typeof manifest.allowScripts[name] !== "boolean"),
    [],
  );
});

test("every Node that package.json allows suits all dependencies, so that npm ci does not warn", () => {
  const unsuited = locked.filter(({ engines, os = ["linux"] }) => {
    const { node = "*" } = engines ?? {};
    return node !== "*" && os.includes("linux") && !semver.subset(manifest.engines.node, node);
  });
  assert.deepEqual(
    unsuited.map(({ path, engines }) => `${path}: ${engines?.node}`),
    [],
  );
  for (const old of ["18.20.8", "20.18.3", "22.12.0"])
    assert.equal(semver.satisfies(old, manifest.engines.node), false, old);
});

test("no package asks for a version by a tag, which npm 9 cannot install next to overrides", () => {
  const tags = Object.entries({ "": ours, ...others }).flatMap(([path, entry]) =>
    Object.entries({ ...entry?.dependencies, ...entry?.devDependencies, ...entry?.optionalDependencies })
      .filter(([, range]) => semver.validRange(range) === null && !range.startsWith("npm:"))
      .map(([name, range]) => `${path}: ${name}@${range}`),
  );
  assert.deepEqual(tags, []);
});

test("a Node that is too old for TypeScript gets one sentence from npm start", () => {
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const start = JSON.parse(read("package.json")).scripts.start as string;
  const args = start.replace("exec node ", "").split(" ");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(old)}`, ...args],
    { cwd: ROOT, encoding: "utf8" },
  );
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /^Paylink needs Node 24 or later, and this is Node 20\.20\.2\. [^\n]+\n$/);
});

test("npm lists the whole tree as a bill of materials", () => {
  const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: ROOT, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const { components } = cyclonedx.parse(JSON.parse(stdout));
  const names = new Set(components.map(({ name }) => name));
  assert.deepEqual(
    Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((name) => !names.has(name)),
    [],
  );
});

test("Next's telemetry is off where next.config.mjs is read", (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const code = `await import("./next.config.mjs");
    const { Telemetry } = (await import("next/dist/telemetry/storage.js")).default;
    process.stdout.write(String(new Telemetry({ distDir: process.argv[1] }).isEnabled));`;
  const { NEXT_TELEMETRY_DISABLED, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code, folder], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...env, CI: "" },
  });
  assert.equal(stdout, "false", stderr);
});

test("the image contains nothing that git ignores, no secrets and no history", () => {
  const linesOf = (path: string) =>
    read(path)
      .split("\n")
      .map((line) => line.replace(/^\/|\/$/g, ""))
      .filter((line) => line !== "");
  const left = new Set(linesOf(".dockerignore"));
  assert.deepEqual(
    [".git", ".env", ...linesOf(".gitignore")].filter((line) => !left.has(line)),
    [],
  );
});

const component = z.object({
  "bom-ref": z.string().min(1),
  type: z.literal("library"),
  name: z.string().min(1),
  version: z.string().min(1),
  purl: z.string().startsWith("pkg:npm/"),
  hashes: z.array(z.object({ alg: z.literal("SHA-512"), content: z.string() })).default([]),
});
const cyclonedx = z.object({
  $schema: z.literal("http://cyclonedx.org/schema/bom-1.5.schema.json"),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/),
  version: z.int().min(1),
  metadata: z.object({ timestamp: z.iso.datetime(), component: component.omit({ hashes: true }) }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

test("the packages of this repository have its version, also in the lockfile", () => {
  assert.deepEqual(published.map(({ folder }) => folder).sort(), ["packages/client", "packages/widget"]);
  for (const { name, version, folder } of published) {
    assert.deepEqual([name, version], [name, manifest.version]);
    assert.equal(others[folder]?.version, version);
    assert.deepEqual(others[`node_modules/${name}`], { resolved: folder, link: true });
  }
});

test("the bill of materials lists every package that runs, with its hash and its dependencies", () => {
  const output = execFileSync(process.execPath, ["tests/write-sbom.ts"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { metadata, components, dependencies } = cyclonedx.parse(JSON.parse(output.toString()));
  const runs = new Map<string, string | null>([
    ...locked
      .filter(({ dev }) => !dev)
      .map(({ name, version, integrity = null }) => [`${name}@${version}`, integrity] as const),
    ...published.map(({ name, version }) => [`${name}@${version}`, null] as const),
  ]);
  const listed = new Map(
    components.map(({ "bom-ref": ref, hashes: [hash] }) => {
      return [ref, hash ? `sha512-${Buffer.from(hash.content, "hex").toString("base64")}` : null];
    }),
  );
  assert.deepEqual([...listed].sort(), [...runs].sort());
  const direct = dependencies.find(({ ref }) => ref === metadata.component["bom-ref"])?.dependsOn ?? [];
  const names = direct.map((ref) => ref.slice(0, ref.lastIndexOf("@")));
  assert.deepEqual(names.sort(), Object.keys(manifest.dependencies).sort());
  const needed = dependencies.flatMap(({ dependsOn = [] }) => dependsOn);
  assert.deepEqual(
    needed.filter((ref) => !listed.has(ref)),
    [],
  );
});
