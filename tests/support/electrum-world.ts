import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { HDKey } from "@scure/bip32";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openUtxoAdapter } from "#lib/chains/utxo/utxo-adapter.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { settledAtOnce } from "#tests/chains/contract/drivers/electrum.ts";
import { openBitcoin, shareBitcoind } from "./bitcoind.ts";
import { startElectrumFake } from "./electrum-fake.ts";
import { startElectrumServer, type TestElectrumServer } from "./electrum-server.ts";
import type { FakeNode } from "./fake-node.ts";
import { until } from "./until.ts";
import { log, openWatchedNetwork, polledOften } from "./watched-network.ts";

/** Networks that are read from Electrum servers. */
export type WorldNetwork = "bitcoin" | "litecoin";

/** An Electrum server that starts again at the same address, with what it keeps. */
export interface StartableServer {
  readonly url: string;
  start(): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

const DATA = settledAtOnce(NETWORKS.bitcoin);

/** An account of its own: the tests share a chain. */
const newAccount = () => HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/1'/0'").publicExtendedKey;

export function electrumNetwork(
  urls: readonly string[],
  tools: Parameters<typeof openUtxoAdapter>[2] = { log },
  accountKey = newAccount(),
  data: NetworkData = DATA,
) {
  const scope = { env: "test", network: data.code as WorldNetwork } as const;
  const optional = { zmqUrl: null, chain: "regtest", chainId: null, contracts: {} } as const;
  const adapter = openUtxoAdapter({ ...scope, rpcUrls: urls, accountKey, ...optional }, data, tools);
  return { find: () => adapter, list: () => [adapter], all: () => [adapter] };
}

const PAIRS = {
  bitcoin: [{ network: "bitcoin", token: "btc" }, "btc/usd=50000"],
  litecoin: [{ network: "litecoin", token: "ltc" }, "ltc/usd=100"],
} as const;

export function watchElectrum(networks: NetworkRegistry) {
  const [pair, rates] = PAIRS[networks.all()[0]!.network as WorldNetwork];
  return openWatchedNetwork(networks, pair, rates);
}

/** The tests' own server before a node. It keeps nothing: it reads its node again. */
export async function startOwnServer(nodeUrl: string): Promise<StartableServer> {
  let server: TestElectrumServer | null = await startElectrumServer(nodeUrl);
  const { url } = server;
  const stop = async () => {
    await server?.close();
    server = null;
  };
  return {
    ...{ url, stop, close: stop },
    async start() {
      server = await startElectrumServer(nodeUrl, { port: Number(new URL(url).port) });
    },
  };
}

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
          await watched.depositsAre(["credited"]);
          assert.equal(await watched.balance(), due);
          assert.deepEqual((await watched.ledger()).problems, []);
        },
      };
    },
  };
}
