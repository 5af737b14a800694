import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { changeNetworkSettings } from "#lib/domain/settings/change-settings.ts";
import { startApi } from "#tests/support/api.ts";
import { says, successOf } from "#tests/support/says.ts";

const api = await startApi();
after(() => api.close());
const list = async (at = api) =>
  at.client((await at.merchant()).test).GET("/payment-links/supported-networks");
const found = (supported_networks: unknown[]) => ({
  status: "success",
  message: "supported networks retrieved successfully",
  data: { supported_networks },
});

test("lists the pairs of enabled networks, with and without a key", async () => {
  const pairs = found([{ network: "bep20", tokens: ["USDT"] }]);
  says(await list(), 200, pairs);
  says(await api.send({ path: "/payment-links/supported-networks" }), 200, pairs);
});

test("the list is empty if no network is enabled", async () => {
  const none: NetworkRegistry = { find: () => null, list: () => [], all: () => [] };
  const bare = await startApi({ networks: none });
  try {
    says(await list(bare), 200, found([]));
  } finally {
    await bare.close();
  }
});

test("lists a pair unless the operator has disabled it in both environments", async () => {
  const { db } = api.database;
  const listed = async () => successOf(await list()).data.supported_networks.length;
  const set = (env: "live" | "test", receive: boolean) =>
    db.transaction((tx) => changeNetworkSettings(tx, { env, network: "bep20" }, { receive }, new Date()));
  await set("live", false);
  assert.equal(await listed(), 1);
  await set("test", false);
  assert.equal(await listed(), 0);
  await set("test", true);
  assert.equal(await listed(), 1);
});
