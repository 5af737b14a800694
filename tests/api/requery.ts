import { and, eq } from "drizzle-orm";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { paths } from "#lib/client/client.ts";
import { deposits, watchCursors, watchedBlocks } from "#lib/domain/deposits/tables.ts";
import type { TestMerchant } from "#tests/support/api.ts";
import { startChainApi } from "#tests/support/chain-api.ts";
import { says } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";

type Network = paths["/transaction/requery/{network}"]["post"]["parameters"]["path"]["network"];

/** Starts the API over these networks, with a watcher that can miss blocks, and a merchant that requeries. */
export async function startRequeryApi(...networks: readonly NetworkRegistry[]) {
  const api = await startChainApi(...networks);
  const { db } = api;
  const asking: { merchant: TestMerchant } = { merchant: await api.merchant() };
  const adapterOf = (network: NetworkCode) => api.networks.find("test", network) as NetworkAdapter;
  const rowsOf = (txHash: string) => db.select().from(deposits).where(eq(deposits.txHash, txHash));
  const cursorOf = async (network: NetworkCode) =>
    (await db.select().from(watchCursors).where(eq(watchCursors.network, network)))[0] ?? null;
  const requery = (network: Network, tx_hash: string, key = asking.merchant.test) =>
    api
      .client(key)
      .POST("/transaction/requery/{network}", { params: { path: { network } }, body: { tx_hash } });
  return {
    api,
    /** The merchant whose key is used by default. */
    asking,
    requery,
    reports: (response: Awaited<ReturnType<typeof requery>>, message: string) =>
      says(response, 200, { status: "success", message, data: null }),
    /** A new address of a merchant, in display form. */
    async shown(network: NetworkCode, owner = asking.merchant) {
      const { address } = await anAddress(db, adapterOf(network), owner.id);
      return adapterOf(network).displayAddress(address);
    },
    adapterOf,
    rowsOf,
    credited: (txHash: string) =>
      until("the credit", async () => (await rowsOf(txHash)).some(({ status }) => status === 1)),
    cursorOf,
    /** Runs the watcher until it has read the network's head, then stops it. */
    async watchOnce(network: NetworkCode) {
      const watcher = api.watch();
      const { height } = await adapterOf(network).fetchHead();
      await until(
        "the watcher to be at the head",
        async () => ((await cursorOf(network))?.height ?? -1) >= height,
      );
      await watcher.stop();
    },
    /** Moves the watcher's cursor past blocks that it never read, so their deposits are missed. */
    async skipToHead(network: NetworkCode) {
      const { height, hash } = await adapterOf(network).fetchHead();
      await db.insert(watchedBlocks).values({ env: "test", network, height, hash });
      await db
        .update(watchCursors)
        .set({ height, hash, nodeHeight: height })
        .where(and(eq(watchCursors.env, "test"), eq(watchCursors.network, network)));
    },
  };
}

/** The message of endpoint 7 for an unknown or pending transaction. */
export const PENDING = "transaction not found or still pending";
