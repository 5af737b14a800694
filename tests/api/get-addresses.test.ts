import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { ENVS } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import type { RequestBody, RequestQuery } from "#lib/client/client.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { evmConfig, startApi } from "#tests/support/api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { refused, says, successOf } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const networks = (["bep20", "erc20", "base"] as const).flatMap((code) =>
  ENVS.map((env) => evmConfig(env, code)),
);
const api = await startApi({ networks: openNetworks(networks) });
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const paylink = api.client(merchant.test);
const headers = { "x-staging-api-key": merchant.test };
const EMPTY = {
  status: "success",
  message: "addresses retrieved successfully",
  data: [],
  meta: { has_more: false, next_cursor: null },
};

type Network = RequestBody<"/wallets/get-addresses">["network"];
const PATH = "/wallets/get-addresses";
const list = (
  query: RequestQuery<"/wallets/get-addresses", "post"> = {},
  { key = merchant.test, network = "bep20" as Network } = {},
) => api.client(key).POST("/wallets/get-addresses", { params: { query }, body: { network } });
const send = (form: Record<string, string>) => api.send({ path: PATH, form, headers });
const byAddress = (shown: string) => eq(addresses.address, shown.toLowerCase());
let hashes = 0;
async function pay(
  shown: string,
  amount: bigint,
  status: 0 | 1 | 2 | 3,
  token: "usdt" | "bnb" | "eth" = "usdt",
) {
  const [row] = await db.select().from(addresses).where(byAddress(shown));
  hashes += 1;
  await db.insert(deposits).values({
    ...{ env: row!.env, network: row!.network, merchantId: merchant.id, addressId: row!.id },
    ...{ token, amount, status },
    txHash: `0x${String(hashes).padStart(64, "0")}`,
    position: 0,
    requiredConfirmations: 1,
    firstSeenAt: AT,
    ...(status === 3 ? { unmatchedReason: "no_purpose" } : {}),
  });
}

test("the list is empty on every network without addresses", async () => {
  says(await list(), 200, EMPTY);
  for (const network of ["bitcoin", "solana", "dogecoin"] as const) {
    says(await list({}, { network }), 200, EMPTY);
  }
  const counted = { ...EMPTY, meta: { ...EMPTY.meta, total: 0 } };
  says(await list({ count: "1" }, { network: "solana" }), 200, counted);
});

let own = "";
let customers = "";
let links = "";

test("lists every address complete, newest first, with its customer and exact received amount", async () => {
  const network = "bep20";
  own = successOf(await paylink.POST("/wallets/generate-merchant-wallet", { body: { network } })).data
    .address;
  const customer = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
  const given = await paylink.POST("/wallets/generate-wallet", { body: { network, customer } });
  customers = successOf(given).data.address;
  const link = { ...PAYMENT_LINK, wallets: [{ network, token: "USDT" }] };
  links = successOf(await paylink.POST("/payment-links", { body: link })).data.wallets[0]!.address;
  await pay(own, 1_234_567_890_123_456_789n, 1);
  await pay(own, 10n ** 18n, 1);
  for (const status of [0, 2, 3] as const) await pay(customers, 5n * 10n ** 18n, status);
  await pay(customers, 7n * 10n ** 18n, 1, "bnb");
  await db.update(addresses).set({ createdAt: AT });

  const common = { network: "bep20", created_at: AT.toISOString(), updated_at: AT.toISOString() };
  const response = await list();
  const data = [
    { address: links, total_received: "0", genesis: 0, customer: "ada@example.com", ...common },
    { address: customers, total_received: "0", genesis: 0, customer: "ada@example.com", ...common },
    {
      address: own,
      total_received: "2.234567890123456789",
      genesis: 1,
      customer: null,
      ...common,
    },
  ];
  says(response, 200, { ...EMPTY, data });
  const { text } = await send({ network });
  assert.ok(text.includes('"total_received":2.234567890123456789,'), text);
  assert.deepEqual(Object.keys(successOf(response).data[0]!), [
    ...["address", "network", "total_received", "genesis", "customer", "created_at", "updated_at"],
  ]);
});

test("a reversed credit is subtracted", async () => {
  await db
    .update(deposits)
    .set({ status: 2 })
    .where(eq(deposits.amount, 10n ** 18n));
  const { data } = successOf(await list());
  assert.deepEqual(
    data.map(({ total_received }) => total_received),
    ["0", "0", "1.234567890123456789"],
  );
});

test("total_received counts USDT where the network has it, otherwise the network's own coin", async () => {
  const total = async (env: "live" | "test", network: "erc20" | "base") => {
    const client = api.client(merchant[env]);
    const given = await client.POST("/wallets/generate-merchant-wallet", { body: { network } });
    const { address } = successOf(given).data;
    await pay(address, 3n * 10n ** 18n, 1, "usdt");
    await pay(address, 2n * 10n ** 18n, 1, "eth");
    const { data } = successOf(await list({}, { key: merchant[env], network }));
    return data.map(({ total_received }) => total_received);
  };
  assert.deepEqual(await total("live", "erc20"), ["3"]);
  assert.deepEqual(await total("live", "base"), ["3"]);
  assert.deepEqual(await total("test", "erc20"), ["3"]);
  // The test network of Base has no USDT.
  assert.deepEqual(await total("test", "base"), ["2"]);
});

test("a page ends at its limit and has the cursor of the next page", async () => {
  const shown = (data: readonly { address: string }[]) => data.map(({ address }) => address);
  const first = successOf(await list({ limit: 2, count: "1" }));
  assert.deepEqual(shown(first.data), [links, customers]);
  const { next_cursor } = first.meta;
  assert.deepEqual(first.meta, { has_more: true, next_cursor, total: 3 });
  const second = successOf(await list({ limit: 2, cursor: next_cursor! }));
  assert.deepEqual(shown(second.data), [own]);
  assert.deepEqual(second.meta, EMPTY.meta);
});

test("does not list addresses of another merchant or environment", async () => {
  says(await list({}, { key: otherMerchant.test }), 200, EMPTY);
  says(await list({}, { key: merchant.live }), 200, EMPTY);
});

test("refuses malformed fields and paging parameters", async () => {
  refused(await send({}), 400, "(network) not found in request body");
  const number = await api.send({ path: PATH, json: { network: 7 }, headers });
  refused(number, 400, "(network) must be a string");
  refused(await send({ network: "ethereum" }), 400, "unsupported network");
  refused(await list({ limit: 501 }), 400, "limit must be between 1 and 500");
  refused(await list({ cursor: "x" }), 400, "invalid cursor");
  refused(await api.send({ path: PATH, form: { network: "bep20" } }), 401, "invalid api key");
});
