import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findOnPath } from "#lib/dev-chains/unpack-debian.ts";
import { temporaryFolder } from "#tests/support/database.ts";

const PYTHON_PACKAGES = ["openapi-generator-cli==7.26.0", "openapi-python-client==0.29.1"];
const NODE_PACKAGES = [
  ...["@hey-api/openapi-ts@0.95.0", "openapi-typescript@7", "openapi-fetch@0.17", "typescript@5"],
  ...["@redocly/cli@2", "@stoplight/spectral-cli@6", "@types/node@24", "tsx@4", "nswag@14.7.1"],
];
/** Newtonsoft.Json 13 for Mono, which the package nswag has in it. Debian's 6 is too old for the generated client. */
export const NEWTONSOFT = "node_modules/nswag/bin/binaries/Win/Newtonsoft.Json.dll";
/** Programs of the machine. `php` needs Guzzle too. */
const PROGRAMS = {
  python3: "apt-get install python3-venv",
  java: "apt-get install default-jdk-headless",
  mvn: "apt-get install maven",
  ruby: "apt-get install ruby ruby-typhoeus",
  go: "install Go 1.23 or later",
  mcs: "apt-get install mono-mcs libmono-cil-dev",
  php: "apt-get install php-cli php-curl php-mbstring php-guzzlehttp-guzzle",
};

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and returns what it prints. Rejects with its output unless it exits with 0. */
export async function runTool(
  program: string,
  args: readonly string[],
  { cwd, env }: RunOptions = {},
): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    const { stdout, stderr } = await promisify(execFile)(program, [...args], options);
    return stdout || stderr;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

/**
 * A folder with the generators and linters: GENERATORS, which the next run uses again, or a temporary one. Throws if a
 * program of the machine is missing.
 */
export async function installTools(): Promise<string> {
  for (const [program, howToAdd] of Object.entries(PROGRAMS))
    if (findOnPath(program, process.env) === null) throw new Error(`there is no ${program}: ${howToAdd}`);
  const folder = process.env.GENERATORS || temporaryFolder();
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "python/bin/openapi-generator-cli"))) {
    await runTool("python3", ["-m", "venv", join(folder, "python")]);
    await runTool(join(folder, "python/bin/pip"), [
      "install",
      "--quiet",
      ...PYTHON_PACKAGES,
      "httpx",
      "attrs",
    ]);
    await runTool(join(folder, "python/bin/pip"), [
      ...["install", "--quiet", "pydantic>=2", "python-dateutil", "urllib3", "typing-extensions"],
    ]);
  }
  if (!existsSync(join(folder, NEWTONSOFT))) {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    await runTool("npm", ["install", "--no-save", "--silent", ...NODE_PACKAGES], { cwd: folder });
  }
  return folder;
}
