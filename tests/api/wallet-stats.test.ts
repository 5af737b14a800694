import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startApi, type TestAnswer } from "#tests/support/api.ts";
import { anAddress } from "#tests/support/unmatched.ts";

const api = await startApi();
after(() => api.close());
const merchant = await api.merchant();
const adapter = api.services.networks.get("test", "bep20")!;

const stats = (headers: Record<string, string>) => api.send({ path: "/analytics/wallet-stats", headers });
const says = (answer: TestAnswer, status: number, body: unknown) =>
  assert.deepEqual({ status: answer.status, body: answer.body }, { status, body });
const counts = (breakdownByNetwork: { network: string; count: number }[]) => ({
  status: "success",
  message: "wallet statistics retrieved successfully",
  data: {
    totalWalletGenerated: breakdownByNetwork.reduce((sum, { count }) => sum + count, 0),
    totalDeletedWallets: 0,
    breakdownByNetwork,
  },
});

test("a merchant without addresses has none", async () => {
  says(await stats({ "x-staging-api-key": merchant.test }), 200, counts([]));
});

test("addresses are counted by network, in the document's order, for one merchant and environment", async () => {
  const { db } = api.database;
  for (let i = 0; i < 3; i++) await anAddress(db, adapter, merchant.id);
  // What another network's adapter would hand out, without one.
  await anAddress(db, { ...adapter, network: "bitcoin" }, merchant.id);
  await anAddress(db, adapter, (await api.merchant()).id);
  const both = counts([
    { network: "bitcoin", count: 1 },
    { network: "bep20", count: 3 },
  ]);
  says(await stats({ "x-staging-api-key": merchant.test }), 200, both);
  says(await stats({ "x-api-key": merchant.live }), 200, counts([]));
});

test("without a key nothing is told", async () => {
  says(await stats({}), 401, { status: "fail", message: "invalid api key" });
});
