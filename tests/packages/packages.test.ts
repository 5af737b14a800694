/**
 * Both packages are packed as merchants install them, then used in projects of their own, on three Nodes and with two
 * bundlers. Everything else comes from npm, into a temporary folder.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { temporaryFolder } from "#tests/support/database.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROJECTS = join(import.meta.dirname, "projects");
/** The oldest of each line that `engines` allows, with a React. */
const NODES = [
  ["20.19.0", "18"],
  ["22.13.0", "19"],
  ["24.0.0", "19"],
] as const;
const LINTERS = ["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"];

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

interface Archive {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
}

/** Runs a program in a folder. Rejects with its output unless it exits with 0. */
async function run(cwd: string, path: string, program: string, ...args: string[]) {
  const env = { ...process.env, PATH: `${path}:${process.env.PATH}`, NEXT_TELEMETRY_DISABLED: "1" };
  try {
    return await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

/** An empty project, with the files of a folder of projects if it names one, and these packages of npm. */
async function project(name: string, files: string | null, packages: readonly string[], path = "") {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  // npm runs the install script of the package `node`, which is its program.
  writeFileSync(join(cwd, "package.json"), '{"private":true,"type":"module","allowScripts":{"node":true}}');
  if (files !== null) cpSync(join(PROJECTS, files), cwd, { recursive: true });
  await run(cwd, path, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error", ...packages);
  return cwd;
}

async function pack(): Promise<readonly Archive[]> {
  const all = ["-w", "packages/client", "-w", "packages/widget"];
  await run(ROOT, "", "npm", "run", "prepack", ...all);
  const { stdout } = await run(
    ROOT,
    "",
    "npm",
    ...["pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...all],
  );
  return JSON.parse(stdout) as Archive[];
}

const archives = await pack();
const tarballs = archives.map(({ filename }) => join(folder, filename));

test("publint and attw find nothing wrong with the archives", async () => {
  const cwd = await project("linters", null, LINTERS);
  const bin = join(cwd, "node_modules/.bin");
  for (const tarball of tarballs) {
    await run(cwd, "", join(bin, "publint"), "run", "--strict", tarball);
    await run(cwd, "", join(bin, "attw"), "--profile", "esm-only", tarball);
  }
});

for (const [version, react] of NODES)
  test(`Node ${version} imports and requires both packages, with React ${react}`, async () => {
    const nodeFolder = await project(`node-${version}`, null, [`node@${version}`]);
    const path = join(nodeFolder, "node_modules/node/bin");
    const packages = [...tarballs, `react@${react}`, `react-dom@${react}`];
    const cwd = await project(`on-node-${version}`, "node", packages, path);
    assert.equal((await run(cwd, path, "node", "--version")).stdout, `v${version}\n`);
    for (const program of ["import.js", "require.cjs"]) {
      const { stdout, stderr } = await run(cwd, path, "node", program);
      assert.deepEqual([JSON.parse(stdout), stderr], [EXPECTED, ""], program);
    }
  });

/** The output of tests/packages/projects/node/check.js. */
const EXPECTED = {
  data: {
    data: { payment_link: "https://pay.example/v1/payment-links/x", amount_required: "0.10" },
  },
  event: { id: "evt_1", type: "payment_link_completed" },
  refused: true,
  button: '<button type="button">Pay</button>',
  methods: ["open", "mount", "close", "destroy"],
};

test("a Vite app with React has right types and is built with the widget in it", async () => {
  const types = ["@types/node@24", "@types/react@19", "@types/react-dom@19"];
  const packages = [...tarballs, "vite@8", "@vitejs/plugin-react@6", "react@19", "react-dom@19", ...types];
  const cwd = await project("vite", "vite", packages);
  await run(cwd, "", process.execPath, join(ROOT, "node_modules/typescript/bin/tsc"), "-p", cwd);
  const { stdout, stderr } = await run(cwd, "", join(cwd, "node_modules/.bin/vite"), "build");
  assert.doesNotMatch(stdout + stderr, /warn/i);
  const [script = "", ...others] = globSync("dist/assets/*.js", { cwd });
  assert.deepEqual(others, []);
  assert.match(readFileSync(join(cwd, script), "utf8"), /The payment page is blocked or slow here\./);
});

test("a page of Next's server uses the client, and the widget's components as they are", async () => {
  const cwd = await project("next", "next", [...tarballs, "next@16", "react@19", "react-dom@19"]);
  const { stderr } = await run(cwd, "", join(cwd, "node_modules/.bin/next"), "build");
  assert.doesNotMatch(stderr, /warn|error/i);
  const page = readFileSync(join(cwd, ".next/server/app/index.html"), "utf8");
  assert.match(page, /<p>0\.10<\/p><button type="button">Pay<\/button><div class="checkout"><\/div>/);
  const scripts = globSync(".next/static/chunks/**/*.js", { cwd }).map((path) =>
    readFileSync(join(cwd, path), "utf8"),
  );
  assert.ok(scripts.some((script) => script.includes("The payment page is blocked or slow here.")));
  assert.ok(!scripts.some((script) => script.includes("x-staging-api-key")), "the client is on the server");
});

test("the sizes of both packages are printed", async () => {
  for (const { name, size, unpackedSize, entryCount } of archives)
    console.log(`${name}: ${size} bytes packed, ${unpackedSize} unpacked, ${entryCount} files`);
  const cwd = await project("sizes", null, [...tarballs, "react@19"]);
  const [client = "", widget = ""] = archives.map(({ name }) => name);
  for (const entry of [client, widget, `${widget}/react`]) {
    const { outputFiles } = await build({
      stdin: { contents: `export * from "${entry}"`, resolveDir: cwd },
      bundle: true,
      minify: true,
      format: "esm",
      external: ["react"],
      write: false,
    });
    const code = outputFiles.map(({ text }) => text).join("");
    console.log(`${entry}: ${gzipSync(code, { level: 9 }).length} bytes, minified and gzip`);
    assert.ok(code.length > 0);
  }
});
