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
  print("  npm pack            # the archive of paylink/client and paylink/widget");
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
  run(root, "npm", "version", version, "--no-git-tag-version", "--ignore-scripts", "--allow-same-version");
  writeFileSync(path, text);
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

/** Builds what `npm pack` packs, and lists it with sizes. */
function listPackedFiles(root: string): string[] {
  run(root, "npm", "run", "prepack");
  const [archive] = JSON.parse(run(root, "npm", "pack", "--dry-run", "--json", "--ignore-scripts")) as {
    filename: string;
    size: number;
    files: { path: string; size: number }[];
  }[];
  if (archive === undefined) throw new ReleaseError("npm packs nothing.");
  const { filename, size, files } = archive;
  return [
    `${filename}: ${files.length} files, ${size} bytes`,
    ...files.map((file) => `${String(file.size).padStart(8)} ${file.path}`),
  ];
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
