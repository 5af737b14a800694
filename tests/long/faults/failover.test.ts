/**
 * A web process and two workers on three PostgreSQL under Patroni, whose primary crashes, is killed, freezes, loses its network and its disk's
 * space under the load of a shop, its customers on three chains and its withdrawals, which a signer pays. Every answer that they got holds
 * afterwards, and nothing happened twice.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { isDatabaseUnavailable, PostgresClient } from "#lib/platform/db/availability.ts";
import { switchCluster } from "#tests/support/database.ts";
import { report } from "#tests/support/fault-audit.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { type FaultStack, type MinedChain, openFaultStack } from "#tests/support/fault-stack.ts";
import { type PatroniCluster, type PatroniNode, startPatroni } from "#tests/support/patroni.ts";
import { ACCOUNT_KEY } from "#tests/support/signer-world.ts";
import { until } from "#tests/support/until.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";
import { type Receiver, startReceiver } from "#tests/unit/domain/webhooks/receiver.ts";
import { type Asker, openAsker, WITHDRAWN } from "./failover-load.ts";
import { openSupervisedSigner } from "./failover-signer.ts";
import { openBitcoinChain } from "./fault-bitcoin.ts";
import { openTronChain } from "./fault-tron.ts";
import { type Order, openShop, type ShopLoad } from "./shop-load.ts";

const PAGES = LONG ? 500 : 10;
/**
 * The time that the program itself may need once a primary is there again: HAProxy's check and a refused connection or two. A short run shares
 * its processors with other tests, whose turns count too.
 */
const PROGRAM_MS = LONG ? 15_000 : 60_000;
/** The time that a query waits for a machine that has vanished: 15 s, and something for a busy machine. Without that limit it waits for minutes. */
const VANISHED_MS = LONG ? 20_000 : 60_000;
/** The longest time without an answer: Patroni's lease of 20 s, the smallest that it accepts, and the choice of another primary. */
const OUTAGE_MS = 30_000;
/** A crashed PostgreSQL is replaced at once, a machine that is gone, hangs or is cut off when its lease of 20 s ends. */
const KINDS = ["killPostgres", "kill", "freeze", "cut", "fill"] as const;
type Kind = (typeof KINDS)[number];
const FAILOVERS = Number(process.env.FAILOVERS ?? (LONG ? 20 : KINDS.length));

/** The fault of a primary, and its way back. Patroni starts a crashed PostgreSQL by itself. */
const FAULTS: Readonly<Record<Kind, readonly [fail: Act, comeBack: Act]>> = {
  killPostgres: [(primary) => primary.killPostgres(), () => {}],
  kill: [(primary) => primary.kill(), (former) => former.start()],
  freeze: [(primary) => primary.freeze(), (former) => former.thaw()],
  cut: [cutOff, (former) => former.heal()],
  fill: [fillDisk, (former) => former.empty()],
};
type Act = (node: PatroniNode) => unknown;

let cluster: PatroniCluster;
let switchBack: () => void;
let stack: FaultStack;
let receiver: Receiver;
let shop: ShopLoad;
let asker: Asker;
let signer: Awaited<ReturnType<typeof openSupervisedSigner>>;
/** Orders whose customers keep their pages open through every failover, and pay at the very end. */
let patient: readonly Order[] = [];
let closeOthers: () => Promise<unknown>;
let others: readonly MinedChain[] = [];
const outages: Partial<Record<Kind, number>> = {};
const startedAt = Date.now();

before(async () => {
  cluster = await startPatroni();
  switchBack = switchCluster(cluster.urls.primary);
  const [bitcoin, tron] = await Promise.all([openBitcoinChain(), openTronChain()]);
  closeOthers = () => Promise.all([bitcoin.close(), tron.close()]);
  others = [bitcoin, tron];
  stack = await openFaultStack(await openEvmChain({ accountKey: ACCOUNT_KEY }), undefined, [bitcoin, tron]);
  signer = await openSupervisedSigner(stack);
  receiver = await startReceiver();
  await stack.tell(receiver);
  const port = await choosePort(0);
  const extra = {
    RATE_LIMIT: "10000/10000",
    SOCKETS_PER_ADDRESS: "5000",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  };
  const direct = stack.env.DATABASE_URL ?? "";
  const pooled = Object.assign(new URL(cluster.urls.pooled), { pathname: new URL(direct).pathname }).href;
  const web = { ROLES: "web", PORT: String(port), DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct };
  await stack.startWorker({ ...extra, ...web });
  await stack.startWorker({ ...extra, ROLES: "worker" });
  await stack.startWorker({ ...extra, ROLES: "worker" });
  const origin = `http://127.0.0.1:${port}`;
  shop = openShop(origin, stack.apiKey, stack.chain, bitcoin, tron);
  asker = openAsker(origin, stack.apiKey);
  const opened: Order[] = [];
  while (opened.length < PAGES) opened.push(...(await Promise.all([shop.order(), shop.order()])));
  patient = opened;
});
after(async () => {
  await Promise.all([shop?.stop(), asker?.stop(), signer?.stop()]);
  for (const { page } of shop?.orders ?? []) page.close();
  await stack?.close();
  await closeOthers?.();
  await receiver?.close();
  switchBack?.();
  await cluster?.stop();
});

