import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { parseLinkChange } from "#lib/domain/payment-links/version-queries.ts";
import { type Crowd, openCrowd } from "../support/crowd.ts";
import { type CrowdLink, createCrowdLinks } from "../support/crowd-links.ts";
import { startTestCluster } from "../support/database.ts";
import { type Stack, startStack } from "../support/stack.ts";
import { bursts, PAID } from "./crowd-bursts.ts";
import { MEASURED, readServer, readServerAtRest } from "./crowd-server.ts";
import { storms } from "./crowd-storms.ts";
import { report } from "./report.ts";
import { sized } from "./sized.ts";

const PAGES = Number(process.env.CROWD_PAGES ?? sized(5_000, 12));
/** Blocks of 200 payments. They reach the watcher at different times between two passes. */
const BLOCKS = Number(process.env.CROWD_BLOCKS ?? sized(5, 1));
const PROCESSES = sized(4, 1);
const REST_MS = sized(15_000, 500);

/**
 * 5,000 open payment pages on one process with both roles: their cost, the time until 200 of them hear of
 *   one block that pays them all, and the time to reconnect after a cut. The pages are separate processes.
 */
export async function bench(): Promise<void> {
  await using open = new AsyncDisposableStack();
  const cluster = await startTestCluster({ durable: true });
  open.defer(() => cluster.stop());
  process.env.TEST_POSTGRES_URL = cluster.url;
  const stack = await startStack({
    ...MEASURED,
    RATE_LIMIT: "999999/999999",
    SOCKETS_PER_ADDRESS: "1000000",
    QUOTE_MINUTES: "120",
    LOG_LEVEL: "warn",
  });
  open.defer(() => stack.close());
  const crowd = openCrowd(PROCESSES);
  open.defer(() => crowd.close());

  const pages = await createCrowdLinks(stack, PAGES);
  await warmUp(stack, pages);
  await openAll(stack, crowd, pages);
  const changes = await listen(stack);
  open.defer(() => changes.close());
  await bursts(stack, crowd, pages.slice(0, BLOCKS * PAID), changes.at);
  await storms(stack, crowd, pages.slice(BLOCKS * PAID));
}

/** Visitors meet a server that has been running for a while. */
async function warmUp(stack: Stack, pages: readonly CrowdLink[]): Promise<void> {
  const crowd = openCrowd(1);
  await crowd.open(pages.slice(0, 300).map(({ url }) => url));
  await crowd.close();
  await stack.getLink(pages[0]?.refid ?? "");
}

async function openAll(stack: Stack, crowd: Crowd, pages: readonly CrowdLink[]): Promise<void> {
  const before = await readServerAtRest(stack);
  const started = performance.now();
  await crowd.open(pages.map(({ url }) => url));
  const seconds = (performance.now() - started) / 1_000;
  const opened = await readServer(stack);
  const after = await readServerAtRest(stack);
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const each = (bytes: number) => `${(bytes / pages.length / 1_024).toFixed(1)} KiB`;
  report(`${pages.length} pages opened in`, `${seconds.toFixed(1)} s`);
  report("server's CPU for it", `${(opened.cpuSeconds - before.cpuSeconds).toFixed(1)} s`);
  report("resident memory before / after", `${mib(before.residentBytes)} / ${mib(after.residentBytes)} MiB`);
  report("resident memory, each open page", each(after.residentBytes - before.residentBytes));
  report("heap in use before / after", `${mib(before.heapBytes)} / ${mib(after.heapBytes)} MiB`);
  report("heap in use, each open page", each(after.heapBytes - before.heapBytes));
  const idle = await readServer(stack);
  await pause(REST_MS);
  const later = await readServer(stack);
  report(
    "CPU at rest, of one core",
    `${(((later.cpuSeconds - idle.cpuSeconds) / (REST_MS / 1_000)) * 100).toFixed(0)} %`,
  );
  report("event loop at rest, p99", `${later.loopDelayP99Ms.toFixed(0)} ms`);
}

/** When PostgreSQL announced each change, on our own connection: right after the commit. */
async function listen(stack: Stack) {
  const at = new Map<string, number>();
  const client = new pg.Client({ connectionString: stack.db.url });
  await client.connect();
  client.on("notification", ({ payload = "" }) => {
    const change = parseLinkChange(payload);
    if (change !== null) at.set(`${change.refid}:${change.version}`, Date.now());
  });
  await client.query("listen paylink_links");
  return { at, close: () => client.end() };
}
