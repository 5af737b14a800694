import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { emitRawEvents } from "#tests/support/emit-raw-event.ts";
import { startTestCluster, testDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";
import { merchantWithEndpoint } from "../unit/domain/webhooks/receiver.ts";
import { median } from "./load.ts";
import { percentile, report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const ROUNDS = sized(5, 1);
const REQUESTS = sized(4_000, 200);
/** The most concurrent requests to one endpoint. */
const AT_ONCE = 10;
const ENDPOINTS = 20;
const LATENCIES = sized(200, 10);
const DEAD = sized(50, 2);
const WORKER = join(import.meta.dirname, "../long/unit/domain/webhooks/worker-process.ts");
const BARE = join(import.meta.dirname, "bare-post.ts");

/**
 * Deliveries per second compared with a bare loop that posts with undici to the same receiver, in turns,
 * each in its own process, on PostgreSQL with fsync. Also the time from the commit of an event to the first
 * byte of its delivery, when idle and with endpoints that do not answer.
 */
export async function bench(): Promise<void> {
  await using open = new AsyncDisposableStack();
  const cluster = await startTestCluster({ durable: true });
  open.defer(() => cluster.stop());
  process.env.TEST_POSTGRES_URL = cluster.url;
  const { db, url, close } = await testDatabase();
  open.defer(close);
  const receiver = await startCounting();
  open.defer(receiver.close);
  const worker = fork(WORKER, [url, "15000"]);
  open.defer(async () => {
    worker.kill();
    await once(worker, "exit");
  });

  const merchant = (to: string) => merchantWithEndpoint(db, { url: to, secret: generateWebhookSecret() });
  /** Commits this many events for each endpoint. Resolves to the time just before the commit. */
  const emit = (merchantIds: readonly number[], each: number) =>
    db.transaction(async (tx) => {
      const events = merchantIds.flatMap((merchantId) =>
        Array.from({ length: each }, () => {
          const event = { merchantId, env: "test", type: "deposit_credited", dataJson: '{"n":1}' } as const;
          return { ...event, txHashes: [] };
        }),
      );
      await emitRawEvents(tx, events, new Date());
      return performance.now();
    });
  const deliver = async (merchantIds: readonly number[], requests: number) => {
    const before = receiver.seen.length;
    const committed = await emit(merchantIds, requests / merchantIds.length);
    await until("all deliveries", () => receiver.seen.length === before + requests, {
      withinMs: 300_000,
      everyMs: 1,
    });
    return requests / (((receiver.seen.at(-1) ?? 0) - committed) / 1_000);
  };

  const one = [(await merchant(receiver.url)).merchantId];
  const many: number[] = [];
  for (let n = 0; n < ENDPOINTS; n++) many.push((await merchant(receiver.url)).merchantId);
  await deliver(one, REQUESTS);
  const rates = { bare: [] as number[], one: [] as number[], many: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await barePosts(receiver.url));
    rates.one.push(await deliver(one, REQUESTS));
    rates.many.push(await deliver(many, REQUESTS));
  }
  const ratio = (of: readonly number[]) => median(of.map((rate, n) => rate / (rates.bare[n] ?? Number.NaN)));
  report(`bare loop with undici, ${AT_ONCE} at once, requests/s`, median(rates.bare).toFixed(0));
  report("webhooks to one endpoint, deliveries/s", median(rates.one).toFixed(0));
  report(`webhooks to ${ENDPOINTS} endpoints, deliveries/s`, median(rates.many).toFixed(0));
  const atLeast = (least: number, what: string, value: number) =>
    reportRatio(`webhooks to ${what}, to the bare loop`, value, { text: `>= ${least}`, met: value >= least });
  atLeast(0.2, "one endpoint", ratio(rates.one));
  atLeast(0.3, `${ENDPOINTS} endpoints`, ratio(rates.many));

  const latencies = async () => {
    const delays: number[] = [];
    for (let n = 0; n < LATENCIES; n++) {
      const before = receiver.seen.length;
      const committed = await emit(one, 1);
      await until("the delivery", () => receiver.seen.length > before, { everyMs: 1 });
      delays.push((receiver.seen[before] ?? 0) - committed);
      // The worker is idle again.
      await pause(20);
    }
    return delays;
  };
  const idle = await latencies();
  const p95 = percentile(idle, 0.95);
  report(`commit to first byte, idle, ${LATENCIES} events, p50`, `${percentile(idle, 0.5).toFixed(1)} ms`);
  report("commit to first byte, idle, p95", `${p95.toFixed(1)} ms`, { text: "<= 5 ms", met: p95 <= 5 });

  const dead = createServer(() => {});
  await new Promise<void>((resolve) => dead.listen(0, "127.0.0.1", resolve));
  open.defer(() => void dead.closeAllConnections());
  const silent = `http://127.0.0.1:${(dead.address() as AddressInfo).port}/`;
  const deadOnes: number[] = [];
  for (let n = 0; n < DEAD; n++) deadOnes.push((await merchant(silent)).merchantId);
  await emit(deadOnes, 100);
  const withSilent = await latencies();
  report(
    `the same with ${DEAD} endpoints that answer nothing, p95`,
    `${percentile(withSilent, 0.95).toFixed(1)} ms`,
  );
}

async function barePosts(url: string): Promise<number> {
  const child = fork(BARE, [url, String(REQUESTS), String(AT_ONCE)]);
  const ended = once(child, "exit");
  const [ms] = (await once(child, "message")) as [number];
  await ended;
  return REQUESTS / (ms / 1_000);
}

/** A receiver that answers at once and records when each request arrived. */
async function startCounting() {
  const seen: number[] = [];
  const server = createServer((request, response) => {
    seen.push(performance.now());
    request.resume().once("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
