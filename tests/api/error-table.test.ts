/**
 * Exercises every row of the table under "## Errors" of docs/service-interface.md over HTTP. A row without a case, or a
 * case without its row, fails here. The HTTP statuses are those of docs/decisions.md.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { and, eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { networkSettings, tokenSettings } from "#lib/domain/settings/tables.ts";
import {
  FAUCET,
  mine,
  rpc,
  sendEvmUsdt,
  startTestChain,
  transferData,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import { startTestApi, type TestApi, type TestMerchant, type TestResponse } from "#tests/support/api.ts";
import { startTestChainApi } from "#tests/support/chain-api.ts";
import { startTestFakeNode } from "#tests/support/fake-node.ts";
import { units } from "#tests/support/fund.ts";
import { refused } from "#tests/support/says.ts";
import { bep20, USDT } from "#tests/support/watched-chain.ts";
import { crossedNetworks } from "./crossed-networks.ts";

const anvil = await startTestChain("bep20");
const node = await startTestFakeNode(anvil.url);
const chain = await startTestChainApi(bep20(node.url));
const api = await startTestApi();
after(() => anvil.kill());
const { db } = api.database;
const merchant = await api.merchant();
const onChain = await chain.merchant();
const NOWHERE = `0x${"ab".repeat(32)}`;

/** The answer, and what replaces the placeholder of the document's text. */
type Answer = TestResponse | readonly [TestResponse, placeholder: string];
type Case = readonly [http: number, ask: (endpoint: number) => Promise<Answer>];

const get = (path: string, by = merchant) => api.send({ path, key: by.test });
const post = (path: string, form: Record<string, string>, by = merchant, at: Pick<TestApi, "send"> = api) =>
  at.send({ path, form, key: by.test });
const onNode = (path: string, form: Record<string, string>) => post(path, form, onChain, chain);

/** A request that would succeed, sent by a merchant of this status. */
async function asMerchant(endpoint: number, status: "disabled" | "removed"): Promise<Answer> {
  const one: TestMerchant = await api.merchant();
  await db.update(merchants).set({ status }).where(eq(merchants.id, one.id));
  if (endpoint === 1) return get("/transaction/token-withdrawal", one);
  if (endpoint === 2) return get("/transaction/token-deposit", one);
  return post("/wallets/generate-merchant-wallet", { network: "bep20" }, one);
}

const HASH_PATHS: Readonly<Record<number, string>> = {
  3: "/transaction/deposit/",
  4: "/transaction/status/",
};
const CUSTOMER = JSON.stringify({ email: "ada@example.com", first_name: "Ada", last_name: "Obi" });
const WALLETS: Readonly<Record<number, { path: string; form: Record<string, string> }>> = {
  14: { path: "/wallets/generate-wallet", form: { network: "bep20", customer: CUSTOMER } },
  15: { path: "/wallets/generate-merchant-wallet", form: { network: "bep20" } },
};

async function generate(
  endpoint: number,
  changes: Record<string, string>,
  at: Pick<TestApi, "send"> = api,
  by = merchant,
) {
  const { path, form } = WALLETS[endpoint]!;
  return post(path, { ...form, ...changes }, by, at);
}

async function whileGenerationIsOff(endpoint: number): Promise<Answer> {
  const here = and(eq(networkSettings.env, "test"), eq(networkSettings.network, "bep20"));
  await db.update(networkSettings).set({ generate: false }).where(here);
  try {
    return await generate(endpoint, {});
  } finally {
    await db.update(networkSettings).set({ generate: true }).where(here);
  }
}

async function withCrossedKeys(endpoint: number): Promise<Answer> {
  const wrong = await startTestApi({ networks: crossedNetworks(api) });
  const shop = await wrong.merchant();
  const { path, form } = WALLETS[endpoint]!;
  await wrong.send({ path, form, key: shop.live });
  return await generate(endpoint, {}, wrong, shop);
}

const SEARCH = "/transaction/search-blockchain-txhash";
const requery = (tx_hash: string) => onNode("/transaction/requery/bep20", { tx_hash });
const buy = async (amount: string, token = "btc", at: Pick<TestApi, "send"> = api, by = merchant) =>
  post("/trade/buy", { amount, token }, by, at);

async function withBtc(
  changes: Partial<typeof tokenSettings.$inferInsert>,
  amount: string,
): Promise<TestResponse> {
  const here = and(eq(tokenSettings.env, "test"), eq(tokenSettings.token, "btc"));
  const [before] = await db.select().from(tokenSettings).where(here);
  const { id: _, ...settings } = before!;
  await db.update(tokenSettings).set(changes).where(here);
  try {
    return await buy(amount);
  } finally {
    await db.update(tokenSettings).set(settings).where(here);
  }
}

