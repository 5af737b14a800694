/**
 * `npm run test:repeat -- 20`: runs `npm test` that many times, each time with the files in another order, and prints
 * every test that ever failed. A number of more words are passed on: `test:repeat -- 5 chains`.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

const [times = "20", ...words] = process.argv.slice(2);
const failures = new Map<string, string[]>();
let green = 0;
for (let n = 1; n <= Number(times); n++) {
  const started = Date.now();
  const { code, failed, last } = await runOnce(n);
  if (code === 0) green += 1;
  for (const name of failed) failures.set(name, [...(failures.get(name) ?? []), `SHUFFLE=${n}`]);
  console.log(`${n} of ${times}: ${last} (${Math.round((Date.now() - started) / 1000)} s)`);
}
for (const [name, runs] of failures) console.log(`failed ${runs.length} times: ${name} (${runs.join(", ")})`);
console.log(`${green} of ${times} runs were green`);
process.exit(green === Number(times) ? 0 : 1);

/** One run. `n` chooses the order of its files. */
async function runOnce(n: number): Promise<{ code: number | null; failed: Set<string>; last: string }> {
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
  return { code, failed: new Set(failed), last: lines.at(-1) ?? "" };
}
