import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFailure, simulate } from "#tests/simulation/simulation.ts";

/** `npm run test:simulation` searches as long as it is asked to. */
const SEARCH_MS = 15_000;

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
