import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const WIDGET = join(ROOT, "public/checkout.js");

/** A digest of all source files of the page and the widget. */
function sourcesDigest(): string {
  const hash = createHash("sha256");
  const files = globSync(
    [
      "{app,components,lib,public,packages/*/src}/**/*",
      "next.config.mjs",
      "postcss.config.mjs",
      "package-lock.json",
    ],
    {
      cwd: ROOT,
      withFileTypes: true,
      // The build itself writes these.
      exclude: (entry) => /^checkout.*\.js$/.test(entry.name),
    },
  );
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) hash.update(path.slice(ROOT.length)).update(readFileSync(path));
  return hash.digest("hex");
}

/**
 * Builds the payment page and the widget, unless .next and public were built from the same sources. Throws
 * with the builder's output.
 */
export async function buildPage(say: (line: string) => void): Promise<void> {
  const digest = sourcesDigest();
  const folder = join(ROOT, ".next");
  const stamp = join(folder, "paylink-sources");
  const built = [join(folder, "BUILD_ID"), WIDGET, stamp].every((path) => existsSync(path));
  if (built && readFileSync(stamp, "utf8") === digest) return;
  const started = Date.now();
  say("building the payment page (once; 20 to 60 seconds) …");
  await run(join(ROOT, "packages/widget/build.ts"));
  await run(join(ROOT, "node_modules/next/dist/bin/next"), "build");
  writeFileSync(stamp, digest);
  say(`the payment page is built (${Math.round((Date.now() - started) / 1000)} s)`);
}

async function run(program: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A build must not continue without the process that asked for it.
  const end = () => child.kill();
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  process.off("exit", end);
  if (code !== 0) throw new Error(`the payment page could not be built:\n${output}`);
}
