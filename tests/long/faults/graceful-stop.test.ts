/**
 * The end of a process after a stop signal: it finishes the requests under way and ends within ten seconds,
 * whatever hangs.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { type FaultStack, openFaultStack, type Worker } from "#tests/support/fault-stack.ts";
import { type OpenPage, openPage } from "#tests/support/open-page.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { until } from "#tests/support/until.ts";
import { type Receiver, startReceiver, status } from "#tests/unit/domain/webhooks/receiver.ts";
import { type Balancer, startBalancer } from "./balancer.ts";

/** Ten seconds by its own clock, and a margin for a busy machine. */
const LONGEST_MS = 15_000;
/** The time in which the test asks a process that is stopping whether it still answers. A machine may stand still for most of it. */
const DRAIN_SECONDS = "10";

interface Process extends Worker {
  readonly port: number;
}

let stack: FaultStack;
let receiver: Receiver;
/** A node that accepts every connection and never answers. */
const hungNode = createServer(() => {});
/**
 * Each process has something that hangs; `polite` has nothing, and `other` continues when the others have
 * ended.
 */
let [hanging, polite, stuck, other]: Process[] = [];
let balancer: Balancer;

before(async () => {
  stack = await openFaultStack(await openEvmChain());
  receiver = await startReceiver();
  await stack.tell(receiver);
  await once(hungNode.listen(0, "127.0.0.1"), "listening");
  const hungUrl = `http://127.0.0.1:${(hungNode.address() as AddressInfo).port}`;
  [hanging, polite, stuck] = await Promise.all([
    start({ ROLES: "web,worker", TEST_BEP20_RPC_URL: hungUrl }),
    start({ ROLES: "web", DRAIN_SECONDS }),
    start({ ROLES: "web" }),
  ]);
  // The only worker so far, so it watches.
  await until("the hung node to be watched", () => hanging!.lastSaid("watching the network") >= 0);
  other = await start({ ROLES: "web,worker" });
  balancer = await startBalancer([polite!.port, other.port]);
});
after(async () => {
  await balancer?.close();
  await stack?.close();
  await receiver?.close();
  hungNode.closeAllConnections();
  hungNode.close();
});

/** Gives a due delivery to one process while the other is stopped; its receiver hangs. */
async function hangDelivery(): Promise<void> {
  const event = { merchantId: stack.merchantId, env: "test", type: "deposit_credited" } as const;
  receiver.reply(() => {}, status(200));
  process.kill(other!.pid, "SIGSTOP");
  await stack.db.transaction((tx) =>
    emitRawEvent(tx, { ...event, dataJson: "{}", txHashes: [] }, new Date()),
  );
  await until("a delivery to hang", () => receiver.received.length === 1);
  process.kill(other!.pid, "SIGCONT");
}

async function start(env: Record<string, string>): Promise<Process> {
  const port = await choosePort(0);
  const started = await stack.startWorker({
    ...env,
    PORT: String(port),
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  });
  return { ...started, port };
}

