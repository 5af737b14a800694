import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import pino from "pino";
import { NETWORKS } from "#lib/chains/networks.ts";
import { nodeCounters } from "#lib/chains/node-metrics.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { createNodeProbe } from "#lib/domain/nodes/probe-nodes.ts";
import { nodeProbes } from "#lib/domain/nodes/tables.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { readNetworks } from "#lib/server/network-config.ts";
import { openMetrics } from "#lib/web/operations/metrics.ts";
import { deployUsdt, mine, startAnvil } from "#tests/support/anvil.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { aMerchant, anAddress } from "#tests/support/unmatched.ts";
import { readDecisions } from "./decisions.ts";

const { accounts } = createWallet();
const keyOf = (env: "live" | "test", network: string) =>
  accounts.find((one) => one.env === env && one.network === network)!.xpub;
const NOWHERE = "http://127.0.0.1:1";

const t = await databaseOfFile();
const anvil = await startAnvil({ chainId: 97, automine: false });
const usdt = await deployUsdt(anvil.url);
after(() => anvil.stop());

type Variables = Record<string, string>;
const cliOf = (env: Variables = {}) => openTestCli(() => ({ DATABASE_URL: t.url, ...env }));
const networks = (env: Variables) => cliOf(env).answer<Row[]>("networks");
const findRow = (rows: readonly Row[], env: string, network = "bep20") =>
  rows.find((row) => row.env === env && row.network === network);

const onAnvil = () => ({
  TEST_BEP20_RPC_URL: anvil.url,
  TEST_BEP20_XPUB: keyOf("test", "bep20"),
  TEST_BEP20_USDT_CONTRACT: usdt,
});

const OFF = {
  on: false,
  confirmations: null,
  node_height: null,
  watched_height: null,
  lag_blocks: null,
  highest_index: null,
  error: null,
  mempool_error: null,
  warning: null,
  gap: null,
  nodes: [],
  pool: null,
};

test("networks lists every network of both environments, and shows unconfigured ones as off", async () => {
  const rows = await networks({});
  assert.deepEqual(
    rows.map(({ env, network }) => `${env} ${network}`),
    ["live", "test"].flatMap((env) => Object.keys(NETWORKS).map((code) => `${env} ${code}`)),
  );
  const empty = { size: 0, left: 0, level: "empty" };
  for (const { env: _env, network, ...row } of rows) {
    assert.deepEqual(row, network === "solana" ? { ...OFF, pool: empty } : OFF);
  }
});

test("networks --on shows only networks that are on, --env one environment, --table the columns that matter", async () => {
  const cli = cliOf(onAnvil());
  const on = await cli.answer<Row[]>("networks --on");
  assert.deepEqual(
    on.map(({ env, network }) => `${env} ${network}`),
    ["test bep20"],
  );
  assert.deepEqual(await cli.answer("networks --on --env live"), []);
  const { stdout } = await cli.run("networks --env test --table");
  const [head, ...rows] = stdout.trimEnd().split("\n");
  const columns = "env network on node_height watched_height lag_blocks highest_index gap error warning";
  assert.equal(head!.replace(/ +/g, " "), columns);
  assert.equal(rows.length, Object.keys(NETWORKS).length);
  assert.match(rows.find((row) => row.includes("bep20"))!, /^test +bep20 +yes +[0-9]+ +- +- +- +- +- +-$/);
});

test("networks shows the confirmations in use in the form of their setting", async () => {
  const rows = await networks({
    ...onAnvil(),
    TEST_BITCOIN_RPC_URL: NOWHERE,
    TEST_BITCOIN_XPUB: keyOf("test", "bitcoin"),
    TEST_BITCOIN_CONFIRMATIONS: " 50:2,*:8",
    TEST_LITECOIN_RPC_URL: NOWHERE,
    TEST_LITECOIN_XPUB: keyOf("test", "litecoin"),
  });
  const on = rows.filter((row) => row.on === true).map((row) => [row.network, row.confirmations]);
  assert.deepEqual(on, [
    ["bitcoin", "50:2, *:8"],
    ["bep20", "finalized"],
    ["litecoin", "100:6, 10000:12, *:24"],
  ]);
});

test("shows the height or error of each node, and no height for one of another chain", async () => {
  const stranger = await startAnvil({ chainId: 1 });
  await mine(stranger.url, 500);
  const urls = [`${NOWHERE}/secret`, stranger.url, anvil.url];
  const row = findRow(await networks({ ...onAnvil(), TEST_BEP20_RPC_URL: urls.join(",") }), "test")!;
  await stranger.stop();
  const nodes = row.nodes as { node: string; height: number | null; error: string | null }[];
  const height = nodes[2]!.height!;
  assert.deepEqual(
    nodes.map(({ node }) => node),
    urls.map((url) => new URL(url).host),
  );
  assert.match(nodes[0]!.error!, /^127\.0\.0\.1:1 does not answer/);
  assert.match(nodes[1]!.error!, /of chain 1, not of 97/);
  const untried = { missing: null, probed_at: null };
  assert.deepEqual(nodes[2], { node: new URL(anvil.url).host, ...untried, height, error: null });
  assert.equal(row.node_height, height);
  assert.ok(height < 500);
  assert.equal(row.error, null);
});

