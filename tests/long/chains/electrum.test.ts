/** Several Electrum servers, their lies and their silences, through the watcher into the ledger. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { HDKey } from "@scure/bip32";
import { openElectrumReader } from "#lib/chains/electrum/electrum-reader.ts";
import { openLineConnection } from "#lib/chains/electrum/line-connection.ts";
import { parseElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import { NodeError } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openUtxoAdapter } from "#lib/chains/utxo/utxo-adapter.ts";
import { openCertificateStore } from "#lib/domain/deposits/watch/node-certificates.ts";
import { type Bitcoin, openBitcoin, type SharedNode, shareBitcoind } from "#tests/support/bitcoind.ts";
import { settledAtOnce } from "#tests/support/contract-drivers/electrum.ts";
import { CERTIFICATES } from "#tests/support/electrum-certificates.ts";
import { startElectrumFake } from "#tests/support/electrum-fake.ts";
import { startElectrumServer, type TestElectrumServer } from "#tests/support/electrum-server.ts";
import { type Recorded, shapeOf } from "#tests/support/electrum-shapes.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { until } from "#tests/support/until.ts";
import { log, openWatchedNetwork, polledOften, type WatchedNetwork } from "#tests/support/watched-network.ts";

const PAIR = { network: "bitcoin", token: "btc" } as const;
const DATA = settledAtOnce(NETWORKS.bitcoin);
const SCOPE = { env: "test", network: "bitcoin" } as const;

let node: SharedNode;
let bitcoin: Bitcoin;
let server: TestElectrumServer;

before(async () => {
  node = await shareBitcoind({ txindex: true });
  bitcoin = openBitcoin(node.url);
  server = await startElectrumServer(node.url);
});
after(() => server.close());

/** Each network has an account of its own: the tests share a chain. */
function openNetwork(urls: readonly string[], tools: Parameters<typeof openUtxoAdapter>[2] = { log }) {
  const accountKey = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/1'/0'").publicExtendedKey;
  const optional = { zmqUrl: null, chain: "regtest", chainId: null, contracts: {} } as const;
  const config = { ...SCOPE, rpcUrls: urls, accountKey, ...optional };
  const adapter = openUtxoAdapter(config, DATA, tools);
  return { find: () => adapter, list: () => [adapter], all: () => [adapter] };
}

/** Watches from these servers while `work` runs. Each test mines what it made. */
async function watching(
  urls: readonly string[],
  work: (watched: WatchedNetwork) => Promise<void>,
): Promise<void> {
  const watched = await openWatchedNetwork(polledOften(openNetwork(urls)), PAIR, "btc/usd=50000");
  try {
    watched.watch();
    await until("the watcher's start", async () => ((await watched.cursor())?.height ?? -1) > 0);
    await work(watched);
    assert.deepEqual((await watched.ledger()).problems, []);
  } finally {
    await watched.close();
  }
}

const coins = (units: bigint) => (Number(units) / 1e8).toFixed(8);

async function pay(watched: WatchedNetwork) {
  const link = await watched.link(10);
  await bitcoin.sendTo(link.address, coins(link.due));
  return link;
}

test("a server that hides every payment hides nothing while another one is honest", async () => {
  const liar = await startElectrumFake(server.url);
  liar.twist = async ({ method }) => {
    if (method === "blockchain.scripthash.get_history") return [];
    return method === "blockchain.scripthash.subscribe" ? null : undefined;
  };
  await watching([liar.url, server.url], async (watched) => {
    const { due } = await pay(watched);
    await watched.depositsAre([0]);
    await bitcoin.mine();
    await watched.depositsAre([1]);
    assert.equal(await watched.balance(), due);
    assert.ok(liar.calls.some(({ method }) => method === "blockchain.scripthash.subscribe"));
  });
  await liar.close();
});

test("a server that stops delays nothing while another one continues", async () => {
  const stale = await startElectrumServer(node.url);
  stale.freeze(true);
  await bitcoin.mine(3);
  await watching([stale.url, server.url], async (watched) => {
    await pay(watched);
    await bitcoin.mine();
    await watched.depositsAre([1]);
    const [first, second] = watched.adapter.nodes();
    assert.equal(second!.height! - first!.height!, 4);
  });
  await stale.close();
});

