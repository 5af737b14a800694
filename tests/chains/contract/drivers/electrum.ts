import { NETWORK } from "@scure/btc-signer";
import type { AddressBook } from "#lib/chains/address-book.ts";
import { hashScript } from "#lib/chains/electrum/address-book.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { getUtxoData } from "#lib/chains/utxo/chains.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { BITCOIN_REGTEST, openBitcoin, scriptOf, startBitcoind } from "#tests/support/bitcoind.ts";
import { openTestClient } from "#tests/support/electrum-client.ts";
import { startElectrumFake } from "#tests/support/electrum-fake.ts";
import { startElectrumServer } from "#tests/support/electrum-server.ts";
import type { FakeNode, Twist } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { ADDRESSES, type ContractDriver } from "./driver.ts";
import { openUtxoDriver } from "./utxo.ts";

/** Addresses below the account key that the contract's cases use. */
const FIRST_INDEX = 10_000;
const INDEXES = 200;

/** The address of a real server, and the RPC of its regtest bitcoind, whose wallet has coins. */
export interface RealElectrum {
  readonly url: string;
  readonly nodeUrl: string;
}

/** Bitcoin on regtest, read from an Electrum server: the tests' own, or a real one. */
export async function openElectrumDriver(real: RealElectrum | null = null): Promise<ContractDriver> {
  const nodeOptions = { txindex: true } as const;
  const node = real ? { url: real.nodeUrl, stop: async () => {} } : await startBitcoind(nodeOptions);
  const server = real ? { url: real.url, close: async () => {} } : await startElectrumServer(node.url);
  const data = real ? NETWORKS.bitcoin : settledAtOnce(NETWORKS.bitcoin);
  const driver = await openUtxoDriver({
    data,
    start: async () => node as Awaited<ReturnType<typeof startBitcoind>>,
    chain: BITCOIN_REGTEST,
    live: NETWORK,
    rates: "btc/usd=50000",
    vectors: [ADDRESSES.bitcoin, "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"],
    nodeName: (subversion) =>
      `${real ? "Electrum server" : "our Electrum server"}, ${subversion.split("/")[1]}`,
    blocksToCredit: 1,
  });
  const bitcoin = openBitcoin(node.url);
  const client = await openTestClient(server.url);
  const opened: { readonly url: string; readonly adapter: NetworkAdapter }[] = [];
  // Every adapter has the same addresses. To derive them takes half a second.
  let book: AddressBook | null = null;
  const fakes: FakeNode[] = [];
  const isHonest = (url: string) => fakes.every((fake) => fake.url !== url || !(fake.twist || fake.answer));
  /** An Electrum server is behind its node, and an adapter reads a block once the server has announced it. */
  const shown = async () => {
    const tip = await bitcoin.tip();
    const header = await bitcoin.call("getblockheader", tip, false);
    const { height } = await bitcoin.call<{ height: number }>("getblockheader", tip);
    await until("the server to be at its node's head", async () => {
      const { hex } = (await client.call("blockchain.headers.subscribe", [])) as { hex?: unknown };
      return hex === header;
    });
    for (const { url, adapter } of opened) {
      if (!isHonest(url)) continue;
      await until("the adapter to be at its server's head", async () => {
        return (await adapter.blocks.fetchHash(height).catch(() => null)) === tip;
      });
    }
  };
  const seen = async (to: string, txid: string) => {
    const script = hashScript(scriptOf(to));
    await until("the server to know the payment", async () => {
      const history = (await client.call("blockchain.scripthash.get_history", [script])) as {
        tx_hash: string;
      }[];
      return history.some(({ tx_hash }) => tx_hash === txid);
    });
    return txid;
  };
  return {
    ...driver,
    mine: async (blocks) => {
      await driver.mine(blocks);
      await shown();
    },
    reorg: async (depth, options) => {
      await driver.reorg(depth, options);
      await shown();
    },
    sendFailing: async (to) => {
      const hash = await driver.sendFailing(to);
      await shown();
      return hash;
    },
    send: async (to, amount) => seen(to, await driver.send(to, amount)),
    sendMany: async (payments) => seen(payments[0]?.[0] ?? "", await driver.sendMany(payments)),
    replace: async (hash, to, amount) => seen(to, await driver.replace(hash, to, amount)),
    rpcUrl: server.url,
    startFake: async (url) => {
      const fake = await startElectrumFake(url);
      fakes.push(fake);
      return fake;
    },
    open: (...urls) => {
      const registry = utxoNetwork(data, urls);
      for (const adapter of registry.all()) {
        book ??= openTestBook(adapter);
        adapter.addressWatch?.watch(book);
      }
      const [url] = urls;
      if (url !== undefined) opened.push(...registry.all().map((adapter) => ({ url, adapter })));
      return registry;
    },
    lies: LIES,
    cut: {
      twist: changeTransaction((raw) => raw.slice(0, Math.floor(raw.length / 4) * 2)),
      outcome: "refused",
    },
    stale: async (height) => {
      const header = await bitcoin.call<string>(
        "getblockheader",
        await bitcoin.call("getblockhash", height),
        false,
      );
      return staleServer(height, header);
    },
    close: async () => {
      client.close();
      await server.close();
      await driver.close();
    },
  };
}

