import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { ENVS } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import type { DepositStatus } from "#lib/domain/types.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { RequestBody, RequestQuery } from "#packages/client/src/client.ts";
import { evmConfig, startTestApi } from "#tests/support/api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { LAST_PAGE, refused, succeeded, successOf } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const networks = (["bep20", "erc20", "base"] as const).flatMap((code) =>
  ENVS.map((env) => evmConfig(env, code)),
);
const api = await startTestApi({ networks: openNetworks(networks) });
const { db } = api.database;
const merchant = await api.merchant();
const paylink = api.client(merchant.test);

type Network = RequestBody<"/wallets/get-addresses">["network"];
const PATH = "/wallets/get-addresses";
const list = (
  query: RequestQuery<"/wallets/get-addresses", "post"> = {},
  { key = merchant.test, network = "bep20" as Network } = {},
) => api.client(key).POST("/wallets/get-addresses", { params: { query }, body: { network } });
const lists = (answer: Awaited<ReturnType<typeof list>>, data: unknown[], meta: object = {}) =>
  succeeded(answer, "addresses retrieved successfully", data, { ...LAST_PAGE, ...meta });
const byAddress = (shown: string) => eq(addresses.address, shown.toLowerCase());
let hashes = 0;
async function pay(
  shown: string,
  amount: bigint,
  status: DepositStatus,
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
    ...(status === "held" ? { unmatchedReason: "no_purpose" } : {}),
  });
}

test("the list is empty on every network without addresses", async () => {
  for (const network of ["bitcoin", "solana", "dogecoin"] as const) lists(await list({}, { network }), []);
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
  await pay(own, 1_234_567_890_123_456_789n, "credited");
  await pay(own, 10n ** 18n, "credited");
  for (const status of ["seen", "dropped", "held"] as const) await pay(customers, 5n * 10n ** 18n, status);
  await pay(customers, 7n * 10n ** 18n, "credited", "bnb");
  await db.update(addresses).set({ createdAt: AT });

  const common = { network: "bep20", created_at: AT.toISOString(), updated_at: AT.toISOString() };
  const response = await list();
  const data = [
    { address: links, total_received: "0", genesis: 0, customer: "ada@example.com", ...common },
    { address: customers, total_received: "0", genesis: 0, customer: "ada@example.com", ...common },
    { address: own, total_received: "2.234567890123456789", genesis: 1, customer: null, ...common },
  ];
  lists(response, data);
  const { text } = await api.send({ path: PATH, form: { network }, key: merchant.test });
  assert.ok(text.includes('"total_received":2.234567890123456789,'), text);
  assert.deepEqual(Object.keys(successOf(response).data[0]!), [
    ...["address", "network", "total_received", "genesis", "customer", "created_at", "updated_at"],
  ]);
});

test("a reversed credit is subtracted", async () => {
  await db
    .update(deposits)
    .set({ status: "dropped" })
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
    await pay(address, 3n * 10n ** 18n, "credited", "usdt");
    await pay(address, 2n * 10n ** 18n, "credited", "eth");
    const { data } = successOf(await list({}, { key: merchant[env], network }));
    return data.map(({ total_received }) => total_received);
  };
  assert.deepEqual(await total("live", "erc20"), ["3"]);
  assert.deepEqual(await total("live", "base"), ["3"]);
  assert.deepEqual(await total("test", "erc20"), ["3"]);
  // The test network of Base has no USDT.
  assert.deepEqual(await total("test", "base"), ["2"]);
});

for (const [json, message] of [
  [{}, "(network) not found in request body"],
  [{ network: 7 }, "(network) must be a string"],
  [{ network: "ethereum" }, "unsupported network"],
] as const) {
  test(`refuses ${JSON.stringify(json)}`, async () =>
    refused(await api.send({ path: PATH, json, key: merchant.test }), 400, message));
}