/** How to cause each condition, by the words of the document. Several endpoints share a condition. */
const CASES: Readonly<Record<string, Case>> = {
  "Merchant not valid": [403, (endpoint) => asMerchant(endpoint, "disabled")],
  "Merchant absent": [404, (endpoint) => asMerchant(endpoint, "removed")],
  "Hash unknown": [404, (endpoint) => get(HASH_PATHS[endpoint] + NOWHERE)],
  "Path value absent": [
    400,
    async (endpoint) => {
      const path = HASH_PATHS[endpoint] ?? "/transaction/refId/";
      const [answer, withoutSlash] = [await get(path), await get(path.slice(0, -1))];
      assert.deepEqual([withoutSlash.status, withoutSlash.body], [answer.status, answer.body]);
      return answer;
    },
  ],
  "Reference unknown": [404, () => get("/transaction/refId/123456789")],
  "Network not supported": [
    400,
    (endpoint) => {
      if (endpoint === 6) return post(SEARCH, { tx_hash: NOWHERE, network: "polygon" });
      if (endpoint === 7) return post("/transaction/requery/dogecoin", { tx_hash: NOWHERE });
      return post("/transaction/network-fee", { network: "trc20" });
    },
  ],
  "Transaction absent on chain": [404, () => onNode(SEARCH, { tx_hash: NOWHERE, network: "bep20" })],
  "Body field absent": [
    400,
    (endpoint) => {
      if (endpoint === 6) return post(SEARCH, { network: "bep20" });
      if (endpoint === 7) return post("/transaction/requery/bep20", {});
      if (endpoint === 8) return post("/transaction/network-fee", {});
      return generate(endpoint, { network: "" });
    },
  ],
  "Still pending or unknown": [404, () => requery(NOWHERE)],
  Skipped: [
    422,
    async () => {
      const hash = await sendEvmUsdt(anvil.url, FAUCET.address, USDT);
      await mine(anvil.url, 4);
      return requery(hash);
    },
  ],
  Failed: [
    422,
    async () => {
      const poor = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
      const data = transferData(FAUCET.address, USDT);
      const transaction = { from: poor, to: USDT_ADDRESS, data, gas: "0x30d40" };
      const hash = String(await rpc(anvil.url, "eth_sendTransaction", [transaction]));
      await mine(anvil.url, 4);
      return requery(hash);
    },
  ],
  "Action failed": [
    502,
    async () => {
      node.answer = (response) => response.writeHead(500).end("out");
      return await requery(NOWHERE);
    },
  ],
  "Token unknown": [400, () => get("/transaction/fee?token=xyz")],
  "Amount not above 0": [400, (endpoint) => (endpoint === 9 ? get("/transaction/fee?amount=0") : buy("0"))],
  "Network unsupported": [400, (endpoint) => generate(endpoint, { network: "polygon" })],
  "Generation disabled for the network": [422, whileGenerationIsOff],
  "Generation failed": [502, withCrossedKeys],
  "Customer field absent or invalid": [
    400,
    (endpoint) => generate(endpoint, { customer: JSON.stringify({ first_name: "Ada", last_name: "Obi" }) }),
  ],
  "Buys disabled for token": [422, () => withBtc({ buy: false }, "0.01")],
  "USDT balance too small": [422, () => buy("0.01")],
  "Fee at least the source amount": [422, () => withBtc({ minimumFee: units("usdt", "600") }, "0.01")],
  "Amount below token minimum": [
    422,
    async () => [await withBtc({ minimumTrade: units("btc", "0.5") }, "0.01"), "0.5"],
  ],
  "Amount above token maximum": [
    422,
    async () => [await withBtc({ maximumTrade: units("btc", "0.005") }, "0.01"), "0.005"],
  ],
  "Token data cannot be loaded": [503, () => buy("0.01", "eth")],
  "`transaction_hash` absent": [400, () => post("/webhooks/retrigger", {})],
  "No stored events for the hash": [500, () => post("/webhooks/retrigger", { transaction_hash: NOWHERE })],
};

/** The rows of the table, one per endpoint. */
function documentRows() {
  const text = readFileSync(new URL("../../docs/service-interface.md", import.meta.url), "utf8");
  const section = text.slice(text.indexOf("\n## Errors"), text.indexOf("\n## Limits"));
  const table = [...section.matchAll(/^\| ([0-9, ]+) \| (.+?) \| (.+) \|$/gm)];
  return table.flatMap(([, endpoints = "", condition = "", cell = ""]) => {
    const message = (cell.match(/message `([^`]+)`/) ?? cell.match(/^`([^`]+)`/))?.[1] ?? "";
    const status = cell.includes("`status` = `bad`") ? "bad" : "fail";
    return endpoints.split(", ").map((endpoint) => ({ endpoint, condition, message, status }));
  });
}
const rows = documentRows();

test("every row has a case, and every case a row", () => {
  const conditions = [...new Set(rows.map(({ condition }) => condition))];
  assert.deepEqual(Object.keys(CASES).sort(), conditions.sort());
  assert.equal(rows.length, 43);
});

for (const { endpoint, condition, message, status } of rows) {
  test(`${endpoint} | ${condition} | ${message}`, async () => {
    const [http, ask] = CASES[condition]!;
    const answer = await ask(Number(endpoint));
    const [response, placeholder] = "status" in answer ? [answer, ""] : answer;
    const said = message.replace(/<[a-z]+>/, placeholder);
    refused(response, http, said, status);
  });
}
