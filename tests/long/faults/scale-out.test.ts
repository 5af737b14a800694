/**
 * Several web processes and two workers on one PostgreSQL, under the load of a shop and its customers. They
 * are replaced one by one in order, and then killed one by one.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { type Audit, report } from "#tests/support/fault-audit.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { between, LONG, random } from "#tests/support/fault-random.ts";
import { type FaultStack, openFaultStack, type Worker } from "#tests/support/fault-stack.ts";
import { until } from "#tests/support/until.ts";
import { type Receiver, type Reply, startReceiver } from "#tests/unit/domain/webhooks/receiver.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { type Order, openShop, type ShopLoad } from "./shop-load.ts";

const WEBS = LONG ? 3 : 2;
const ROLLS = LONG ? 3 : 1;
const ROUNDS = LONG ? 8 : 1;
const PATIENT = 6;
/** Longer than the balancer waits for an answer whether a process is ready. */
const DRAIN_SECONDS = 3;

interface Process {
  readonly role: "web" | "worker";
  readonly port: number;
  running: Promise<Worker>;
}

let stack: FaultStack;
let receiver: Receiver;
let balancer: Balancer;
let shop: ShopLoad;
let webs: Process[];
let workers: Process[];
const figures = { stops: 0, kills: 0 };
const startedAt = Date.now();
/** Orders whose customers keep their pages open and pay at the very end. */
let patient: readonly Order[] = [];

before(async () => {
  stack = await openFaultStack(await openEvmChain());
  receiver = await startReceiver();
  // A worker is killed with claimed deliveries; they are free again after 25 seconds.
  if (LONG) receiver.reply(slowly);
  await stack.tell(receiver);
  const ports = await Array.fromAsync({ length: WEBS }, () => choosePort(0));
  [webs, workers] = await Promise.all([
    Promise.all(ports.map((port) => begin("web", port))),
    Promise.all([begin("worker", 0), begin("worker", 0)]),
  ]);
  balancer = await startBalancer(ports);
  shop = openShop(balancer.origin, stack.apiKey, stack.chain);
});
after(async () => {
  await shop?.stop();
  for (const { page } of shop?.orders ?? []) page.close();
  await balancer?.close();
  await stack?.close();
  await receiver?.close();
});

const slowly: Reply = async (response) => {
  await pause(between(1, 1_000));
  response.writeHead(204).end();
};

async function begin(role: Process["role"], port: number): Promise<Process> {
  const running = start(role, port);
  await running;
  return { role, port, running };
}

function start(role: Process["role"], port: number): Promise<Worker> {
  return stack.startWorker({
    ROLES: role,
    ...(port === 0 ? {} : { PORT: String(port), DRAIN_SECONDS: String(DRAIN_SECONDS) }),
    RATE_LIMIT: "10000/10000",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  });
}

test("web processes are replaced one by one: no request fails, and every page continues", async () => {
  patient = await Promise.all(Array.from({ length: PATIENT }, () => shop.order()));
  await until("the pages to be open, some at each process", () => {
    return (
      patient.every(({ page }) => page.connected()) && webs.every(({ port }) => balancer.socketsTo(port) > 0)
    );
  });
  for (let roll = 0; roll < ROLLS; roll++) {
    for (const web of webs) {
      const before = shop.figures.requests;
      const process = await web.running;
      await process.stop();
      assert.equal(await process.exited, 0);
      web.running = start(web.role, web.port);
      await web.running;
      figures.stops += 1;
      await until("the balancer to use it again", () => balancer.uses(web.port));
      await until("requests to continue", () => shop.figures.requests > before + 10);
    }
  }
  assert.deepEqual(shop.failures, []);
  await until("every page to be connected", () => shop.orders.every(({ page }) => page.connected()));
  assert.ok(
    patient.every(({ page }) => page.connections() > 1),
    "every page was sent elsewhere",
  );
});

test(`each process is killed in turn, ${ROUNDS} times, and started again`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    for (const process of [...webs, ...workers]) {
      const made = shop.orders.length;
      await (await process.running).kill();
      figures.kills += 1;
      process.running = start(process.role, process.port);
      // The next one may be killed while this one is still starting.
      if (LONG && random() < 0.5) await process.running;
      // Both web processes can be down at once, so an order may wait for the start of one.
      await until("orders to be made all the same", () => shop.orders.length > made);
    }
  }
  await Promise.all([...webs, ...workers].map(({ running }) => running));
});

test("in the end every page is right, every event delivered, every payment credited once", async () => {
  await shop.stop();
  for (const { pay } of patient) await pay();
  const audit = await stack.audit();
  const { orders } = shop;
  const links = await linksInTheEnd();
  const refids = new Set(orders.map(({ refid }) => refid));
  const open = () => orders.filter(({ refid, page }) => page.version() !== links.get(refid)?.version);
  await until("every page to show the last version", () => open().length === 0, { withinMs: 20_000 }).catch(
    () => {},
  );
  const events = await eventsInTheEnd();
  const arrived = new Map<string, number>();
  for (const { id } of receiver.received) arrived.set(id, (arrived.get(id) ?? 0) + 1);
  const lost = events.filter((id) => !arrived.has(id)).length;
  const again = [...arrived.values()].reduce((sum, times) => sum + times - 1, 0);
  const complete: Audit = {
    ...audit,
    problems: [
      ...audit.problems,
      ...open().map(
        ({ refid, page }) =>
          `the page of ${refid} shows version ${page.version()}, not ${links.get(refid)?.version}`,
      ),
    ],
  };
  report(
    "scale-out",
    complete,
    {
      ...figures,
      requests: shop.figures.requests,
      "of them retried": shop.figures.retried,
      links: links.size,
      pages: orders.length,
      events: events.length,
      "events lost": lost,
      "sent again": again,
    },
    startedAt,
  );
  assert.equal(lost, 0);
  assert.ok(receiver.received.every(({ verified }) => verified));
  assert.deepEqual([links.size, refids.size], [orders.length, orders.length], "one link for each key");
  for (const { refid, page } of orders) {
    assert.deepEqual([links.get(refid)?.state, page.heading()], ["completed", "Payment complete"], refid);
  }
  assert.equal(audit.payments, orders.length);
});

async function linksInTheEnd() {
  const { rows } = await stack.pool.query<{ refid: string; state: string; version: number }>(
    "select refid, state, version::int from payment_links",
  );
  return new Map(rows.map((row) => [row.refid, row]));
}

/** Returns all events, when no delivery is due any more. */
async function eventsInTheEnd(): Promise<string[]> {
  const due = async () => {
    const { rows } = await stack.pool.query(
      "select count(*)::int as n from webhook_deliveries where status = 'due'",
    );
    return rows[0].n === 0;
  };
  await until("every delivery to be made", due, { withinMs: 60_000 });
  const { rows } = await stack.pool.query<{ id: string }>("select 'evt_' || id as id from webhook_events");
  return rows.map(({ id }) => id);
}