test("node probe says what a node can do and what it lacks, also of one that is not configured", async () => {
  const url = `${anvil.url}/?key=secret-key`;
  const cli = cliOf({ ...onAnvil(), TEST_BEP20_RPC_URL: url });
  const good = await cli.run("node probe bep20 --env test");
  assert.equal(good.status, 0, good.stderr);
  assert.ok((good.json() as { ok: boolean }[]).every(({ ok }) => ok));
  assert.match(good.stderr, /^127.0.0.1:[0-9]+ can be used$/m);
  assert.match(good.stderr, /^about 632,000 calls a day .7.3 a second. .* 255,000 while none is;/m);
  const other = await cli.run(`node probe base ${url} --env test`);
  assert.equal(other.status, 1);
  assert.match(other.stderr, /^MISSING .*eth_chainId.*chain 97, not of 84532/m);
  assert.match(other.stderr, /cannot be used. Missing: proof that this is the right chain/);
  assert.doesNotMatch(good.stdout + good.stderr + other.stdout + other.stderr, /secret-key/);
});

test("networks and the metrics repeat what a worker found missing", async () => {
  const fake = await startFakeNode(anvil.url);
  fake.twist = ({ method }) => {
    if (method === "eth_getLogs") throw new Error("the method is not available on your plan");
  };
  const configured = { ...onAnvil(), TEST_BEP20_RPC_URL: fake.url };
  const registry = openNetworks(readNetworks(configured).networks);
  const probe = createNodeProbe({ db: t.db, networks: registry, log: pino({ level: "silent" }) });
  await probe(new Date(), new AbortController().signal);
  await fake.close();
  const [node] = findRow(await networks(configured), "test")!.nodes as { missing: string[] }[];
  assert.match(node!.missing.join(), /^eth_getLogs of one block by its hash: .*not available on your plan/);
  const metrics = await openMetrics({ database: t.database, networks: registry }).text();
  const host = new URL(fake.url).host;
  const series = `paylink_node_missing{env="test",network="bep20",node="${host}"} ${node!.missing.length}`;
  assert.ok(metrics.split("\n").includes(series));
  await t.db.delete(nodeProbes);
});

