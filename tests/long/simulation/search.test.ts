import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { PLANTS } from "#tests/simulation/plants.ts";
import { describeFailure, simulate } from "#tests/simulation/simulation.ts";

const SEARCH_MS = 120_000;
/** Most plants are found within some hundreds. */
const HISTORIES = 5_000;

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

for (const [plant, { only }] of Object.entries(PLANTS)) {
  test(`finds: ${plant}`, (t) => {
    const args = [
      "--seed",
      "1",
      "--histories",
      String(HISTORIES),
      ...(only === undefined ? [] : ["--only", only]),
    ];
    const program = ["--no-warnings", "--import", "./tests/simulation/plant.ts", "tests/simulation/main.ts"];
    const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], {
      cwd: new URL("../../..", import.meta.url),
      env: { ...process.env, PLANT: plant },
      encoding: "utf8",
    });
    const [, histories] = /^(\d+) histories/.exec(stdout) ?? [];
    const [, seed] = /--seed (\d+)/.exec(stdout) ?? [];
    assert.ok(status === 1 && seed !== undefined, `${stdout}${stderr}`);
    t.diagnostic(`found by seed ${seed}, the ${histories}. history`);
  });
}
