/** `npm run release` in a repository of its own, with the git and npm of this machine. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder } from "#tests/support/database.ts";
import { release } from "../release.ts";

const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n### Added\n\n- Refunds.\n\n## 1.0.0 - 2026-11-27\n\n- Payments.\n";
let root: string;

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const read = (name: string) => readFileSync(join(root, name), "utf8");
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const versionOf = (name: string) => JSON.parse(read(name)).version;

function commit(): void {
  git("add", "--all");
  git("commit", "--quiet", "--message=change");
}

/** The output of the command. */
function output(...words: string[]): string {
  const lines: string[] = [];
  release(words, { root, today: "2026-12-01", print: (line) => lines.push(line) });
  return lines.join("\n");
}

const refuses = (words: readonly string[], message: RegExp) =>
  assert.throws(() => output(...words), { name: "ReleaseError", message });

before(() => {
  root = temporaryFolder();
  const own = { name: "paylink", version: "1.0.0", workspaces: ["packages/*"] };
  const client = { name: "@paylink/client", version: "1.0.0" };
  const scripts = { prepack: "mkdir -p dist && echo 12345 > dist/client.js" };
  mkdirSync(join(root, "packages/client"), { recursive: true });
  write("package.json", JSON.stringify({ ...own, private: true }));
  write("packages/client/package.json", JSON.stringify({ ...client, files: ["dist"], scripts }));
  write(
    "package-lock.json",
    JSON.stringify({
      ...own,
      lockfileVersion: 3,
      packages: {
        "": own,
        "node_modules/@paylink/client": { resolved: "packages/client", link: true },
        "node_modules/other": { version: "1.0.0" },
        "packages/client": client,
      },
    }),
  );
  write("CHANGELOG.md", CHANGELOG);
  write(".gitignore", "dist\n");
  write("server.ts", "");
  write("packages/client/client.ts", "");
  git("init", "--quiet");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@shop.example");
  commit();
});
after(() => rmSync(root, { recursive: true }));

test("a dry run prints the tag, the notes and the packed files, and makes no tag", () => {
  const printed = output("--dry-run");
  assert.match(
    printed,
    /^tag v1\.0\.0:\n\nPaylink 1\.0\.0\n\n- Payments\.\n\npaylink-client-1\.0\.0\.tgz: 2 files, /,
  );
  assert.match(printed, /^ +6 dist\/client\.js$/m);
  assert.doesNotMatch(printed, /server\.ts|client\.ts/);
  assert.match(printed, /^Warning: the lines of "Unreleased" .* are not in these notes\.$/m);
  assert.equal(git("tag"), "");
});

test("refuses what it does not understand, and changes that are not committed", () => {
  for (const words of [["1.1.0", "1.2.0"], ["1.1.0", "--dry-run"], ["--help"]]) refuses(words, /^Usage: /);
  refuses(["1.1"], /^"1\.1" is not a version, such as 1\.1\.0\./);
  write("server.ts", "changed");
  for (const words of [["--dry-run"], ["1.1.0"], []])
    refuses(words, /not committed\. Commit or stash them\.$/);
  write("server.ts", "");
});

test("tags the version once, with the notes as they are", () => {
  assert.match(output(), /The tag v1\.0\.0 is made\. Next:\n {2}git push origin HEAD v1\.0\.0\n/);
  assert.equal(git("cat-file", "-t", "v1.0.0"), "tag");
  refuses([], /^The tag v1\.0\.0 exists\. Choose a new version/);
  refuses(["1.0.0"], /^The tag v1\.0\.0 exists\./);
});

test("sets a new version and moves the unreleased lines to it", () => {
  assert.match(output("1.1.0"), /git commit -am "chore: release 1\.1\.0" && npm run release -- --dry-run/);
  assert.deepEqual([versionOf("package.json"), versionOf("package-lock.json")], ["1.1.0", "1.1.0"]);
  assert.equal(versionOf("packages/client/package.json"), "1.1.0");
  const { packages } = JSON.parse(read("package-lock.json"));
  const versions = ["", "packages/client", "node_modules/other"].map((path) => packages[path].version);
  assert.deepEqual(versions, ["1.1.0", "1.1.0", "1.0.0"]);
  assert.equal(
    read("CHANGELOG.md"),
    CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n## 1.1.0 - 2026-12-01\n"),
  );
  commit();
  refuses(["1.1.0"], /^CHANGELOG\.md has a section for 1\.1\.0 already\.$/);
  refuses(["1.2.0"], /^CHANGELOG\.md has no lines under "Unreleased"/);
  output();
  assert.equal(
    git("for-each-ref", "--format=%(contents)", "refs/tags/v1.1.0"),
    "Paylink 1.1.0\n\n### Added\n\n- Refunds.",
  );
});

test("refuses to tag a version that the changelog lacks", () => {
  execFileSync("npm", ["version", "1.3.0", "--no-git-tag-version"], { cwd: root });
  commit();
  refuses(
    ["--dry-run"],
    /^CHANGELOG\.md has no lines for 1\.3\.0\. Run "npm run release -- VERSION" first\.$/,
  );
});
