/**
 * A merchant requests more of a node than its provider allows. The watcher shares that budget and must
 * continue.
 */
import assert from "node:assert/strict";
import { test } from "#tests/e2e/fixtures.ts";
import type { Stack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

/** Forty seconds of the node's budget. A pass is due every half second. */
const FLOOD = 1_000;
/**
 * A pass that waits for the flood would take all its time. The same cores answer the flood, so that no pass is quick, and the machine may
 * stand still.
 */
const LONGEST_PASS_SECONDS = 25;
const PASSES = 3;

// Never idle: the passes of a network without open links are counted.
const PACE = { TEST_BEP20_RPC_BUDGET: "25", TEST_BEP20_IDLE_SECONDS: "0" };
test.use({ kind: { env: { ...PACE, RATE_LIMIT: "5000/5000" }, networks: ["bep20"] } });

async function measure({ baseUrl }: Stack, name: string): Promise<number> {
  const text = await (await fetch(new URL("/metrics", baseUrl))).text();
  const found = new RegExp(`^paylink_${name}\\{env="test",network="bep20"\\} (\\S+)$`, "m").exec(text);
  return Number(found?.[1] ?? 0);
}

async function askFee({ baseUrl, testKey }: Stack): Promise<number> {
  const headers = { "x-staging-api-key": testKey };
  const body = new URLSearchParams({ network: "bep20" });
  const url = `${baseUrl}/transaction/network-fee`;
  const response = await fetch(url, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}

/** Waits for several complete passes, each of which must be short. */
async function watchesOn(shop: Stack): Promise<void> {
  const before = await measure(shop, "watch_passes_total");
  await until("the watcher's passes", async () => {
    const age = await measure(shop, "watch_pass_age_seconds");
    assert.ok(age < LONGEST_PASS_SECONDS, `the last whole pass began ${age} s ago`);
    return (await measure(shop, "watch_passes_total")) >= before + PASSES;
  });
}

test("refuses most of a flood of lookups, and the watcher's passes do not wait for it", async ({ shop }) => {
  await until("the first pass", () => measure(shop, "watch_passes_total"));
  const flood = Array.from({ length: FLOOD }, () => askFee(shop));
  await watchesOn(shop).finally(() => Promise.allSettled(flood));
  const statuses = Map.groupBy(await Promise.all(flood), (status) => status);
  assert.deepEqual([...statuses.keys()].sort(), [200, 429]);
  assert.ok((statuses.get(429)?.length ?? 0) > FLOOD / 2, "the surplus is refused");
});

test("keeps the watcher running while a caller always has the maximum number of lookups in progress", async ({
  shop,
}) => {
  let enough = false;
  const refused: number[] = [];
  const asking = [1, 2].map(async () => {
    while (!enough) {
      const status = await askFee(shop);
      if (status !== 200) refused.push(status);
    }
  });
  await watchesOn(shop).finally(() => {
    enough = true;
    return Promise.allSettled(asking);
  });
  assert.deepEqual(refused, []);
});
