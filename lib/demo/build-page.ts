import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** A digest of everything the page is built from. */
function sourcesDigest(): string {
  const hash = createHash("sha256");
  const files = globSync(
    ["{app,components,lib,public}/**/*", "next.config.mjs", "postcss.config.mjs", "package-lock.json"],
    {
      cwd: ROOT,
      withFileTypes: true,
    },
  );
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) hash.update(path.slice(ROOT.length)).update(readFileSync(path));
  return hash.digest("hex");
}

/**
 * Builds the payment page unless what stands in .next was built from these very sources. Throws with Next's words.
 * With `bench`, the build with a bare page in it (next.config.mjs), which stands in .next-bench.
 */
export async function buildPage(say: (line: string) => void, { bench = false } = {}): Promise<void> {
  const digest = sourcesDigest();
  const folder = join(ROOT, bench ? ".next-bench" : ".next");
  const stamp = join(folder, "paylink-sources");
  if (existsSync(join(folder, "BUILD_ID")) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest)
    return;
  const started = Date.now();
  say("building the payment page (once; 20 to 60 seconds) …");
  const child = spawn(process.execPath, [join(ROOT, "node_modules/next/dist/bin/next"), "build"], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      BENCH_BUILD: bench ? "1" : "",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`the payment page could not be built:\n${output}`);
  writeFileSync(stamp, digest);
  say(`the payment page is built (${Math.round((Date.now() - started) / 1000)} s)`);
}
