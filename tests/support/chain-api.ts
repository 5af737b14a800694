import { after } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { startApi } from "./api.ts";
import { log, polledOften, startStepped } from "./watched-network.ts";

/** Several registries of one network each, as one. */
function allNetworks(...registries: readonly NetworkRegistry[]): NetworkRegistry {
  const adapters = registries.flatMap((registry) => registry.all());
  return {
    find: (env, network) => adapters.find((a) => a.env === env && a.network === network) ?? null,
    list: (env) => adapters.filter((adapter) => adapter.env === env),
    all: () => adapters,
  };
}

/**
 * The API over networks with real nodes, with their watchers in the same process when requested: each
 * network makes a pass when the test waits for one (until).
 */
export async function startChainApi(...registries: readonly NetworkRegistry[]) {
  const networks = polledOften(allNetworks(...registries));
  const api = await startApi({ networks });
  const { database, rates, settings } = api.services;
  const watchers = new Set<{ stop(): Promise<void> }>();
  return {
    ...api,
    networks,
    db: database.db,
    /** Stopped at close at the latest. */
    watch() {
      const paymentLinks = { db: database.db, networks, rates, settings };
      const watcher = startStepped({ database, networks, paymentLinks, log });
      watchers.add(watcher);
      return watcher;
    },
    /** A merchant's balance in the test environment, ledger units. */
    async balance(merchantId: number) {
      const accounts = await listLedgerAccounts(database.db, "test", merchantId);
      return accounts.find(({ code }) => code === `merchant:${merchantId}`)?.balance ?? 0n;
    },
    problems: async () => (await checkLedger(database.db)).problems,
    async close() {
      await Promise.all([...watchers].map((watcher) => watcher.stop()));
      await api.close();
    },
  };
}

/** The same for the tests of this file. It is closed after them. */
export async function startTestChainApi(...registries: readonly NetworkRegistry[]) {
  const api = await startChainApi(...registries);
  after(() => api.close());
  return api;
}
