import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "#lib/dev-chains/unpack-debian.ts";
import { runTool } from "#tests/generators/tools.ts";
import { hashOf, installFromNpm, once, packFolder } from "./shop-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const EXAMPLES = join(ROOT, "docs/integrate/examples");
const FROM_NPM = { express: "5.2.1", next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" };
const FROM_PYPI = "django==5.2.19";
/** Laravel of Debian, with its HTTP client and SQLite. */
const FROM_DEBIAN = "apt-get install php-laravel-framework php-guzzlehttp-guzzle php-curl php-sqlite3";

/** How to start an example. It serves on PORT. */
export interface Example {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Everything that the examples import, in the cache folder. Throws if a program of the machine is missing. */
async function install(): Promise<string> {
  for (const [program, howToAdd] of [
    ["python3", "apt-get install python3-venv"],
    ["go", "install Go 1.23 or later"],
    ["php", FROM_DEBIAN],
  ] as const)
    if (findOnPath(program, process.env) === null) throw new Error(`there is no ${program}: ${howToAdd}`);
  if (!existsSync("/usr/share/php/Illuminate/autoload.php"))
    throw new Error(`there is no Laravel: ${FROM_DEBIAN}`);
  const folder = await installFromNpm("examples", FROM_NPM);
  const client = join(ROOT, "packages/client");
  const sources = globSync(["src/*.ts", "*.json"], { cwd: client }).sort();
  await once(join(folder, "provided"), hashOf(...sources.map((file) => join(client, file))), async () => {
    await runTool("npm", ["run", "build"], { cwd: client });
    const tarball = await packFolder(client, folder);
    rmSync(join(folder, "node_modules/@paylink"), { recursive: true, force: true });
    const options = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
    await runTool("npm", ["install", ...options, tarball], { cwd: folder });
  });
  await once(join(folder, "python-installed"), FROM_PYPI, async () => {
    await runTool("python3", ["-m", "venv", join(folder, "python")]);
    await runTool(join(folder, "python/bin/pip"), ["install", "--quiet", FROM_PYPI]);
  });
  return folder;
}

/** Copies an example to its place. Returns the path. */
function copy(example: string, target: string): string {
  mkdirSync(join(target, ".."), { recursive: true });
  cpSync(join(EXAMPLES, example), target);
  return target;
}

/** Makes each example ready. `port` is where it will serve. */
export async function makeExamples(): Promise<Readonly<Record<string, (port: string) => Promise<Example>>>> {
  const folder = await install();
  const node = process.execPath;
  return {
    "express.mjs": async () => ({
      program: node,
      args: [copy("express.mjs", join(folder, "express.mjs"))],
      cwd: folder,
    }),
    "next.js": async (port) => {
      copy("next.js", join(folder, "app/shop/[...path]/route.js"));
      const next = join(folder, "node_modules/next/dist/bin/next");
      const env = { NEXT_TELEMETRY_DISABLED: "1" };
      await runTool(node, [next, "build"], { cwd: folder, env });
      return { program: node, args: [next, "start", "-H", "127.0.0.1", "-p", port], cwd: folder, env };
    },
    "django_shop.py": async (port) => ({
      program: join(folder, "python/bin/python"),
      args: [join(EXAMPLES, "django_shop.py"), "runserver", "--noreload", `127.0.0.1:${port}`],
      cwd: emptyFolder(folder, "django"),
    }),
    "laravel.php": async (port) => {
      const cwd = emptyFolder(folder, "laravel");
      writeFileSync(join(cwd, "shop.sqlite3"), "");
      const index = join(import.meta.dirname, "laravel-shop/index.php");
      await runTool("php", [index], { cwd });
      const env = { ROUTES: join(EXAMPLES, "laravel.php") };
      return { program: "php", args: ["-S", `127.0.0.1:${port}`, index], cwd, env };
    },
    "main.go": async () => {
      const cwd = emptyFolder(folder, "go");
      const env = { GOCACHE: join(folder, "go-build") };
      await runTool("go", ["build", "-o", join(cwd, "shop"), join(EXAMPLES, "main.go")], { cwd, env });
      return { program: join(cwd, "shop"), args: [], cwd };
    },
  };
}

function emptyFolder(folder: string, name: string): string {
  const path = join(folder, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  return path;
}
