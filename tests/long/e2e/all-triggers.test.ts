/**
 * Every event that `paylink trigger` offers. One of them is reported a minute after its deposit, so this file comes early: the others run
 * meanwhile.
 */
import assert from "node:assert/strict";
import { TRIGGERS } from "#lib/cli/develop/trigger-rules.ts";
import { EVENT_TYPES } from "#lib/domain/webhooks/events.ts";
import { test } from "#tests/e2e/fixtures.ts";
import { runCli } from "#tests/support/run-cli.ts";

test.use({ kind: { env: { SANDBOX: "on" }, networks: ["bep20"] } });

test("`paylink trigger` makes every event happen that it offers", async ({ shop }) => {
  test.setTimeout(300_000);
  const env = { PAYLINK_URL: shop.baseUrl, PAYLINK_KEY: shop.testKey };
  const offered = EVENT_TYPES.filter((type) => "scenario" in TRIGGERS[type]);
  // One after another: a reorganization would drop the payments of the others.
  for (const type of offered) {
    const { status, stderr, json } = await runCli(env, "trigger", type, "--network", "bep20");
    assert.equal(status, 0, `${type}: ${stderr}`);
    assert.partialDeepStrictEqual(json(), { type, network: "bep20" });
  }
});