/** Answers each request with 403 and the headers that it got. */
async function startEcho() {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    received.push(headers);
    response.writeHead(403).end(`no access: ${JSON.stringify(headers)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, stop: () => server.close() };
}

test("each node gets its own headers only, and their keys are in no log, error, command or metric", async (context) => {
  const nodes = [await startEcho(), await startEcho()];
  for (const { stop } of nodes) context.after(stop);
  const configured = {
    ...onAnvil(),
    TEST_BEP20_RPC_URL: nodes.map(({ url }) => url).join(),
    TEST_BEP20_RPC_HEADERS: "X-Api-Key: first-key-0123,Authorization: Bearer second-key-0123",
  };
  const said: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => said.push(line) });
  const registry = openNetworks(readNetworks(configured).networks, { log, counters: nodeCounters });
  const head = registry.find("test", "bep20")!.blocks.fetchHead();
  const error = await head.then(() => assert.fail("it answered"), String);
  await createNodeProbe({ db: t.db, networks: registry, log })(new Date(), new AbortController().signal);
  const before = nodes.map(({ received }) => received.length);
  const { stdout, stderr } = await cliOf(configured).run("networks");
  for (const [i, { received }] of nodes.entries()) assert.ok(received.length > before[i]!);
  const metrics = await openMetrics({ database: t.database, networks: registry }).text();
  said.push(error, stdout, stderr, metrics);
  await t.db.delete(nodeProbes);
  assert.match(error, /no access.*no access/s, "the nodes repeated what they got");
  assert.ok(said.length > 4);
  for (const text of said) assert.doesNotMatch(text, /(first|second)-key/i);
  const keys = nodes.map(({ received }) => [
    ...new Set(received.map((headers) => `${headers["x-api-key"]} ${headers.authorization}`)),
  ]);
  assert.deepEqual(keys, [["first-key-0123 undefined"], ["undefined Bearer second-key-0123"]]);
});

test("shows what prevents a watcher's first pass", async () => {
  const error = "unreachable: the node was dead from the start";
  const first = { env: "test" as const, network: "bep20" as const };
  await t.db.insert(watchCursors).values({ ...first, height: -1, hash: "", nodeHeight: -1, error });
  const rows = await networks(onAnvil());
  await t.db.delete(watchCursors);
  assert.partialDeepStrictEqual(findRow(rows, "test"), {
    on: true,
    watched_height: null,
    lag_blocks: null,
    error,
  });
});

test("shows blocks that were never read until the operator accepts the gap", async () => {
  const scope = { env: "live" as const, network: "xrp" as const };
  await t.db
    .insert(watchCursors)
    .values({ ...scope, height: 20, hash: "AB", nodeHeight: 20, gapFrom: 11, gapTo: 20 });
  const shown = async () => findRow(await networks({}), "live", "xrp")?.gap;
  const gap = { from: 11, to: 20 };
  assert.deepEqual(await shown(), gap);
  const cli = cliOf();
  assert.deepEqual(await cli.answer("networks accept-gap xrp"), { ...scope, accepted: gap });
  assert.equal(await shown(), null);
  await cli.refuses({
    "networks accept-gap xrp": "no blocks of this network were left out: see `networks`",
  });
  await t.db.update(watchCursors).set({ env: "test", gapFrom: 11, gapTo: 20 });
  const accepted = await cli.answer("networks accept-gap xrp --env test");
  assert.deepEqual(accepted, { ...scope, env: "test", accepted: gap });
  const [, ...others] = await readDecisions(t.db);
  assert.deepEqual(
    others.map(({ subject }) => subject),
    ["network:test:xrp"],
  );
  const recorded = (await readDecisions(t.db)).slice(0, 1).map(({ actor: _, ...entry }) => entry);
  const subject = "network:live:xrp";
  assert.deepEqual(recorded, [{ action: "network.accept_gap", subject, details: gap }]);
  await t.db.delete(watchCursors);
});

test("networks shows the node's height, the watcher's lag, and the highest index", async () => {
  await mine(anvil.url, 5);
  const before = findRow(await networks(onAnvil()), "test")!;
  const height = Number(before.node_height);
  assert.ok(height >= 5, JSON.stringify(before));
  const untried = { missing: null, probed_at: null };
  const nodes = [{ node: new URL(anvil.url).host, ...untried, height, error: null }];
  const read = { on: true, confirmations: "finalized", node_height: height, nodes };
  assert.deepEqual(before, { env: "test", network: "bep20", ...OFF, ...read });

  await t.db.insert(watchCursors).values({
    env: "test",
    network: "bep20",
    height: height - 2,
    hash: "0x",
    nodeHeight: height - 1,
    error: "the watcher's own trouble",
    finalizedHeight: 7,
    finalizedSince: new Date("2026-03-01T12:00:00Z"),
    finalityLate: true,
  });
  const adapter = openNetworks(readNetworks(onAnvil()).networks).find("test", "bep20")!;
  const merchantId = await aMerchant(t.db, "shop@example.com");
  for (let i = 0; i < 3; i++) await anAddress(t.db, adapter, merchantId);
  assert.deepEqual(findRow(await networks(onAnvil()), "test"), {
    env: "test",
    network: "bep20",
    on: true,
    confirmations: "finalized",
    node_height: height,
    watched_height: height - 2,
    lag_blocks: 2,
    highest_index: 2,
    error: "the watcher's own trouble",
    mempool_error: null,
    warning: "no block above 7 is final since 2026-03-01T12:00:00.000Z: nothing is credited",
    gap: null,
    nodes,
    pool: null,
  });
});

test("addresses export prints path, index and credited amounts, with addresses as wallets show them", async () => {
  const given = await t.db.select().from(addresses);
  const first = given[0]!;
  const deposit = (amount: bigint, status: "seen" | "credited", position: number) => ({
    env: "test" as const,
    network: "bep20" as const,
    token: "usdt" as const,
    merchantId: first.merchantId,
    addressId: first.id,
    txHash: "0x01",
    position,
    amount,
    status,
    requiredConfirmations: 1,
    firstSeenAt: new Date(),
  });
  await t.db
    .insert(deposits)
    .values([
      deposit(10n ** 18n, "credited", 0),
      deposit(5n * 10n ** 17n, "credited", 1),
      deposit(7n, "seen", 2),
    ]);
  const rows = await cliOf(onAnvil()).answer<{ address: string; balances: object }[]>(
    "addresses export --env test",
  );
  assert.equal(rows.length, 3);
  const checksummed = rows[0]!.address;
  assert.notEqual(checksummed, first.address);
  assert.deepEqual(rows[0], {
    env: "test",
    network: "bep20",
    address: checksummed,
    path: "m/44'/60'/1'/0/0",
    index: 0,
    balances: { usdt: "1.5" },
  });
  assert.equal(checksummed.toLowerCase(), first.address);
  assert.deepEqual(rows[1]!.balances, {});
  assert.deepEqual(await cliOf().answer("addresses export --network bep20"), []);
  await cliOf().misuses(/'bep2' is invalid/, "addresses export --network bep2");
});