test("a history that is too long for one server comes from another one", async (t) => {
  const short = await startElectrumFake(server.url);
  t.after(() => short.close());
  const histories = ["blockchain.scripthash.get_history", "blockchain.scripthash.subscribe"];
  // Recorded: history-too-large.
  short.twist = ({ method }) => {
    if (histories.includes(method)) throw Object.assign(new Error("history too large"), { code: 1 });
  };
  await watching([short.url, server.url], async (watched) => {
    const { due } = await pay(watched);
    await bitcoin.mine();
    await watched.depositsAre([1]);
    assert.equal(await watched.balance(), due);
    assert.ok(short.calls.some(({ method }) => method === "blockchain.scripthash.get_history"));
  });
});

test("a server that is busy for a while is asked again, and its payments are credited once", async (t) => {
  const busy = await startElectrumFake(server.url);
  t.after(() => busy.close());
  let refused = 0;
  // Recorded: node-down-transaction. The other is said when requests cost too much.
  busy.twist = ({ method }) => {
    if (refused === 2 || !method.startsWith("blockchain.scripthash.")) return;
    refused += 1;
    const [code, message] =
      refused % 2 ? [-102, "server busy - request timed out"] : [-101, "excessive resource usage"];
    throw Object.assign(new Error(String(message)), { code });
  };
  await watching([busy.url], async (watched) => {
    const { due } = await pay(watched);
    await bitcoin.mine();
    await watched.depositsAre([1]);
    assert.equal(await watched.balance(), due);
    assert.equal(refused, 2);
  });
});

/** The time limit of a request to an EVM node, and as much again for the passes. */
const SWITCHED_WITHIN_MS = 20_000;

for (const [trouble, refuse] of Object.entries({
  "answers nothing more": () => new Promise<never>(() => {}),
  "is busy for good": async () => {
    throw Object.assign(new Error("server busy - request timed out"), { code: -102 });
  },
  "is asked too much": async () => {
    throw Object.assign(new Error("excessive resource usage"), { code: -101 });
  },
})) {
  test(`a first server that ${trouble} delays little while another one continues`, async (t) => {
    const first = await startElectrumFake(server.url);
    t.after(() => first.close());
    let isInTrouble = false;
    let refused = 0;
    first.twist = async ({ method }) => {
      // It announces blocks and payments as before.
      if (!isInTrouble || !/get_history|transaction\.get/.test(method)) return undefined;
      refused += 1;
      return refuse();
    };
    await watching([first.url, server.url], async (watched) => {
      const link = await watched.link(10);
      await until("the address to be known", async () =>
        first.calls.some(({ method }) => method === "blockchain.scripthash.subscribe"),
      );
      isInTrouble = true;
      const since = performance.now();
      await bitcoin.sendTo(link.address, coins(link.due));
      await bitcoin.mine();
      await watched.depositsAre([1]);
      assert.equal(await watched.balance(), link.due);
      assert.ok(refused > 0, "the first server was asked");
      assert.ok(performance.now() - since < SWITCHED_WITHIN_MS);
      t.diagnostic(`${Math.round(performance.now() - since)} ms`);
    });
  });
}

test("a server of protocol 1.4 is read like one of 1.6", async (t) => {
  const old = await startElectrumServer(node.url, { newest: "1.4" });
  t.after(() => old.close());
  await watching([old.url], async (watched) => {
    const { due } = await pay(watched);
    await bitcoin.mine();
    await watched.depositsAre([1]);
    assert.equal(await watched.balance(), due);
  });
});

test("a server whose chain has no work behind it is not followed", async () => {
  const liar = await startElectrumFake(server.url);
  const tip = await bitcoin.height();
  // A header on top of the newest block whose bits ask for more than regtest's.
  liar.twist = async ({ method }, pass) => {
    if (method !== "blockchain.headers.subscribe") return undefined;
    const { hex, height } = (await pass()) as { hex: string; height: number };
    return { height: height + 1, hex: `${hex.slice(0, 144)}ffff001d${hex.slice(152)}` };
  };
  await watching([liar.url, server.url], async (watched) => {
    await pay(watched);
    await bitcoin.mine();
    await watched.depositsAre([1]);
    assert.equal((await watched.cursor())!.height, tip + 1);
    assert.notEqual(watched.adapter.nodes()[0]!.error, null);
  });
  await liar.close();
});

