/**
 * `npm run test:plants`: plants faults in a copy of the last commit, one after another, and runs the part of `npm test` that
 * must find it. `-- webhook` plants only those whose rule has the word.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { FAULTS, type Fault } from "./faults.ts";

const ROOT = join(import.meta.dirname, "../..");
const copy = join(mkdtempSync(join(tmpdir(), "paylink-plants-")), "paylink");

function run(
  program: string,
  args: readonly string[],
  cwd: string,
): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  return { status, output: stripVTControlCharacters(`${stdout}${stderr}`) };
}

/** Returns the tests that failed, with their files. */
function plant({ file, text, replacement, run: words }: Fault): string[] {
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  const parts = source.split(text);
  if (parts.length !== 2) throw new Error(`${file} has the text ${parts.length - 1} times: ${text}`);
  writeFileSync(path, parts.join(replacement));
  const { output } = run(process.execPath, ["tests/run.ts", ...words], copy);
  writeFileSync(path, source);
  const failed = output.split("\n").filter((line) => /^FAIL \S+\.test\.ts: /.test(line));
  return failed.map((line) => line.slice("FAIL ".length));
}

run("git", ["clone", "--quiet", ROOT, copy], ROOT);
const { status } = run("cp", ["-al", join(ROOT, "node_modules"), copy], ROOT);
if (status !== 0) run("cp", ["-a", join(ROOT, "node_modules"), copy], ROOT);
const [word = ""] = process.argv.slice(2);
const faults = FAULTS.filter(({ rule }) => rule.includes(word));
let found = 0;
for (const fault of faults) {
  const started = Date.now();
  const failed = plant(fault);
  if (failed.length > 0) found += 1;
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${failed.length > 0 ? "found" : "NOT FOUND"}: ${fault.rule} (${seconds} s)`);
  for (const name of failed.slice(0, 3)) console.log(`  ${name}`);
}
rmSync(join(copy, ".."), { recursive: true, force: true });
console.log(`${found} of ${faults.length} faults were found`);
process.exit(found === faults.length ? 0 : 1);
