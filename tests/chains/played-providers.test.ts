/** The short form of `npm run test:providers`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DRIVERS } from "#tests/support/contract-drivers/drivers.ts";
import { listPlayed } from "#tests/support/provider-plans.ts";
import { leadHome } from "#tests/support/provider-run.ts";
import { playProvider } from "#tests/support/provider-server.ts";
import { keepWithinPlans } from "#tests/support/provider-suite.ts";

const SIZE = { payments: 50, countMs: 0 };

keepWithinPlans({
  ...SIZE,
  ...{ driver: "bep20", network: "bep20", behind: 300, tokens: [["usdt"]] },
  only: ["dRPC", "Chainstack"],
});
keepWithinPlans({
  ...SIZE,
  ...{ driver: "trc20", network: "trc20", behind: 50, tokens: [["usdt"]] },
  only: ["TronGrid"],
});

test("a provider without eth_getLogs is named by the probe, although its refusal reads like one for the rate", async (t) => {
  const plan = listPlayed("bep20").find(({ name }) => name === "BSC dataseed")!;
  t.after(leadHome([plan.host]));
  const driver = await DRIVERS.bep20!();
  t.after(driver.close);
  const server = await playProvider(plan, driver.rpcUrl);
  t.after(server.close);
  const [probe] = await driver.open(server.url).all()[0]!.probe({ all: false });
  const missing = probe!.checks.filter(({ ok }) => !ok);
  assert.equal(probe!.provider?.name, plan.name);
  assert.ok(missing.length > 0 && missing.every(({ what }) => what.startsWith("eth_getLogs")));
  assert.match(missing[0]!.answer, /limit exceeded/);
});
