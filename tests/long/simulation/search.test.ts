import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { PLANTS } from "#tests/simulation/plants.ts";
import { describeFailure, type Kind, simulate } from "#tests/simulation/simulation.ts";

const SEARCH_MS = 80_000;
/** Most plants are found within some hundreds. */
const HISTORIES = 1_000;

const SEARCHES = [
  { only: undefined, rule: "keeps every rule in histories that no run has seen before" },
  { only: "setbacks", rule: "keeps every rule in new histories of payments that meet setbacks" },
  { only: "branches", rule: "keeps every rule in new histories of nodes on branches of the same length" },
  { only: "electrum", rule: "credits every payment once in new histories that Electrum servers tell" },
] as const;

for (const { only, rule } of SEARCHES) {
  test(rule, async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { failure, histories, perMinute } = await simulate({
      seed,
      histories: 1e6,
      atMostMs: SEARCH_MS,
      only,
    });
    t.diagnostic(`${histories} histories from seed ${seed}, ${perMinute} a minute`);
    assert.equal(failure, null, failure === null ? "" : describeFailure(failure, only));
  });
}

/** Runs the planted program. Returns the seed of the history that found the fault, or null. */
function findPlant(plant: string, only: Kind | undefined, asked: readonly [seed: number, histories: number]) {
  const [seed, histories] = asked.map(String);
  const args = ["--seed", seed!, "--histories", histories!, ...(only === undefined ? [] : ["--only", only])];
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
    const { only } = found;
    // A statement more in the program makes another history of each seed.
    const seed = findPlant(plant, only, [found.seed, 1]) ?? findPlant(plant, only, [1, HISTORIES]);
    assert.ok(seed !== null, `not found by seeds 1 to ${HISTORIES}`);
    if (seed !== found.seed) t.diagnostic(`seed ${found.seed} no longer finds it, seed ${seed} does`);
    // The plant alone is why.
    const { failure } = await simulate({ seed, histories: 1, atMostMs: SEARCH_MS, only });
    assert.equal(failure, null, failure === null ? "" : describeFailure(failure, only));
  });
}
