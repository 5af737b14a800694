/**
 * Exercises every row of the interface document's error table over HTTP. A row without a case, or a case
 * without its row, fails here.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { and, eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { networkSettings, tokenSettings } from "#lib/domain/settings/tables.ts";
import {
  deployUsdt,
  FAUCET,
  mine,
  rpc,
  sendEvmUsdt,
  startAnvil,
  transferData,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import { startApi, type TestApi, type TestMerchant, type TestResponse } from "#tests/support/api.ts";
import { startChainApi } from "#tests/support/chain-api.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { units } from "#tests/support/fund.ts";
import { bep20, USDT } from "#tests/support/watched-chain.ts";
import { ERROR_TABLE, type ErrorRow } from "./error-table.ts";

const anvil = await startAnvil({ automine: false });
await deployUsdt(anvil.url);
const node = await startFakeNode(anvil.url);
const chain = await startChainApi(bep20(node.url));
const api = await startApi();
after(async () => {
  await Promise.all([api.close(), chain.close()]);
  await node.close();
  await anvil.kill();
});
const { db } = api.database;
const merchant = await api.merchant();
const onChain = await chain.merchant();
const NOWHERE = `0x${"ab".repeat(32)}`;

interface Case {
  readonly answer: TestResponse;
  /** Replaces the placeholder of the document's text. */
  readonly message?: string;
}
type Ask = (endpoint: number) => Promise<Case>;

const get = (path: string, by = merchant) => api.send({ path, headers: { "x-staging-api-key": by.test } });
const post = (path: string, form: Record<string, string>, by = merchant, at: Pick<TestApi, "send"> = api) =>
  at.send({ path, form, headers: { "x-staging-api-key": by.test } });
const onNode = (path: string, form: Record<string, string>) => post(path, form, onChain, chain);

