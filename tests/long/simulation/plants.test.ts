import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { type Found, PLANTS } from "#tests/simulation/plants.ts";
import { describeFailure, simulate } from "#tests/simulation/simulation.ts";

/** Every statement and question that the program asks more or less makes another history of each seed. */
const MOST_HISTORIES = 2_000;

/** Runs the planted program from its seed on. Returns the seed of the history that found the fault, or null. */
function findPlant(plant: string, { seed, only }: Found): number | null {
  const asked = ["--seed", String(seed), "--histories", String(MOST_HISTORIES)];
  const args = only === undefined ? asked : [...asked, "--only", only];
  const program = ["--no-warnings", "--import", "./tests/simulation/plant.ts", "tests/simulation/main.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], {
    cwd: new URL("../../..", import.meta.url),
    env: { ...process.env, PLANT: plant },
    encoding: "utf8",
  });
  const [, found] = /--seed (\d+)/.exec(stdout) ?? [];
  assert.ok(status === 0 || (status === 1 && found !== undefined), `${stdout}${stderr}`);
  return found === undefined ? null : Number(found);
}

for (const [plant, { found }] of Object.entries(PLANTS)) {
  test(`finds: ${plant}`, async (t) => {
    const { seed, only } = found;
    const finding = findPlant(plant, found);
    assert.ok(finding !== null, `not found by ${MOST_HISTORIES} histories from seed ${seed}`);
    t.diagnostic(`seed ${finding} finds it, the search began at seed ${seed}`);
    // The plant alone is why.
    const { failure } = await simulate({ seed, histories: finding - seed + 1, only });
    assert.equal(failure, null, failure === null ? "" : describeFailure(failure, only));
  });
}
