/**
 * A merchant requests more of a node than its provider allows. The watcher shares that budget and must
 * continue.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

/** Twenty seconds of the node's budget. A pass is due every half second. */
const FLOOD = 400;
const LONGEST_PASS_SECONDS = 5;
const PASSES = 3;

let stack: Stack;
before(async () => {
  // Never idle: the passes of a network without open links are counted.
  const pace = { TEST_BEP20_RPC_BUDGET: "25", TEST_BEP20_IDLE_SECONDS: "0" };
  stack = await startStack({ ...pace, RATE_LIMIT: "1000/1000" });
});
after(() => stack?.close());

async function measure(name: string): Promise<number> {
  const text = await (await fetch(new URL("/metrics", stack.baseUrl))).text();
  const found = new RegExp(`^paylink_${name}\\{env="test",network="bep20"\\} (\\S+)$`, "m").exec(text);
  return Number(found?.[1] ?? 0);
}

async function askFee(): Promise<number> {
  const headers = { "x-staging-api-key": stack.testKey };
  const body = new URLSearchParams({ network: "bep20" });
  const url = `${stack.baseUrl}/transaction/network-fee`;
  const response = await fetch(url, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}

/** Waits for several complete passes, each of which must be short. */
async function watchesOn(): Promise<void> {
  const before = await measure("watch_passes_total");
  await until("the watcher's passes", async () => {
    const age = await measure("watch_pass_age_seconds");
    assert.ok(age < LONGEST_PASS_SECONDS, `the last whole pass began ${age} s ago`);
    return (await measure("watch_passes_total")) >= before + PASSES;
  });
}

test("refuses most of a flood of lookups, and the watcher's passes do not wait for it", async () => {
  await until("the first pass", () => measure("watch_passes_total"));
  const flood = Array.from({ length: FLOOD }, askFee);
  await watchesOn().finally(() => Promise.allSettled(flood));
  const statuses = Map.groupBy(await Promise.all(flood), (status) => status);
  assert.deepEqual([...statuses.keys()].sort(), [200, 429]);
  assert.ok((statuses.get(429)?.length ?? 0) > FLOOD / 2, "the surplus is refused");
});

test("keeps the watcher running while a caller always has the maximum number of lookups in progress", async () => {
  let enough = false;
  const refused: number[] = [];
  const asking = [1, 2].map(async () => {
    while (!enough) {
      const status = await askFee();
      if (status !== 200) refused.push(status);
    }
  });
  await watchesOn().finally(() => {
    enough = true;
    return Promise.allSettled(asking);
  });
  assert.deepEqual(refused, []);
});
