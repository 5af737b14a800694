/** Bitcoin from Electrum servers, through the watcher into the ledger. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { openElectrumReader } from "#lib/chains/electrum/electrum-reader.ts";
import { openLineConnection } from "#lib/chains/electrum/line-connection.ts";
import { parseElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openCertificateStore } from "#lib/domain/deposits/watch/node-certificates.ts";
import { createWatchContext, openAddressBook } from "#lib/domain/deposits/watch/watch-network.ts";
import { CERTIFICATES } from "#tests/support/electrum-certificates.ts";
import { electrumNetwork, openElectrumWorld, watchElectrum } from "#tests/support/electrum-world.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { until } from "#tests/support/until.ts";
import { log } from "#tests/support/watched-network.ts";

const world = await openElectrumWorld();
const { bitcoin, server } = world;
after(() => server.close());

test("a server that hides every payment hides nothing while another one is honest", async (t) => {
  const liar = await world.fake(t, async ({ method }) => {
    if (method === "blockchain.scripthash.get_history") return [];
    return method === "blockchain.scripthash.subscribe" ? null : undefined;
  });
  const watched = await world.watch(t, liar, server);
  const due = await watched.pay();
  await watched.depositsAre(["seen"]);
  await watched.credited(due);
  assert.ok(liar.calls.some(({ method }) => method === "blockchain.scripthash.subscribe"));
});

test("a payment that is found below the cursor is recorded", async (t) => {
  const watched = await world.watch(t, server);
  const { address } = watched.adapter.addresses.derive(0);
  await bitcoin.sendTo(address, "0.001");
  const [hash] = await bitcoin.mine(6);
  const tip = await bitcoin.tip();
  await until("the cursor above it", async () => (await watched.cursor())?.hash === tip);
  assert.deepEqual(await watched.deposits(), []);
  const allocated = await watched.address();
  assert.equal(allocated.address, address);
  const [deposit] = await watched.depositsAre(["credited"]);
  assert.equal(deposit!.blockHash, hash);
  assert.equal(await watched.balance(), 100_000n);
  assert.deepEqual((await watched.ledger()).problems, []);
});

test("late transfers are listed until they are recorded", async () => {
  const [adapter] = electrumNetwork([server.url]).all();
  const { address } = adapter!.addresses.derive(77);
  const txid = await bitcoin.sendTo(address, "0.002");
  await bitcoin.mine();
  const height = await bitcoin.height();
  const ours = async (all: readonly string[]) => new Set(all.filter((one) => one === address));
  await until("the server to know the block", () =>
    adapter!.blocks.fetchHead().then((head) => head.height === height),
  );
  const entry = { id: 1, address };
  let known: readonly (typeof entry)[] = [];
  adapter!.addressWatch!.watch({
    listBefore: async () => known,
    listAfter: async () => [],
    listPaidAbove: async () => [],
    listDue: async () => [],
    findRecordedBlocks: async () => new Map(),
    findSetAside: async () => new Set(),
  });
  const scanned = await adapter!.blocks.scan({ from: height, to: height }, ours);
  assert.deepEqual([scanned.transfers, scanned.tipHash], [[], await bitcoin.tip()]);
  known = [entry];
  const late = await until("the late transfer", async () => {
    await adapter!.mempool!.readStep({ ours, wanted: async () => [], block: null, lookEveryMs: 0 });
    const found = await adapter!.late!.list(height, ours);
    return found.transfers.length > 0 ? found : null;
  });
  assert.deepEqual(
    late.transfers.map(({ txHash, block }) => [txHash, block?.height]),
    [[txid, height]],
  );
  assert.equal((await adapter!.late!.list(height, ours)).transfers.length, 1);
  late.done();
  assert.deepEqual((await adapter!.late!.list(height, ours)).transfers, []);
});

test("the address of a link is named before the link can end, however many are newer", async (t) => {
  const watched = await watchElectrum(electrumNetwork([server.url]));
  t.after(watched.close);
  const { address } = await watched.link(10);
  const { database } = watched.database;
  const { paymentLinks, adapter } = watched;
  const context = createWatchContext({ database, paymentLinks, log }, adapter);
  const dueAt = async (now: Date) =>
    (await openAddressBook({ ...context, now: () => now }).listDue(10)).map((one) => one.address);
  const { rows } = await database.pool.query("select next_check_at as at from payment_links");
  const at = new Date(rows[0].at).getTime();
  assert.deepEqual(await dueAt(new Date(at - 601_000)), []);
  assert.deepEqual(await dueAt(new Date(at - 599_000)), [adapter.addresses.canonicalize(address)]);
});

test("a server is known by its first certificate, and by another one only after it was accepted", async (t) => {
  const [first, second] = CERTIFICATES;
  const watched = await watchElectrum(electrumNetwork([server.url]));
  t.after(watched.close);
  const certificates = openCertificateStore(watched.db);
  const before = await world.serve(t, { tls: first });
  const { port } = new URL(before.url);
  const fetchHead = () => electrumNetwork([before.url], { log, certificates }).all()[0]!.blocks.fetchHead();
  assert.equal((await fetchHead()).height, await bitcoin.height());
  assert.equal((await fetchHead()).height, await bitcoin.height());
  const unsigned = electrumNetwork([before.url]).all()[0]!;
  await assert.rejects(unsigned.blocks.fetchHead(), /its certificate is of no public authority/);
  await before.close();
  const changed = await world.serve(t, { tls: second, port: Number(port) });
  const asked = changed.calls.length;
  const message =
    /certificate changed from [0-9a-f]{64} to [0-9a-f]{64}: .*paylink node trust bitcoin 127\.0\.0\.1:\d+/;
  await assert.rejects(fetchHead(), { name: "NodeError", message });
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
});

test("dogecoin, whose headers cannot be checked, is not read from Electrum servers", () => {
  const config = { network: "dogecoin", rpcUrls: ["electrum+tls://a.example:50002"] } as never;
  const data = { family: NETWORKS.dogecoin.utxo } as never;
  assert.throws(() => openElectrumReader(config, data, {}), /dogecoin cannot be read from Electrum servers/);
});

/** A call to a recorded server, and its answer. */
interface Recorded {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: { readonly result?: unknown; readonly error?: { readonly code: number } };
}

/** The types of a value, and the form of its texts. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === "string")
    return /^[0-9a-f]{64}$/.test(value) ? "hash" : /^[0-9a-f]*$/.test(value) ? "hex" : "text";
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  // The fee of a waiting transaction is not read.
  const fields = Object.entries(value).filter(([name]) => name !== "fee");
  return Object.fromEntries(fields.toSorted().map(([name, one]) => [name, shapeOf(one)]));
}

test("our server answers in the shape of the recorded one", async (t) => {
  const file = new URL("recorded/electrum-e-x-1.20.0.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Record<string, Recorded> };
  const opened = await world.serve(t);
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
  /** The recorded requests with the transactions and heights of this chain. */
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
});