/** A request that would succeed, sent by a merchant of this status. */
async function asMerchant(endpoint: number, status: "disabled" | "removed"): Promise<Case> {
  const one: TestMerchant = await api.merchant();
  await db.update(merchants).set({ status }).where(eq(merchants.id, one.id));
  if (endpoint === 1) return { answer: await get("/transaction/token-withdrawal", one) };
  if (endpoint === 2) return { answer: await get("/transaction/token-deposit", one) };
  return { answer: await post("/wallets/generate-merchant-wallet", { network: "bep20" }, one) };
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

async function whileGenerationIsOff(endpoint: number): Promise<Case> {
  const here = and(eq(networkSettings.env, "test"), eq(networkSettings.network, "bep20"));
  await db.update(networkSettings).set({ generate: false }).where(here);
  try {
    return { answer: await generate(endpoint, {}) };
  } finally {
    await db.update(networkSettings).set({ generate: true }).where(here);
  }
}

/**
 * With the account key of live, the test environment cannot derive addresses. Only a configuration that is
 * changed by hand can cause this.
 */
async function withCrossedKeys(endpoint: number): Promise<Case> {
  const { networks } = api.services;
  const live = networks.find("live", "bep20")!;
  const crossed = { ...networks.find("test", "bep20")!, accountKey: live.accountKey };
  const wrong = await startApi({
    networks: { ...networks, find: (env) => (env === "live" ? live : crossed) },
  });
  try {
    const shop = await wrong.merchant();
    const { path, form } = WALLETS[endpoint]!;
    await wrong.send({ path, form, headers: { "x-api-key": shop.live } });
    return { answer: await generate(endpoint, {}, wrong, shop) };
  } finally {
    await wrong.close();
  }
}

const SEARCH = "/transaction/search-blockchain-txhash";
const requery = async (tx_hash: string) => ({
  answer: await onNode("/transaction/requery/bep20", { tx_hash }),
});
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
const CASES: Readonly<Record<string, Ask>> = {
  "Merchant not valid": (endpoint) => asMerchant(endpoint, "disabled"),
  "Merchant absent": (endpoint) => asMerchant(endpoint, "removed"),
  "Hash unknown": async (endpoint) => ({ answer: await get(HASH_PATHS[endpoint] + NOWHERE) }),
  "Path value absent": async (endpoint) => {
    const path = HASH_PATHS[endpoint] ?? "/transaction/refId/";
    const [answer, withoutSlash] = [await get(path), await get(path.slice(0, -1))];
    assert.deepEqual([withoutSlash.status, withoutSlash.body], [answer.status, answer.body]);
    return { answer };
  },
  "Reference unknown": async () => ({ answer: await get("/transaction/refId/123456789") }),
  "Network not supported": async (endpoint) => {
    if (endpoint === 6) return { answer: await post(SEARCH, { tx_hash: NOWHERE, network: "polygon" }) };
    if (endpoint === 7) return { answer: await post("/transaction/requery/dogecoin", { tx_hash: NOWHERE }) };
    return { answer: await post("/transaction/network-fee", { network: "trc20" }) };
  },
  "Transaction absent on chain": async () => ({
    answer: await onNode(SEARCH, { tx_hash: NOWHERE, network: "bep20" }),
  }),
  "Body field absent": async (endpoint) => {
    if (endpoint === 6) return { answer: await post(SEARCH, { network: "bep20" }) };
    if (endpoint === 7) return { answer: await post("/transaction/requery/bep20", {}) };
    if (endpoint === 8) return { answer: await post("/transaction/network-fee", {}) };
    return { answer: await generate(endpoint, { network: "" }) };
  },
  "Still pending or unknown": () => requery(NOWHERE),
  Skipped: async () => {
    const hash = await sendEvmUsdt(anvil.url, FAUCET.address, USDT);
    await mine(anvil.url, 4);
    return requery(hash);
  },
  Failed: async () => {
    const poor = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
    const data = transferData(FAUCET.address, USDT);
    const transaction = { from: poor, to: USDT_ADDRESS, data, gas: "0x30d40" };
    const hash = String(await rpc(anvil.url, "eth_sendTransaction", [transaction]));
    await mine(anvil.url, 4);
    return requery(hash);
  },
  "Action failed": async () => {
    node.answer = (response) => response.writeHead(500).end("out");
    try {
      return await requery(NOWHERE);
    } finally {
      node.answer = null;
    }
  },
  "Token unknown": async () => ({ answer: await get("/transaction/fee?token=xyz") }),
  "Amount not above 0": async (endpoint) => ({
    answer: await (endpoint === 9 ? get("/transaction/fee?amount=0") : buy("0")),
  }),
  "Network unsupported": async (endpoint) => ({ answer: await generate(endpoint, { network: "polygon" }) }),
  "Generation disabled for the network": whileGenerationIsOff,
  "Generation failed": withCrossedKeys,
  "Customer field absent or invalid": async (endpoint) => ({
    answer: await generate(endpoint, { customer: JSON.stringify({ first_name: "Ada", last_name: "Obi" }) }),
  }),
  "Buys disabled for token": async () => ({ answer: await withBtc({ buy: false }, "0.01") }),
  "USDT balance too small": async () => ({ answer: await buy("0.01") }),
  "Fee at least the source amount": async () => ({
    answer: await withBtc({ minimumFee: units("usdt", "600") }, "0.01"),
  }),
  "Amount below token minimum": async () => ({
    answer: await withBtc({ minimumTrade: units("btc", "0.5") }, "0.01"),
    message: "amount cannot be less than 0.5",
  }),
  "Amount above token maximum": async () => ({
    answer: await withBtc({ maximumTrade: units("btc", "0.005") }, "0.01"),
    message: "amount cannot be more than 0.005",
  }),
  "Token data cannot be loaded": async () => ({ answer: await buy("0.01", "eth") }),
  "`transaction_hash` absent": async () => ({ answer: await post("/webhooks/retrigger", {}) }),
  "No stored events for the hash": async () => ({
    answer: await post("/webhooks/retrigger", { transaction_hash: NOWHERE }),
  }),
};

/** The rows of the table under "## Errors" of the document, one per endpoint. */
function documentRows(): string[] {
  const text = readFileSync(new URL("../../docs/service-interface.md", import.meta.url), "utf8");
  const section = text.slice(text.indexOf("\n## Errors"), text.indexOf("\n## Limits"));
  const table = [...section.matchAll(/^\| ([0-9, ]+) \| (.+?) \| (.+) \|$/gm)];
  return table.flatMap(([, endpoints = "", condition, cell = ""]) => {
    const message = cell.match(/message `([^`]+)`/)?.[1] ?? cell.match(/^`([^`]+)`/)?.[1];
    return endpoints.split(", ").map((endpoint) => `${endpoint} | ${condition} | ${message}`);
  });
}
const named = ({ endpoint, condition, message }: ErrorRow) => `${endpoint} | ${condition} | ${message}`;

test("the table equals the document's table, row for row", () => {
  assert.deepEqual(ERROR_TABLE.map(named), documentRows());
  assert.equal(ERROR_TABLE.length, 43);
});

test("every row has a case, and every case a row", () => {
  const conditions = [...new Set(ERROR_TABLE.map(({ condition }) => condition))];
  assert.deepEqual(Object.keys(CASES).sort(), conditions.sort());
});

let exercised = 0;
for (const row of ERROR_TABLE) {
  test(named(row), async () => {
    const { answer, message = row.message } = await CASES[row.condition]!(row.endpoint);
    assert.deepEqual(
      { http: answer.status, body: answer.body },
      { http: row.http, body: { status: row.status, message } },
    );
    exercised += 1;
  });
}

test("every row was exercised", () => {
  assert.equal(exercised, ERROR_TABLE.length);
});
