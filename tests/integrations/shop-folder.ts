import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { runTool } from "#tests/generators/tools.ts";

const ROOT = join(import.meta.dirname, "../..");
const TSC = join(ROOT, "node_modules/.bin/tsc");

/** The packages that are installed from npm for each shop, next to the packed provider. */
const SHOPS = {
  medusa: {
    "@medusajs/cli": "2.21.2",
    "@medusajs/framework": "2.21.2",
    "@medusajs/medusa": "2.21.2",
    "@types/node": "^22",
  },
  vendure: { "@vendure/core": "3.7.3", pg: "^8", "@types/node": "^22" },
};
export type ShopName = keyof typeof SHOPS;

const say = (line: string) => console.log(line);

export function hashOf(...files: string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}

/** Does something once for these contents: again after they have changed. */
export async function once(stamp: string, digest: string, work: () => Promise<void>): Promise<void> {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  await work();
  writeFileSync(stamp, digest);
}

/** A folder in the cache with these packages from npm. It takes minutes the first time, and up to 700 MB. */
export async function installFromNpm(
  name: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<string> {
  const cache = process.env.PAYLINK_CACHE_DIR || join(homedir(), ".cache/paylink");
  const folder = join(cache, "integrations", name);
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.stringify({ private: true, dependencies });
  await once(join(folder, "installed"), manifest, async () => {
    say(`installing ${name} into ${folder} (once; some minutes) …`);
    writeFileSync(join(folder, "package.json"), manifest);
    await runTool("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
  });
  return folder;
}

/** Packs a package, and returns the path of its tarball. */
export async function packFolder(source: string, into: string): Promise<string> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
  const [packed] = JSON.parse(await runTool("npm", args, { cwd: source })) as { filename: string }[];
  return join(into, packed!.filename);
}

/** Copies a package next to the shop, where its types are found, and compiles and packs it. */
async function build(name: "shop" | ShopName, folder: string): Promise<string> {
  const source = join(folder, "build", name);
  rmSync(source, { recursive: true, force: true });
  cpSync(join(ROOT, "integrations", name), source, { recursive: true });
  await runTool(TSC, ["-p", "tsconfig.json"], { cwd: source });
  return packFolder(source, join(folder, "packed"));
}

/**
 * Returns a folder with the shop from npm and our provider as it is published: packed, and installed from the tarballs. It is kept in the
 * cache folder, and made again where the sources have changed.
 */
export async function makeShopFolder(name: ShopName): Promise<string> {
  const folder = await installFromNpm(name, SHOPS[name]);
  mkdirSync(join(folder, "packed"), { recursive: true });
  const patterns = [`integrations/{shop,${name}}/{src/**/*.ts,*.json}`, "packages/client/{src/*.ts,*.json}"];
  const sources = globSync(patterns, { cwd: ROOT }).sort();
  await once(join(folder, "provided"), hashOf(...sources.map((file) => join(ROOT, file))), async () => {
    const client = join(ROOT, "packages/client");
    await runTool("npm", ["run", "build"], { cwd: client });
    const packages = join(folder, "build/node_modules/@paylink");
    rmSync(packages, { recursive: true, force: true });
    mkdirSync(packages, { recursive: true });
    symlinkSync(client, join(packages, "client"));
    symlinkSync(join(folder, "build/shop"), join(packages, "shop"));
    const tarballs = [
      await packFolder(client, join(folder, "packed")),
      await build("shop", folder),
      await build(name, folder),
    ];
    const options = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
    // npm keeps an installed version although its tarball has changed.
    rmSync(join(folder, "node_modules/@paylink"), { recursive: true, force: true });
    await runTool("npm", ["install", ...options, ...tarballs], { cwd: folder });
  });
  return folder;
}

/** An empty folder of a program inside the shop's folder, with the files of `tests/integrations/<program>`. */
export function makeProgram(folder: string, program: string): string {
  const target = join(folder, program);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(import.meta.dirname, program), target, { recursive: true });
  return target;
}
