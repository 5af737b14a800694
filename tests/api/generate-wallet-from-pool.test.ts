import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { customers } from "#lib/domain/merchants/tables.ts";
import { startChainApi } from "#tests/support/chain-api.ts";
import { refused, says } from "#tests/support/says.ts";
import { fillPool, solana, solanaAddress } from "#tests/support/solana.ts";

let api: Awaited<ReturnType<typeof startChainApi>>;
let key: string;

before(async () => {
  // Generation does not query a node.
  api = await startChainApi(solana("http://127.0.0.1:9"));
  key = (await api.merchant()).test;
});
after(() => api.close());

const CUSTOMER = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const post = (path: string, form: Record<string, string>) =>
  api.send({
    path: `/wallets/${path}`,
    form: { network: "solana", ...form },
    headers: { "x-staging-api-key": key },
  });
const forCustomer = (form: Record<string, string> = {}) =>
  post("generate-wallet", { customer: JSON.stringify(CUSTOMER), ...form });

test("refuses a wallet and writes nothing if the address pool is empty", async () => {
  refused(await forCustomer(), 502, "wallet generation failed");
  refused(await post("generate-merchant-wallet", {}), 502, "wallet generation failed");
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