test("PgBouncer lets no query reach a standby", async () => {
  const standby = new pg.Client({ connectionString: cluster.urls.replicas });
  await standby.connect();
  const { rows } = await standby.query("select pg_is_in_recovery() as is_standby");
  assert.deepEqual(rows, [{ is_standby: true }]);
  await standby.end();
  // As the program connects to PgBouncer.
  const connectionString = Object.assign(new URL(cluster.urls.pooled), { pathname: "/standby" }).href;
  const pooled = new PostgresClient({
    connectionString,
    acceptsStandby: true,
    connectionTimeoutMillis: 30_000,
  });
  const ask = async () => {
    await pooled.connect();
    await pooled.query("select 1");
  };
  await assert.rejects(ask(), (error) => isDatabaseUnavailable(error));
});

test(`the primary fails ${FAILOVERS} times, and everything continues by itself`, async () => {
  await queryPrimary("create table strays (node text)");
  for (let i = 0; i < FAILOVERS; i++) {
    const kind = KINDS[i % KINDS.length] ?? "kill";
    const former = await cluster.primary();
    asker.takeLongestOutageMs();
    const [fail, comeBack] = FAULTS[kind];
    await fail(former);
    const next = await until("another primary", () => findOther(former));
    const served = asker.figures.answered;
    const since = performance.now();
    await until("requests to succeed", () => asker.figures.answered > served + 1);
    const programMs = performance.now() - since;
    assert.ok(programMs < PROGRAM_MS, `${kind}: ${Math.round(programMs)} ms after ${next.name} was primary`);
    outages[kind] = Math.max(outages[kind] ?? 0, asker.takeLongestOutageMs());
    await comeBack(former);
    const made = shop.orders.length;
    await until("orders to be made", () => shop.orders.length > made);
    await cluster.settled();
    assert.notEqual(await cluster.primary(), former);
    await assert.rejects(write(former), /read-only transaction/);
    if (kind !== "cut") continue;
    const { isConfirmed, waitedMs } = await afterCut;
    assert.equal(isConfirmed, false);
    assert.ok(Math.max(...waitedMs) < VANISHED_MS, waitedMs.join());
  }
  assert.deepEqual((await queryPrimary("select node from strays")).rows, []);
  const failures = shop.failures.filter(
    (failure) => !/: (?:HTTP )?503\b/.test(failure) && !isGivenUp(failure),
  );
  assert.deepEqual([...asker.unexpected, ...failures], []);
});

/** True if the shop itself gave up after its 20 s: a request can be in a server that hangs. The asker waits longer. */
const isGivenUp = (failure: string) => failure.includes("TimeoutError");

/**
 * PostgreSQL refuses what needs space, and remains the primary: it cannot even stop by itself. The guard of the manual, which looks at the disk
 * of each machine, ends it at once.
 */
async function fillDisk(former: PatroniNode): Promise<void> {
  const countRefused = () => asker.figures.retried + shop.figures.retried;
  const refused = countRefused();
  former.fill();
  await until("requests to be refused", () => countRefused() > refused);
  former.killPostgres();
}

/** Whether a primary that was cut off confirmed a write, and the time that queries waited for it. */
let afterCut: Promise<{ isConfirmed: boolean; waitedMs: number[] }>;

/** One query is under way when the network is cut, and another one is sent afterwards, both without HAProxy. A program on the machine writes. */
async function cutOff(primary: PatroniNode): Promise<void> {
  const [early, late] = [await connectTo(primary), await connectTo(primary)];
  const waits = [waitForOutage(early, "select pg_sleep(600)")];
  await primary.cut();
  waits.push(waitForOutage(late, "select 1"));
  const written = primary.query(`insert into strays values ('${primary.name}')`).then(
    () => true,
    () => false,
  );
  afterCut = Promise.all([written, Promise.all(waits)]).then(([isConfirmed, waitedMs]) => ({
    isConfirmed,
    waitedMs,
  }));
}

