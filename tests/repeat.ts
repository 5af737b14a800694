/**
 * `npm run test:repeat -- 20`: runs `npm test` that many times, each time with the files in another order, and prints
 * every test that ever failed. `11-20` continues where `10` ended. More words are passed on: `test:repeat -- 5 chains`.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

const [runs = "20", ...words] = process.argv.slice(2);
const [, first = "1", last = ""] = /^(?:(\d+)-)?(\d+)$/.exec(runs) ?? [];
if (last === "") {
  console.error(`"${runs}" is no number of runs: 20, or 11-20`);
  process.exit(2);
}
const times = Number(last) - Number(first) + 1;
const failures = new Map<string, string[]>();
let green = 0;
for (let n = Number(first); n <= Number(last); n++) {
  const started = Date.now();
  const { code, failed, end } = await runOnce(n);
  if (code === 0) green += 1;
  for (const name of failed) failures.set(name, [...(failures.get(name) ?? []), `SHUFFLE=${n}`]);
  console.log(`${n} of ${last}: ${end} (${Math.round((Date.now() - started) / 1000)} s)`);
}
for (const [name, orders] of failures)
  console.log(`failed ${orders.length} times: ${name} (${orders.join(", ")})`);
console.log(`${green} of ${times} runs were green`);
process.exit(green === times ? 0 : 1);

/** One run. `n` chooses the order of its files. */
async function runOnce(n: number): Promise<{ code: number | null; failed: Set<string>; end: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "run.ts"), ...words], {
    env: { ...process.env, SHUFFLE: String(n) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines = stripVTControlCharacters(output).trimEnd().split("\n");
  const failed = lines.filter((line) => line.startsWith("FAIL ")).map((line) => line.slice("FAIL ".length));
  if (code !== 0) process.stdout.write(output);
  return { code, failed: new Set(failed), end: lines.at(-1) ?? "" };
}
