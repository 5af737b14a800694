import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { choosePort } from "#lib/dev-chains/choose-port.ts";

/** So many that two of them would be the same by chance. */
const COUNT = 300;

/** Chooses ports too, and keeps running until its input ends. */
const OTHER = `
  const { choosePort } = await import("#lib/dev-chains/choose-port.ts");
  const ports = [];
  while (ports.length < ${COUNT}) ports.push(await choosePort(0));
  console.log(JSON.stringify(ports));
  process.stdin.resume();`;

test("gives no port twice, although nothing listens on it yet", async (t) => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", OTHER], {
    cwd: new URL("../../..", import.meta.url),
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill());
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const ports = JSON.parse(String(line)) as number[];
  while (ports.length < 2 * COUNT) ports.push(await choosePort(0));
  assert.equal(new Set(ports).size, 2 * COUNT);
});

test("gives the wanted port again while it is free", async () => {
  const port = await choosePort(0);
  assert.equal(await choosePort(port), port);
  assert.notEqual(await choosePort(port, port), port);
});