// At the same time, because one of them takes ten seconds.
describe("stop signal", { concurrency: 2 }, () => {
  test("a process ends within ten seconds, whatever hangs, and another one continues its work", async (t) => {
    const drip = await raw(hanging!.port);
    drip.write(`POST /v1/payment-links HTTP/1.1\r\nhost: x\r\nx-staging-api-key: ${stack.apiKey}\r\n`);
    drip.write("content-type: application/json\r\ncontent-length: 1000\r\n\r\n");
    const dripping = setInterval(() => drip.write("{"), 100);
    t.after(() => clearInterval(dripping));
    await hangDelivery();
    const stoppedAt = performance.now();
    process.kill(hanging!.pid, "SIGTERM");

    await until("the other to watch", () => other!.lastSaid("watching the network") >= 0);
    assert.ok(hanging!.alive(), "it releases its work at once, not at its end");
    assert.equal(await hanging!.exited, 0);
    const took = performance.now() - stoppedAt;
    assert.ok(took < LONGEST_MS, `${took} ms`);

    await until("the other to deliver", () => receiver.received.length === 2, { withinMs: 10_000 });
    assert.equal(receiver.received[1]!.id, receiver.received[0]!.id);
    const row = "select status, attempts from webhook_deliveries where status <> 'failed'";
    const delivered = async () => (await stack.pool.query(row)).rows[0].status === "delivered";
    await until("the delivery to be written down", delivered);
    assert.equal((await stack.pool.query(row)).rows[0].attempts, 1, "the attempt broken off does not count");
  });

  describe("a process ends when only the database hangs", () => {
    test("after a stop signal a process answers open requests, moves its pages and accepts nothing new", async (t) => {
      const { port } = polite!;
      const refids = await Promise.all(Array.from({ length: 6 }, async () => (await stack.link(50)).refid));
      const pages = await Promise.all(refids.map((refid) => openPage(`${balancer.origin}/pay/${refid}`)));
      t.after(() => {
        for (const page of pages) page.close();
      });
      await until("the pages to be open at both", () => pages.every(shown) && balancer.socketsTo(port) > 0);
      const idle = await keepConnection(port);
      const silent = await raw(port);
      const { release, waiting } = await holdLinks(t);
      const slow = post(port);
      await until("the request to wait for the database", waiting);

      process.kill(polite!.pid, "SIGTERM");
      const notReady = await until("it to say that it is not ready", () => readiness(port));
      assert.deepEqual([notReady.status, notReady.headers.get("connection")], [503, "close"]);
      // Until the balancer knows, it answers requests and closes each connection.
      idle.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
      assert.match(await idle.rest(), /^HTTP\/1.1 200 OK\r\n(.*\r\n)*connection: close\r\n/i);

      await until("it to take no connection", () => refuses(port));
      assert.ok(polite!.alive(), "it waits for its last request");
      await release();
      const answer = await slow;
      assert.deepEqual([answer.status, answer.headers.get("connection")], [200, "close"]);
      assert.match(await answer.text(), /"status":"success"/);
      assert.equal(await polite!.exited, 0);
      assert.equal(await silent.rest(), "");
      const cutOff = polite!.lastSaid("connections were cut off: their requests took too long");
      assert.equal(cutOff, -1, "something was waited for that hung");

      await until("every page to be at the other", () => pages.every((page) => page.connected()), {
        withinMs: 7_000,
      });
      for (const refid of refids) await change(refid);
      await until("every page to have heard the change", async () => {
        const versions = await versionsOf(refids);
        return pages.every((page, i) => page.version() === versions[i]);
      });
    });

    test(`a query that hangs: ${LONG ? "ends after ten seconds with an exit code" : "ends at once at a second signal"}`, async (t) => {
      const { release, waiting } = await holdLinks(t);
      const cut = assert.rejects(post(stuck!.port));
      await until("the request to wait for the database", waiting);
      let lastSignalAt = performance.now();
      // One Ctrl-C under npm sends a signal twice at once. Of two equal ones a process may get one.
      process.kill(stuck!.pid, "SIGTERM");
      process.kill(stuck!.pid, "SIGINT");
      await until("it to stop", () => stuck!.lastSaid("stopping") >= 0);
      if (!LONG) {
        await pause(1_000);
        assert.ok(stuck!.alive());
        lastSignalAt = performance.now();
        process.kill(stuck!.pid, "SIGTERM");
      }
      assert.equal(await stuck!.exited, 1);
      const took = performance.now() - lastSignalAt;
      const said = LONG ? "stopping took too long: ending at once" : "SIGTERM came again: ending at once";
      await until("its log to say so", () => stuck!.lastSaid(said) > 0);
      assert.ok(took < (LONG ? LONGEST_MS : 8_000), `${took} ms`);
      await cut;
      await release();
    });
  });
});

const shown = (page: OpenPage) => page.connected() && page.version() > 0;

/** With an idempotency key it would wait for a lock for at most ten seconds. */
function post(port: number): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/v1/payment-links`, {
    method: "POST",
    headers: {
      "x-staging-api-key": stack.apiKey,
      "content-type": "application/json",
    },
    body: JSON.stringify({ ...PAYMENT_LINK, currency: "USD", amount: "25" }),
  });
}

const readiness = async (port: number) => {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return answer.ok ? null : answer;
};

const refuses = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });

/** A connection that keeps every byte that it receives. */
async function raw(port: number) {
  const socket: Socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
  });
  socket.on("error", () => {});
  const ended = once(socket, "close");
  return {
    write: (bytes: string) => socket.write(bytes),
    said: () => text,
    /** Returns what arrived since the last call, after the other side has ended the connection. */
    rest: async () => {
      await ended;
      return text;
    },
    forget: () => {
      text = "";
    },
  };
}

/** A connection that has received one response and stays open. */
async function keepConnection(port: number) {
  const connection = await raw(port);
  connection.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  await until("the first answer", () => connection.said().includes('{"status":"ok"}'));
  assert.match(connection.said(), /connection: keep-alive/i);
  connection.forget();
  return connection;
}

/** Blocks the creation of links until released, at the latest at the end of the test. */
async function holdLinks(t: TestContext) {
  const client = await stack.pool.connect();
  await client.query("begin; lock table payment_links in exclusive mode");
  let held = true;
  const release = async () => {
    if (!held) return;
    held = false;
    await client.query("rollback");
    client.release();
  };
  t.after(release);
  return {
    waiting: async () => {
      const { rows } = await stack.pool.query(
        `select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and l.relation = 'payment_links'::regclass and a.datname = current_database()`,
      );
      return rows[0].n > 0;
    },
    release,
  };
}

const versionsOf = async (refids: readonly string[]): Promise<number[]> => {
  const { rows } = await stack.pool.query<{ refid: string; version: number }>(
    "select refid, version::int from payment_links where refid = any($1)",
    [refids],
  );
  return refids.map((refid) => rows.find((row) => row.refid === refid)!.version);
};

async function change(refid: string): Promise<void> {
  await stack.pool.query(
    `with changed as (update payment_links set version = version + 1 where refid = $1 returning refid, version)
     select pg_notify('paylink_links', refid || ':' || version) from changed`,
    [refid],
  );
}
