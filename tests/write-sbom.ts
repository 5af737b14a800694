/**
 * `npm run -s sbom` prints the packages of production as CycloneDX, from the lockfile alone. `npm sbom
 * --omit dev` also omits packages that a development package needs (npm/cli#7909). So it runs on a project
 * without development packages.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Lockfile {
  packages: Record<string, { dev?: boolean; devDependencies?: unknown }>;
}

const ROOT = join(import.meta.dirname, "..");
const temporary = mkdtempSync(join(tmpdir(), "paylink-sbom-"));
// The document names the project after its folder.
const folder = join(temporary, "paylink");

function copyWithout<T>(name: string, leaveOut: (content: T) => void): void {
  const content = JSON.parse(readFileSync(join(ROOT, name), "utf8")) as T;
  leaveOut(content);
  writeFileSync(join(folder, name), JSON.stringify(content));
}

try {
  mkdirSync(folder);
  copyFileSync(join(ROOT, ".npmrc"), join(folder, ".npmrc"));
  copyWithout<{ devDependencies?: unknown }>("package.json", (manifest) => {
    delete manifest.devDependencies;
  });
  copyWithout<Lockfile>("package-lock.json", ({ packages }) => {
    delete packages[""]?.devDependencies;
    for (const [path, { dev }] of Object.entries(packages)) if (dev) delete packages[path];
  });
  const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
} finally {
  rmSync(temporary, { recursive: true });
}
