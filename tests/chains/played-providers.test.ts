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

test("a played provider refuses what its plan does not allow, in its own words", async (t) => {
  const driver = await DRIVERS.bep20!();
  t.after(driver.close);
  const call = { jsonrpc: "2.0", id: 0, method: "eth_blockNumber", params: [] };
  const logs = { ...call, method: "eth_getLogs", params: [{ fromBlock: "0x0", toBlock: "0x64" }] };
  const ask = async (name: string, requests: readonly unknown[], key = true) => {
    const plan = listPlayed(name === "TronGrid" ? "trc20" : "bep20").find((played) => played.name === name)!;
    const server = await playProvider(plan, driver.rpcUrl);
    t.after(server.close);
    const { port, pathname } = new URL(server.url);
    const headers: Record<string, string> = key && plan.header ? { [plan.header[0]]: plan.header[1] } : {};
    const answers = [];
    for (const request of requests) {
      const url = `http://127.0.0.1:${port}${key || plan.header ? pathname : "/"}`;
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(request) });
      answers.push(`${response.status} ${await response.text()}`);
    }
    return answers;
  };
  const [taken, batch, span] = await ask("dRPC", [Array(3).fill(call), Array(4).fill(call), logs]);
  assert.match(taken!, /^200 \[.*"result"/);
  assert.match(batch!, /^500 .*"code":31,"message":"Batch of more than 3/);
  assert.match(span!, /^400 .*"code":35,"message":"ranges over 10000 blocks/);
  assert.match((await ask("QuickNode", [call], false)).join(), /^401 /);
  assert.match((await ask("TronGrid", [call], false)).join(), /^401 /);
  const [sixteenth] = await ask("TronGrid", [Array(16).fill(call)]);
  assert.match(sixteenth!, /^429 \{"Error":"The key exceeds the frequency limit\(15\)/);
  const [, second] = await ask("Chainstack", [Array(25).fill(call), call]);
  assert.match(second!, /^200 .*"code":-32005,"message":"You've exceeded the RPS limit/);
});