async function connectTo({ url }: PatroniNode): Promise<PostgresClient> {
  const client = new PostgresClient({ connectionString: url });
  await client.connect();
  return client;
}

/** The milliseconds until the query fails as that of an unavailable database. */
async function waitForOutage(client: PostgresClient, query: string): Promise<number> {
  const since = performance.now();
  const error = await client.query(query).then(
    () => null,
    (reason: Error) => reason,
  );
  return isDatabaseUnavailable(error) ? performance.now() - since : Number.POSITIVE_INFINITY;
}

async function queryPrimary(query: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: cluster.urls.primary });
  await client.connect();
  return client.query(query).finally(() => client.end());
}

async function findOther(former: PatroniNode): Promise<PatroniNode | null> {
  const primary = await cluster.primary();
  return primary === former ? null : primary;
}

async function write({ url }: PatroniNode): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create table written ()").finally(() => client.end());
}

test("nothing is lost or doubled: links, payments, withdrawals, events and pages", async () => {
  await Promise.all([shop.stop(), asker.stop()]);
  for (const { pay } of patient) await pay();
  await until("every withdrawal to be completed", isEachPaid, { withinMs: 120_000 });
  await signer.stop();
  const paid = await stack.chain.received([DESTINATION.toLowerCase()]);
  const audit = await stack.audit(
    others,
    paid.reduce((sum, { amount }) => sum + amount, 0n),
  );
  const links = new Map(
    (await rowsOf("select refid, state, version::int from payment_links")).map((row) => [row.refid, row]),
  );
  const outdated = () =>
    shop.orders.filter(({ refid, page }) => page.version() !== links.get(refid)?.version);
  await until("every page to show the last version", () => outdated().length === 0);
  const withdrawals = await rowsOf("select refid from withdrawals");
  const events = await listDelivered();
  const arrived = new Set(receiver.received.map(({ id }) => id));
  const lost = events.filter((id) => !arrived.has(id)).length;
  report(
    "failover",
    audit,
    {
      failovers: FAILOVERS,
      requests: shop.figures.requests + asker.figures.requests,
      "of them retried": shop.figures.retried + asker.figures.retried,
      "without an answer in 20 s": shop.failures.filter(isGivenUp).length,
      ...Object.fromEntries(
        Object.entries(outages).map(([kind, ms]) => [`ms the longest outage of ${kind}`, Math.round(ms)]),
      ),
      links: links.size,
      pages: shop.orders.length,
      withdrawals: withdrawals.length,
      "paid by the signer": paid.length,
      "starts of the signer": signer.starts(),
      events: events.length,
      "events lost": lost,
      "sent again": receiver.received.length - arrived.size,
    },
    startedAt,
  );
  assert.equal(lost, 0);
  // A short run shares its processors with other tests, also those of Patroni.
  if (LONG) assert.ok(Object.values(outages).every((ms) => ms < OUTAGE_MS));
  assert.deepEqual([links.size, audit.payments], [shop.orders.length, shop.orders.length]);
  assert.ok([...links.values()].every(({ state }) => state === "completed"));
  const refidsOf = (rows: readonly { refid: string }[]) => rows.map(({ refid }) => refid).sort();
  assert.deepEqual(refidsOf(withdrawals), [...asker.withdrawals].sort());
  assert.ok(withdrawals.length > 0);
  assert.deepEqual(
    paid.map(({ amount }) => amount),
    withdrawals.map(() => WITHDRAWN.units),
  );
});

/** True once the signer has paid every withdrawal, and a worker has seen that. */
async function isEachPaid(): Promise<boolean> {
  await stack.chain.mine();
  return (await rowsOf("select refid from withdrawals where status <> 3 limit 1")).length === 0;
}

async function rowsOf(query: string) {
  return (await stack.pool.query<{ refid: string; state: string; version: number }>(query)).rows;
}

/** All events, when no delivery is due any more. */
async function listDelivered(): Promise<string[]> {
  const countDue = () =>
    rowsOf("select id::text as refid from webhook_deliveries where status = 'due' limit 1");
  await until("every delivery to be made", async () => (await countDue()).length === 0);
  const { rows } = await stack.pool.query<{ id: string }>("select 'evt_' || id as id from webhook_events");
  return rows.map(({ id }) => id);
}
