import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { NetworkRegistry } from "#lib/networks/network.ts";
import { changeNetworkSettings } from "#lib/settings/change-settings.ts";
import { startApi } from "#tests/support/api.ts";

const api = await startApi();
after(() => api.close());

test("the pairs of the networks that are on are listed, without a key", async () => {
  const answer = await api.send({ path: "/payment-links/supported-networks" });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    status: "success",
    message: "supported networks retrieved successfully",
    data: { supported_networks: [{ network: "bep20", tokens: ["USDT"] }] },
  });
});

test("with no network on, the list is empty", async () => {
  const none: NetworkRegistry = { get: () => null, list: () => [], all: () => [] };
  const bare = await startApi({ networks: none });
  try {
    const answer = await bare.send({ path: "/payment-links/supported-networks" });
    assert.deepEqual(answer.body, {
      status: "success",
      message: "supported networks retrieved successfully",
      data: { supported_networks: [] },
    });
  } finally {
    await bare.close();
  }
});

test("what the operator switched off in both environments is not listed; in one of them it still is", async () => {
  const { db } = api.database;
  const listed = async () => {
    const { body } = await api.send({ path: "/payment-links/supported-networks" });
    return (body as { data: { supported_networks: { network: string }[] } }).data.supported_networks.length;
  };
  const set = (env: "live" | "test", receive: boolean) =>
    db.transaction((tx) => changeNetworkSettings(tx, { env, network: "bep20" }, { receive }, new Date()));
  await set("live", false);
  assert.equal(await listed(), 1);
  await set("test", false);
  assert.equal(await listed(), 0);
  await set("test", true);
  assert.equal(await listed(), 1);
});
