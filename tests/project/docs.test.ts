/** The documentation points only to what exists, and its pages stay short enough to read. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { writeAuthority } from "../write-authority.ts";

const ROOT = join(import.meta.dirname, "../..");
const CONTRACT = "docs/service-interface.md";

const listFiles = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...patterns], {
    cwd: ROOT,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => path !== "" && existsSync(join(ROOT, path)));

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const pages = listFiles("*.md").map((path) => ({ path, text: read(path) }));

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "");

/** The anchor that GitHub gives a heading. */
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

const anchors = (text: string) =>
  new Set([...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => slug(heading)));

test("every relative link of a page leads to a file, and its anchor to a heading", () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = "", anchor] = target.split("#");
        const full = file === "" ? path : join(dirname(path), file);
        if (!existsSync(join(ROOT, full))) return true;
        return anchor !== undefined && !anchors(read(full)).has(anchor);
      })
      .map((target) => `${path}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test("every path of the repository that a page mentions exists", () => {
  const missing = pages
    .filter(({ path }) => path !== CONTRACT)
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w./#-])(?:lib|tests|app|components|packages|docs)\/(?:[\w./-]|\[\w+\])*\w/g)]
        .map(([mentioned]) => mentioned)
        .filter((mentioned) => !existsSync(join(ROOT, mentioned)))
        .map((mentioned) => `${path}: ${mentioned}`),
    );
  assert.deepEqual(missing, []);
});

const sources = listFiles(
  "*.ts",
  "lib",
  "app",
  "components",
  "packages",
  "tests",
  ".env.example",
  "*.yaml",
  "Dockerfile",
  "docs/*.service",
)
  .filter((path) => /\.(ts|tsx|mjs|sql|css|yaml|service|example)$|Dockerfile$/.test(path))
  .map((path) => ({ path, text: read(path) }));

test("every page that code or configuration cites exists, with the cited section", () => {
  const missing = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w./-])(docs\/[\w./-]+\.md)(?:, "?([A-Z][\w -]*\w))?/g)]
      .filter(([, page = "", section]) => {
        if (!existsSync(join(ROOT, page))) return true;
        return section !== undefined && !new RegExp(`^#+ ${section}`, "m").test(read(page));
      })
      .map(([cited]) => `${path}: ${cited}`),
  );
  assert.deepEqual(missing, []);
});

test("every mention of a package of packages/ has the name of its package.json", () => {
  const names = ["client", "widget"].map(
    (folder) => (JSON.parse(read(`packages/${folder}/package.json`)) as { name: string }).name,
  );
  const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: object };
  const mentions = [...pages, ...sources].flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/])@[\w-]+\/(?:client|widget)(?![\w-])/g)].map(([name]) => ({ path, name })),
  );
  assert.ok(mentions.length > 10);
  assert.deepEqual(
    mentions.filter(({ name }) => !names.includes(name) && !(name in devDependencies)),
    [],
  );
});

test("every log message that the operator's page explains is in the code", () => {
  const code = sources.filter(({ path }) => !path.startsWith("tests/")).map(({ text }) => text);
  const [, table = ""] = read("docs/operate/logs.md").split("## Messages");
  const messages = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)]
      .map(([, message = ""]) => message)
      .filter((message) => message !== "msg"),
  );
  assert.ok(messages.length > 30);
  const gone = messages.filter((message) =>
    message
      .split("…")
      .map((part) => part.trim())
      .some((part) => !code.some((text) => text.includes(part))),
  );
  assert.deepEqual(gone, []);
});

test("no line of prose is longer than 200 characters", () => {
  const long = pages
    .filter(({ path }) => path !== CONTRACT)
    .flatMap(({ path, text }) =>
      withoutCode(text)
        .split("\n")
        .filter((line) => line.length > 200 && !line.startsWith("|"))
        .map((line) => `${path}: ${line.slice(0, 60)}…`),
    );
  assert.deepEqual(long, []);
});

test("the first page and the architecture stay short", () => {
  const lines = (path: string) => read(path).trimEnd().split("\n").length;
  assert.ok(lines("README.md") <= 120);
  assert.ok(lines("docs/architecture.md") <= 250);
});

test("the glossary has at most 40 rows, with one term in each", () => {
  const terms = [...read("docs/glossary.md").matchAll(/^\| ([a-z][^|]*) \|/gm)].map(([, term = ""]) => term);
  assert.ok(terms.length > 20 && terms.length <= 40, `${terms.length} rows`);
  assert.equal(new Set(terms).size, terms.length);
  const several = terms.filter((term) => /[,;/]| (and|or) /.test(term));
  assert.deepEqual(several, []);
});

test("the index leads to every page", () => {
  const index = read("docs/README.md");
  const unlisted = pages
    .map(({ path }) => path)
    .filter((path) => /^docs\/(?!adr\/|README)/.test(path))
    .filter((path) => !index.includes(`(${path.slice("docs/".length)}`));
  assert.deepEqual(unlisted, []);
});

test("docs/authority.md is what `npm run -s authority` prints", () => {
  assert.equal(read("docs/authority.md"), writeAuthority());
});
