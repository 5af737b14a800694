import assert from "node:assert/strict";
import { test } from "node:test";
import { and, eq } from "drizzle-orm";
import { networkSettings } from "#lib/domain/settings/tables.ts";
import { startTestApi } from "#tests/support/api.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startTestApi();
const { db } = api.database;
await db.update(networkSettings).set({ createdAt: AT, updatedAt: AT });
const merchant = await api.merchant();
const PATH = "/wallets/get-network";
const bep20 = (env: "live" | "test" = "test") =>
  api.client(merchant[env]).POST("/wallets/get-network", { body: { network: "bep20" } });
const set = (env: "live" | "test", network: string, flags: Partial<typeof networkSettings.$inferInsert>) =>
  db
    .update(networkSettings)
    .set(flags)
    .where(and(eq(networkSettings.env, env), eq(networkSettings.network, network)));
const flags = async (env: "live" | "test" = "test") => {
  const { status, send, receive, generate } = successOf(await bep20(env)).data;
  return [status, send, receive, generate];
};

const BEP20_TEST = {
  id: 12,
  network: "bep20",
  status: 1,
  send: 1,
  receive: 1,
  generate: 1,
  tx_explorer: "https://testnet.bscscan.com/tx/{tx}",
  addr_explorer: "https://testnet.bscscan.com/address/{address}",
  created_at: AT.toISOString(),
  updated_at: AT.toISOString(),
  deleted_at: null,
};

test("returns the complete configuration of a network", async () => {
  const answer = await bep20();
  succeeded(answer, "network retrieved successfully", BEP20_TEST);
  assert.deepEqual(Object.keys(successOf(answer).data), Object.keys(BEP20_TEST));
  const form = await api.send({ path: PATH, form: { network: "bep20" }, key: merchant.test });
  assert.deepEqual(form.body, answer.data);
});

test("the live environment has its own row and explorers", async () => {
  succeeded(await bep20("live"), "network retrieved successfully", {
    ...BEP20_TEST,
    id: 3,
    tx_explorer: "https://bscscan.com/tx/{tx}",
    addr_explorer: "https://bscscan.com/address/{address}",
  });
});

test("lists all nine networks in the document's order with their explorers; unconfigured ones are disabled", async () => {
  const answer = await api.client(merchant.test).POST("/wallets/get-all-networks");
  const { data, ...rest } = successOf(answer);
  assert.equal(answer.response.status, 200);
  assert.deepEqual(rest, { status: "success", message: "networks retrieved successfully" });
  assert.deepEqual(
    data.map(({ network, status, send, receive, generate }) => [network, status, send, receive, generate]),
    ["bitcoin", "erc20", "bep20", "trc20", "solana", "xrp", "base", "litecoin", "dogecoin"].map((network) => {
      const on = Number(network === "bep20");
      return [network, on, on, on, on];
    }),
  );
  for (const row of data) {
    assert.deepEqual(Object.keys(row), Object.keys(BEP20_TEST));
    assert.match(row.tx_explorer, /^https:\/\/.*\{tx\}/);
    assert.match(row.addr_explorer, /^https:\/\/.*\{address\}/);
  }
  assert.deepEqual(data[2], BEP20_TEST);
  assert.equal(new Set(data.map(({ tx_explorer }) => tx_explorer)).size, 9);
});

test("leaves out a network that only a newer version knows", async () => {
  await db.insert(networkSettings).values({ env: "test", network: "newer" });
  const answer = await api.client(merchant.test).POST("/wallets/get-all-networks");
  assert.equal(successOf(answer).data.length, 9);
  await db.delete(networkSettings).where(eq(networkSettings.network, "newer"));
});

test("changes of the operator apply at once and to one environment; a disabled network has all flags 0", async () => {
  await set("test", "bep20", { generate: false });
  assert.deepEqual(await flags(), [1, 1, 1, 0]);
  assert.deepEqual(await flags("live"), [1, 1, 1, 1]);
  await set("test", "bep20", { generate: true, status: false });
  assert.deepEqual(await flags(), [0, 0, 0, 0]);
  await set("test", "bep20", { status: true, send: false, receive: false });
  assert.deepEqual(await flags(), [1, 0, 0, 1]);
  await set("test", "bep20", { send: true, receive: true });
});

for (const [json, message] of [
  [{}, "(network) not found in request body"],
  [{ network: "" }, "(network) not found in request body"],
  [{ network: "ethereum" }, "unsupported network"],
  [{ network: "Bitcoin" }, "unsupported network"],
  [{ network: 1 }, "(network) must be a string"],
] as const) {
  test(`refuses ${JSON.stringify(json)}`, async () =>
    refused(await api.send({ path: PATH, json, key: merchant.test }), 400, message));
}
