import assert from "node:assert/strict";
import { test } from "node:test";
import { openNetworks } from "#lib/chains/registry.ts";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { setNetwork } from "#lib/domain/settings/change-settings.ts";
import { actOf, hereBy } from "#tests/support/acts.ts";
import { evmConfig, startTestApi } from "#tests/support/api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";

const api = await startTestApi();
const path = "/payment-links/supported-networks";
const list = async (at = api) =>
  at.client((await at.merchant()).test).GET("/payment-links/supported-networks");
const found = (answer: Parameters<typeof succeeded>[0], supported_networks: unknown[]) =>
  succeeded(answer, "supported networks retrieved successfully", { supported_networks });

test("lists the pairs of enabled networks, with and without a key", async () => {
  for (const answer of [await list(), await api.send({ path })])
    found(answer, [{ network: "bep20", tokens: ["USDT"] }]);
});

test("lists a merchant's own pairs with its key, and the others' without or with a wrong one", async () => {
  const merchant = await api.merchant();
  const changes = { paymentPairs: ["bep20/usdc", "erc20/eth", "bep20/bnb"] };
  await api.database.db.transaction((tx) => updateMerchant(actOf(tx, merchant.id), changes));
  found(await api.client(merchant.live).GET(path), [{ network: "bep20", tokens: ["USDC", "BNB"] }]);
  const wrong = { path, headers: { "x-api-key": merchant.test } };
  found(await api.send(wrong), [{ network: "bep20", tokens: ["USDT"] }]);
});

test("the list is empty if no network is enabled", async () => {
  const { database } = api.database;
  const bare = await startTestApi({ database, networks: openNetworks([]) });
  found(await list(bare), []);
});

test("lists a pair unless the operator has disabled it in both environments", async () => {
  const { db } = api.database;
  const listed = async () => successOf(await list()).data.supported_networks.length;
  const set = (env: "live" | "test", receive: boolean) =>
    db.transaction((tx) => setNetwork(hereBy(tx), { env, network: "bep20", changes: { receive } }));
  await set("live", false);
  assert.equal(await listed(), 1);
  await set("test", false);
  assert.equal(await listed(), 0);
  await set("test", true);
  assert.equal(await listed(), 1);
});

test("a token that the configuration leaves out is not offered, and can be withdrawn", async () => {
  const bare = await startTestApi({
    networks: openNetworks([{ ...evmConfig("test"), tokens: ["bnb", "busd"] }]),
  });
  found(await list(bare), []);
  const client = bare.client((await bare.merchant()).test);
  const body = { ...PAYMENT_LINK, wallets: [{ network: "bep20" as const, token: "USDT" as const }] };
  refused(await client.POST("/payment-links", { body }), 422, "wallet generation not enabled for network");
  const { tokenConfigs } = successOf(await client.GET("/tokens")).data;
  const networksOf = (symbol: string) => {
    const row = tokenConfigs.find(({ token }) => token === symbol);
    return [row?.send_networks, row?.receive_networks];
  };
  assert.deepEqual(networksOf("usdt"), ['["erc20","bep20","trc20"]', '["erc20","trc20"]']);
  assert.deepEqual(networksOf("bnb"), ['["bep20"]', '["bep20"]']);
});
