import { and, eq } from "drizzle-orm";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { deposits, watchCursors, watchedBlocks } from "#lib/domain/deposits/tables.ts";
import { createPassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { createWatchContext } from "#lib/domain/deposits/watch/watch-network.ts";
import type { paths } from "#packages/client/src/client.ts";
import type { TestMerchant } from "#tests/support/api.ts";
import { startTestChainApi } from "#tests/support/chain-api.ts";
import { succeeded } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";

type Network = paths["/transaction/requery/{network}"]["post"]["parameters"]["path"]["network"];

/** The API over these networks for the tests of this file, with a watcher that can miss blocks, and a merchant that requeries. */
export async function startRequeryApi(...networks: readonly NetworkRegistry[]) {
  const api = await startTestChainApi(...networks);
  const { db, services } = api;
  const asking: { merchant: TestMerchant } = { merchant: await api.merchant() };
  const adapterOf = (network: NetworkCode) => api.networks.find("test", network) as NetworkAdapter;
  const rowsOf = (txHash: string) => db.select().from(deposits).where(eq(deposits.txHash, txHash));
  const requery = (network: Network, tx_hash: string, key = asking.merchant.test) =>
    api
      .client(key)
      .POST("/transaction/requery/{network}", { params: { path: { network } }, body: { tx_hash } });
  const contextOf = (network: NetworkCode) =>
    createWatchContext({ ...services, paymentLinks: { ...services, db } }, adapterOf(network));
  return {
    api,
    /** The merchant whose key is used by default. */
    asking,
    requery,
    reports: (response: Awaited<ReturnType<typeof requery>>, message: string) =>
      succeeded(response, message, null),
    /** A new address of a merchant, in display form. */
    async shown(network: NetworkCode, owner = asking.merchant) {
      const { address } = await anAddress(db, adapterOf(network), owner.id);
      return adapterOf(network).addresses.display(address);
    },
    adapterOf,
    rowsOf,
    contextOf,
    cursorOf: async (network: NetworkCode) =>
      (await db.select().from(watchCursors).where(eq(watchCursors.network, network)))[0] ?? null,
    /** The watcher reads the network up to its head. */
    async watch(network: NetworkCode) {
      const memory = createPassMemory();
      while (await runPass(contextOf(network), memory));
    },
    /** Moves the watcher's cursor past blocks that it never read, so their deposits are missed. */
    async skipToHead(network: NetworkCode) {
      const { height, hash } = await adapterOf(network).blocks.fetchHead();
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
