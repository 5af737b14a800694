import assert from "node:assert/strict";
import { test } from "node:test";
import { customers } from "#lib/domain/merchants/tables.ts";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { actOf } from "#tests/support/acts.ts";
import type { TestResponse } from "#tests/support/api.ts";
import { startTestChainApi } from "#tests/support/chain-api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { refused, succeeded } from "#tests/support/says.ts";
import { fillPool, solana, solanaAddress } from "#tests/support/solana.ts";

// Generation does not query a node.
const api = await startTestChainApi(solana("http://127.0.0.1:9"));
const { id, test: key } = await api.merchant();
await api.db.transaction((tx) => updateMerchant(actOf(tx, id), { paymentPairs: ["solana/usdt"] }));

const CUSTOMER = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const post = (path: string, form: Record<string, string>, by = key) =>
  api.send({ path: `/wallets/${path}`, form: { network: "solana", ...form }, key: by });
const forCustomer = (form: Record<string, string> = {}, by = key) =>
  post("generate-wallet", { customer: JSON.stringify(CUSTOMER), ...form }, by);

const link = () =>
  api.send({
    path: "/payment-links",
    json: { ...PAYMENT_LINK, wallets: [{ network: "solana", token: "USDT" }] },
    key,
  });

test("refuses a wallet and writes nothing if the address pool is empty", async () => {
  refused(await forCustomer(), 502, "wallet generation failed");
  refused(await post("generate-merchant-wallet", {}), 502, "wallet generation failed");
  refused(await link(), 502, "wallet generation failed");
  assert.deepEqual(await api.database.db.select().from(customers), []);
});

test("allocates addresses until the pool is empty, and still returns the allocated ones", async () => {
  await fillPool(api.database.db, 2);
  const gives = (answer: TestResponse, index: number) =>
    succeeded(answer, "wallet generated successfully", { address: solanaAddress(index) });
  gives(await forCustomer(), 0);
  gives(await post("generate-merchant-wallet", {}), 1);
  refused(await forCustomer({ fresh: "1" }), 502, "wallet generation failed");
  gives(await forCustomer(), 0);
  await fillPool(api.database.db, 1, 2);
  gives(await forCustomer({ fresh: "1" }), 2);
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
