import { after, test } from "node:test";
import { startApi } from "#tests/support/api.ts";
import { refused, says } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";

const api = await startApi();
after(() => api.close());
const merchant = await api.merchant();
const adapter = api.services.networks.find("test", "bep20")!;

const stats = (key: string) => api.client(key).GET("/analytics/wallet-stats");
const counts = (breakdownByNetwork: { network: string; count: number }[]) => ({
  status: "success",
  message: "wallet statistics retrieved successfully",
  data: {
    totalWalletGenerated: breakdownByNetwork.reduce((sum, { count }) => sum + count, 0),
    totalDeletedWallets: 0,
    breakdownByNetwork,
  },
});

test("all counts are zero without addresses", async () => {
  says(await stats(merchant.test), 200, counts([]));
});

test("counts addresses by network, in the document's order, for one merchant and environment", async () => {
  const { db } = api.database;
  for (let i = 0; i < 3; i++) await anAddress(db, adapter, merchant.id);
  // An address as the adapter of another network would allocate it. This network has no adapter here.
  await anAddress(db, { ...adapter, network: "bitcoin" }, merchant.id);
  await anAddress(db, adapter, (await api.merchant()).id);
  const both = counts([
    { network: "bitcoin", count: 1 },
    { network: "bep20", count: 3 },
  ]);
  says(await stats(merchant.test), 200, both);
  says(await stats(merchant.live), 200, counts([]));
});

test("requires a key", async () => {
  refused(await api.send({ path: "/analytics/wallet-stats" }), 401, "invalid api key");
});