/** The tests' server reports a block and of what it changed at once. */
export function settledAtOnce(data: NetworkData): NetworkData {
  const utxo = getUtxoData(data);
  return { ...data, utxo: { ...utxo, headers: { ...utxo.headers!, settleMs: 200 } } };
}

/** Adapters know which addresses to look for by the watcher, or by this before there is one. */
function openTestBook(adapter: NetworkAdapter): AddressBook {
  const all = Array.from({ length: INDEXES }, (_, i) => ({
    id: i + 1,
    address: adapter.addresses.derive(FIRST_INDEX + i).address,
  }));
  return {
    listBefore: async (id, limit) =>
      all
        .filter((one) => id === null || one.id < id)
        .toReversed()
        .slice(0, limit),
    listAfter: async (id, limit) => all.filter((one) => one.id > id).slice(0, limit),
    listPaidAbove: async () => [],
    listDue: async () => [],
    findRecordedBlocks: async () => new Map(),
    findSetAside: async () => new Set(),
  };
}

function changeTransaction(change: (raw: string) => unknown): Twist {
  return async ({ method, params }, pass) =>
    method === "blockchain.transaction.get" && params[1] !== true ? change(String(await pass())) : undefined;
}

function changeProof(change: (proof: { merkle: string[]; pos: number }) => unknown): Twist {
  return async ({ method }, pass) =>
    method === "blockchain.transaction.get_merkle"
      ? change((await pass()) as { merkle: string[]; pos: number })
      : undefined;
}

const LIES: ContractDriver["lies"] = {
  "no transaction": changeTransaction(() => null),
  "a transaction that is no hexadecimal": changeTransaction((raw) => `${raw.slice(0, -2)}zz`),
  "a transaction and more": changeTransaction((raw) => `${raw}00`),
  "a transaction that was changed": changeTransaction((raw) => `${raw.slice(0, -8)}01000000`),
  "a proof of another position": changeProof((proof) => ({ ...proof, pos: proof.pos ^ 1 })),
  "a proof without its branch": changeProof((proof) => ({ ...proof, merkle: [] })),
  "a proof with a foreign hash": changeProof((proof) => ({
    ...proof,
    merkle: proof.merkle.map(() => "ab".repeat(32)),
  })),
};

/** The server as it was at a height: it announces nothing, and greets with its old header. */
function staleServer(height: number, hex: string): Twist {
  return async ({ method, params }, pass) => {
    if (method === "blockchain.headers.subscribe") return { height, hex };
    if (method === "blockchain.block.headers") {
      const count = Math.max(0, Math.min(Number(params[1]), height - Number(params[0]) + 1));
      const { headers } = (await pass()) as { headers: string[] };
      return { headers: headers.slice(0, count), count, max: 2016 };
    }
    return undefined;
  };
}
