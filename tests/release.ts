/**
 * Releases, in two steps. It changes this repository alone: it pushes and publishes nothing.
 *
 * - `npm run release -- 1.1.0` sets the version, and moves the changelog's section "Unreleased" to it.
 * - `npm run release` tags the version that is set. `--dry-run` makes all checks and prints the release instead.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const USAGE = "Usage: npm run release -- VERSION, npm run release -- --dry-run, or npm run release.";
const UNRELEASED = "Unreleased";
const VERSION = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/;

/** The release is refused. The message says why and what to do. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";
}

interface Surroundings {
  /** The folder of the repository. */
  readonly root: string;
  /** ISO 8601. */
  readonly today: string;
  readonly print: (line: string) => void;
}

/** Does what the words after `npm run release --` ask for. Throws ReleaseError before anything is changed. */
export function release(words: readonly string[], { root, today, print }: Surroundings): void {
  const isDryRun = words.includes("--dry-run");
  const [version, ...others] = words.filter((word) => word !== "--dry-run");
  if (others.length > 0 || (version !== undefined && (isDryRun || version.startsWith("-"))))
    throw new ReleaseError(USAGE);
  if (run(root, "git", "status", "--porcelain") !== "")
    throw new ReleaseError("There are changes that are not committed. Commit or stash them.");
  if (version !== undefined) {
    prepareVersion(root, version, today);
    print(`This is version ${version} now. Next:`);
    print(`  git commit -am "chore: release ${version}" && npm run release -- --dry-run`);
    return;
  }
  const { tag, message } = describeRelease(root);
  for (const line of [`tag ${tag}:`, "", message, "", ...listPackedFiles(root)]) print(line);
  if (readSections(root).get(UNRELEASED))
    print(`Warning: the lines of "${UNRELEASED}" in CHANGELOG.md are not in these notes.`);
  if (isDryRun) return;
  // Verbatim: git would leave out headings, which begin with its comment character.
  execFileSync("git", ["tag", "--annotate", "--cleanup=verbatim", `--message=${message}`, tag], {
    cwd: root,
  });
  print(`\nThe tag ${tag} is made. Next:`);
  print(`  git push origin HEAD ${tag}`);
  print("  npm pack --workspaces            # the archives of the packages");
}

/** Sets the version, and gives it the changelog's unreleased lines. */
function prepareVersion(root: string, version: string, today: string): void {
  if (!VERSION.test(version))
    throw new ReleaseError(`"${version}" is not a version, such as 1.1.0. ${USAGE}`);
  checkNew(root, version);
  const sections = readSections(root);
  if (sections.has(version)) throw new ReleaseError(`CHANGELOG.md has a section for ${version} already.`);
  if (!sections.get(UNRELEASED))
    throw new ReleaseError(`CHANGELOG.md has no lines under "${UNRELEASED}": there is nothing to release.`);
  const path = join(root, "CHANGELOG.md");
  const heading = `## ${UNRELEASED}\n`;
  const text = readFileSync(path, "utf8").replace(heading, `${heading}\n## ${version} - ${today}\n`);
  const all = ["--workspaces", "--include-workspace-root", "--no-workspaces-update"];
  run(
    root,
    "npm",
    ...["version", version, ...all, "--no-git-tag-version", "--ignore-scripts", "--allow-same-version"],
  );
  setLockedVersions(root, version);
  writeFileSync(path, text);
}

/** Sets the version of the packages in the lockfile. npm sets only that of the program there. */
function setLockedVersions(root: string, version: string): void {
  const path = join(root, "package-lock.json");
  const lockfile = JSON.parse(readFileSync(path, "utf8")) as {
    packages: Record<string, { link?: boolean; resolved?: string; version?: string }>;
  };
  for (const { link, resolved = "" } of Object.values(lockfile.packages)) {
    const entry = link ? lockfile.packages[resolved] : undefined;
    if (entry !== undefined) entry.version = version;
  }
  writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`);
}

/** The tag of the version that is set, and its message: the section of the changelog. */
function describeRelease(root: string): { readonly tag: string; readonly message: string } {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const notes = readSections(root).get(version);
  if (!notes)
    throw new ReleaseError(
      `CHANGELOG.md has no lines for ${version}. Run "npm run release -- VERSION" first.`,
    );
  return { tag: checkNew(root, version), message: `Paylink ${version}\n\n${notes}` };
}

/** Returns the version's tag. Throws if it exists. */
function checkNew(root: string, version: string): string {
  const tag = `v${version}`;
  if (run(root, "git", "tag", "--list", tag) === "") return tag;
  throw new ReleaseError(`The tag ${tag} exists. Choose a new version: npm run release -- VERSION.`);
}

/** The sections of the changelog by the first word of their headings, without their dates. */
function readSections(root: string): Map<string, string> {
  const [, ...sections] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  return new Map(
    sections.map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return [heading.split(" ", 1)[0] ?? "", lines.join("\n").trim()];
    }),
  );
}

/** Builds the packages, and lists what `npm pack` packs, with sizes. */
function listPackedFiles(root: string): string[] {
  run(root, "npm", "run", "prepack", "--workspaces", "--if-present");
  const pack = ["pack", "--workspaces", "--dry-run", "--json", "--ignore-scripts"];
  const archives = JSON.parse(run(root, "npm", ...pack)) as {
    filename: string;
    size: number;
    files: { path: string; size: number }[];
  }[];
  if (archives.length === 0) throw new ReleaseError("npm packs nothing.");
  return archives.flatMap(({ filename, size, files }) => [
    `${filename}: ${files.length} files, ${size} bytes`,
    ...files.map((file) => `${String(file.size).padStart(8)} ${file.path}`),
  ]);
}

const run = (root: string, program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

if (import.meta.main) {
  try {
    release(process.argv.slice(2), {
      root: join(import.meta.dirname, ".."),
      today: new Date().toISOString().slice(0, 10),
      print: (line) => console.log(line),
    });
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
