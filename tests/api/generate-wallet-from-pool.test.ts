import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { customers } from "#lib/domain/merchants/tables.ts";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { startChainApi } from "#tests/support/chain-api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { refused, says } from "#tests/support/says.ts";
import { fillPool, solana, solanaAddress } from "#tests/support/solana.ts";

let api: Awaited<ReturnType<typeof startChainApi>>;
let key: string;

before(async () => {
  // Generation does not query a node.
  api = await startChainApi(solana("http://127.0.0.1:9"));
  const merchant = await api.merchant();
  key = merchant.test;
  const changes = { paymentPairs: ["solana/usdt"] };
  await api.db.transaction((tx) => updateMerchant(tx, merchant.email, changes, new Date()));
});
after(() => api.close());

const CUSTOMER = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const post = (path: string, form: Record<string, string>, by = key) =>
  api.send({
    path: `/wallets/${path}`,
    form: { network: "solana", ...form },
    headers: { "x-staging-api-key": by },
  });
const forCustomer = (form: Record<string, string> = {}, by = key) =>
  post("generate-wallet", { customer: JSON.stringify(CUSTOMER), ...form }, by);

const link = () =>
  api.send({
    path: "/payment-links",
    json: { ...PAYMENT_LINK, wallets: [{ network: "solana", token: "USDT" }] },
    headers: { "x-staging-api-key": key },
  });

test("refuses a wallet and writes nothing if the address pool is empty", async () => {
  refused(await forCustomer(), 502, "wallet generation failed");
  refused(await post("generate-merchant-wallet", {}), 502, "wallet generation failed");
  refused(await link(), 502, "wallet generation failed");
  assert.deepEqual(await api.database.db.select().from(customers), []);
});

test("allocates addresses until the pool is empty, and still returns the allocated ones", async () => {
  await fillPool(api.database.db, 2);
  const gives = (index: number) => ({
    status: "success",
    message: "wallet generated successfully",
    data: { address: solanaAddress(index) },
  });
  says(await forCustomer(), 200, gives(0));
  says(await post("generate-merchant-wallet", {}), 200, gives(1));
  refused(await forCustomer({ fresh: "1" }), 502, "wallet generation failed");
  says(await forCustomer(), 200, gives(0));
  await fillPool(api.database.db, 1, 2);
  says(await forCustomer({ fresh: "1" }), 200, gives(2));
});

test("leaves the last addresses of the pool to other merchants than the one that takes them all", async () => {
  const others = [await api.merchant(), await api.merchant()];
  await fillPool(api.database.db, 27, 3);
  const taken = [];
  for (let answer = await forCustomer({ fresh: "1" }); answer.status === 200; ) {
    taken.push(answer);
    answer = await forCustomer({ fresh: "1" });
  }
  assert.equal(taken.length, 24);
  refused(await post("generate-merchant-wallet", { fresh: "1" }), 422, "wallet generation failed");
  refused(await link(), 422, "wallet generation failed");
  for (const other of others) assert.equal((await forCustomer({}, other.test)).status, 200);
});