test("a payment that is found below the cursor is recorded", async () => {
  await watching([server.url], async (watched) => {
    const { address } = watched.adapter.deriveAddress(0);
    await bitcoin.sendTo(address, "0.001");
    const [hash] = await bitcoin.mine(6);
    await until("the cursor above it", async () => {
      const cursor = await watched.cursor();
      return cursor !== null && cursor.hash === (await bitcoin.tip());
    });
    assert.deepEqual(await watched.deposits(), []);
    const allocated = await watched.address();
    assert.equal(allocated.address, address);
    const [deposit] = await watched.depositsAre([1]);
    assert.equal(deposit!.blockHash, hash);
    assert.equal(await watched.balance(), 100_000n);
  });
});

test("late transfers are listed until they are recorded", async () => {
  const [adapter] = openNetwork([server.url]).all();
  const { address } = adapter!.deriveAddress(77);
  const txid = await bitcoin.sendTo(address, "0.002");
  await bitcoin.mine();
  const height = await bitcoin.height();
  const ours = async (all: readonly string[]) => new Set(all.filter((one) => one === address));
  await until("the server to know the block", () =>
    adapter!.fetchHead().then((head) => head.height === height),
  );
  const entry = { id: 1, address };
  let known: readonly (typeof entry)[] = [];
  adapter!.watchAddresses!({
    listBefore: async () => known,
    listAfter: async () => [],
    findRecordedBlocks: async () => new Map(),
  });
  const scanned = await adapter!.scanBlocks({ from: height, to: height }, ours);
  assert.deepEqual([scanned.transfers, scanned.tipHash], [[], await bitcoin.tip()]);
  known = [entry];
  const late = await until("the late transfer", async () => {
    await adapter!.mempool!.readStep({ ours, wanted: async () => [], lookEveryMs: 0 });
    const found = await adapter!.listLate!(height, ours);
    return found.transfers.length > 0 ? found : null;
  });
  assert.deepEqual(
    late.transfers.map(({ txHash, block }) => [txHash, block?.height]),
    [[txid, height]],
  );
  assert.equal((await adapter!.listLate!(height, ours)).transfers.length, 1);
  late.done();
  assert.deepEqual((await adapter!.listLate!(height, ours)).transfers, []);
});

test("a server is known by its first certificate, and by another one only after it was accepted", async () => {
  const [first, second] = CERTIFICATES;
  const watched = await openWatchedNetwork(openNetwork([server.url]), PAIR, "btc/usd=50000");
  const { db } = watched.database;
  const certificates = openCertificateStore(db);
  const before = await startElectrumServer(node.url, { tls: first });
  const { port } = new URL(before.url);
  const fetchHead = () => openNetwork([before.url], { log, certificates }).all()[0]!.fetchHead();
  try {
    assert.equal((await fetchHead()).height, await bitcoin.height());
    assert.equal((await fetchHead()).height, await bitcoin.height());
    const unsigned = openNetwork([before.url]).all()[0]!;
    await assert.rejects(unsigned.fetchHead(), /its certificate is of no public authority/);
    await before.close();
    const changed = await startElectrumServer(node.url, { tls: second, port: Number(port) });
    const asked = changed.calls.length;
    await assert.rejects(fetchHead(), {
      name: "NodeError",
      message:
        /certificate changed from [0-9a-f]{64} to [0-9a-f]{64}: .*paylink node trust bitcoin 127\.0\.0\.1:\d+/,
    });
    assert.equal(changed.calls.length, asked);
    const error = await fetchHead().catch((refused: NodeError) => refused.message);
    const fingerprint = / to ([0-9a-f]{64})/.exec(String(error))![1]!;
    const configured = {
      DATABASE_URL: watched.database.url,
      TEST_BITCOIN_RPC_URL: before.url,
      TEST_BITCOIN_XPUB: watched.adapter.accountKey,
      TEST_BITCOIN_CHAIN: "regtest",
    };
    const trust = (...options: string[]) =>
      runCli(configured, "node", "trust", "bitcoin", `127.0.0.1:${port}`, "--env", "test", ...options);
    const other = await trust("--fingerprint", "ab".repeat(32));
    assert.deepEqual([other.status, /certificate/.test(other.stderr)], [1, true], other.stderr);
    await assert.rejects(fetchHead(), /certificate changed/);
    const trusted = await trust("--fingerprint", fingerprint);
    assert.equal(trusted.status, 0, trusted.stderr);
    assert.equal((await fetchHead()).height, await bitcoin.height());
    await changed.close();
  } finally {
    await watched.close();
  }
});

