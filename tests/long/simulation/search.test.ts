import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { PLANTS } from "#tests/simulation/plants.ts";
import { describeFailure, simulate } from "#tests/simulation/simulation.ts";

const SEARCH_MS = 120_000;

const SEARCHES = [
  { only: undefined, rule: "keeps every rule in histories that no run has seen before" },
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

for (const [plant, { found }] of Object.entries(PLANTS)) {
  const { seed, only } = found;
  test(`finds: ${plant}`, async () => {
    const asked = [
      "--seed",
      String(seed),
      "--histories",
      "1",
      ...(only === undefined ? [] : ["--only", only]),
    ];
    const program = ["--no-warnings", "--import", "./tests/simulation/plant.ts", "tests/simulation/main.ts"];
    const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...asked], {
      cwd: new URL("../../..", import.meta.url),
      env: { ...process.env, PLANT: plant },
      encoding: "utf8",
    });
    assert.ok(status === 1 && stdout.includes(`--seed ${seed}`), `${stdout}${stderr}`);
    // The plant alone is why.
    const { failure } = await simulate({ seed, histories: 1, atMostMs: SEARCH_MS, only });
    assert.equal(failure, null, failure === null ? "" : describeFailure(failure, only));
  });
}
