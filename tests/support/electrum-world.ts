import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { HDKey } from "@scure/bip32";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openUtxoAdapter } from "#lib/chains/utxo/utxo-adapter.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { settledAtOnce } from "#tests/chains/contract/drivers/electrum.ts";
import { openBitcoin, shareBitcoind } from "./bitcoind.ts";
import { startElectrumFake } from "./electrum-fake.ts";
import { startElectrumServer } from "./electrum-server.ts";
import type { FakeNode } from "./fake-node.ts";
import { until } from "./until.ts";
import { log, openWatchedNetwork, polledOften } from "./watched-network.ts";

const DATA = settledAtOnce(NETWORKS.bitcoin);

/** An account of its own: the tests share a chain. */
const newAccount = () => HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/1'/0'").publicExtendedKey;

export function electrumNetwork(
  urls: readonly string[],
  tools: Parameters<typeof openUtxoAdapter>[2] = { log },
  accountKey = newAccount(),
) {
  const scope = { env: "test", network: "bitcoin" } as const;
  const optional = { zmqUrl: null, chain: "regtest", chainId: null, contracts: {} } as const;
  const adapter = openUtxoAdapter({ ...scope, rpcUrls: urls, accountKey, ...optional }, DATA, tools);
  return { find: () => adapter, list: () => [adapter], all: () => [adapter] };
}

export const watchElectrum = (networks: NetworkRegistry) =>
  openWatchedNetwork(networks, { network: "bitcoin", token: "btc" }, "btc/usd=50000");

/** Bitcoin on a chain of this process, an Electrum server before its node, and watchers that read it from several. */
export async function openElectrumWorld() {
  const node = await shareBitcoind({ txindex: true });
  const bitcoin = openBitcoin(node.url);
  const server = await startElectrumServer(node.url);
  return {
    ...{ node, bitcoin, server },
    /** Another server before the node. */
    async serve(t: TestContext, options?: Parameters<typeof startElectrumServer>[1]) {
      const other = await startElectrumServer(node.url, options);
      t.after(other.close);
      return other;
    },
    /** A server that changes the answers of the first one. */
    async fake(t: TestContext, twist: FakeNode["twist"]) {
      const fake = await startElectrumFake(server.url);
      fake.twist = twist;
      t.after(fake.close);
      return fake;
    },
    /** Watches from these servers. */
    async watch(t: TestContext, ...servers: readonly { readonly url: string }[]) {
      const watched = await watchElectrum(polledOften(electrumNetwork(servers.map(({ url }) => url))));
      t.after(watched.close);
      watched.watch();
      await until("the watcher's start", async () => ((await watched.cursor())?.height ?? -1) > 0);
      return {
        ...watched,
        /** Pays a link. Returns what is due. */
        async pay(link?: { readonly address: string; readonly due: bigint }): Promise<bigint> {
          const { address, due } = link ?? (await watched.link(10));
          await bitcoin.sendTo(address, formatAmount(due, 8));
          return due;
        },
        /** Mines the payment. Resolves when it is credited, once. */
        async credited(due: bigint) {
          await bitcoin.mine();
          await watched.depositsAre([1]);
          assert.equal(await watched.balance(), due);
          assert.deepEqual((await watched.ledger()).problems, []);
        },
      };
    },
  };
}