test("a transaction's block is waited for when the server shows it after its node", async (t) => {
  const late = await startElectrumServer(node.url);
  t.after(() => late.close());
  const [adapter] = openNetwork([late.url]).all();
  const { address } = adapter!.deriveAddress(78);
  const txid = await bitcoin.sendTo(address, "0.001");
  await adapter!.fetchHead();
  late.freeze(true);
  const [blockHash] = await bitcoin.mine(4);
  const asked = late.calls.length;
  const status = adapter!.fetchTransactionStatus(txid);
  const waits = until("the reader to ask for the header again", async () =>
    late.calls.slice(asked).some(({ method }) => method === "blockchain.headers.subscribe"),
  );
  await Promise.race([status, waits]);
  late.freeze(false);
  const blockHeight = (await bitcoin.height()) - 3;
  assert.deepEqual(await status, { kind: "confirmed", blockHeight, blockHash });
});

test("dogecoin, whose headers cannot be checked, is not read from Electrum servers", () => {
  assert.throws(
    () =>
      openElectrumReader(
        { network: "dogecoin", rpcUrls: ["electrum+tls://a.example:50002"] } as never,
        { family: NETWORKS.dogecoin.utxo } as never,
        {},
      ),
    /dogecoin cannot be read from Electrum servers/,
  );
});

test("our server answers in the shape of the recorded one", async () => {
  const file = new URL("../../chains/recorded/electrum-e-x-1.20.0.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Record<string, Recorded> };
  const opened = await startElectrumServer(node.url);
  const connect = () =>
    openLineConnection(parseElectrumUrl(opened.url)!, {
      name: "test",
      timeoutMs: 10_000,
      connectMs: 10_000,
      checkCertificate: async () => null,
      onRequest: () => {},
      onNotification: () => {},
      onClose: () => {},
    });
  const address = "bcrt1qmtgcvc8e3l5c72wzvyv2derkf9vvegn74f2ge0";
  const paid = await bitcoin.sendTo(address, "0.1");
  await bitcoin.mine();
  const mined = await bitcoin.height();
  const waiting = await bitcoin.sendTo(address, "0.1");
  await until("the server to know it", async () => {
    const probe = await connect();
    await probe.call("server.version", ["x", "1.4"]);
    const known = await probe.call("blockchain.transaction.get_merkle", [paid, mined]);
    probe.close(new NodeError("unreachable", "done"));
    return known.ok;
  });
  /** What was asked there, asked about what is here. */
  const here: Record<string, readonly unknown[]> = {
    "merkle-confirmed": [paid, mined],
    "merkle-wrong-height": [paid, mined - 1],
    "tx-raw-unconfirmed": [waiting],
    "block-headers-beyond": [mined - 1, 5],
  };
  const greeted = ["before-version", "version-too-new"];
  for (const [name, { method, params, answer }] of Object.entries(cases)) {
    const isAsked =
      !/^\(/.test(method) &&
      !["history-too-large", "node-down-transaction", "child-in-mempool-history"].includes(name);
    if (!isAsked) continue;
    const connection = await connect();
    const version = /-1\.4$/.test(name) ? "1.4" : ["1.4", "1.6"];
    if (!greeted.includes(name) && !/^version-[1r]/.test(name)) {
      await connection.call("server.version", ["x", version]);
    }
    const ours = await connection.call(method, here[name] ?? params);
    connection.close(new NodeError("unreachable", "done"));
    if (answer.error) assert.equal(ours.ok ? "no error" : ours.code, answer.error.code, name);
    else if (/^unused/.test(name)) assert.ok(ours.ok, name);
    else assert.deepEqual(ours.ok ? shapeOf(ours.result) : ours.message, shapeOf(answer.result), name);
  }
  await bitcoin.mine();
  await opened.close();
});
