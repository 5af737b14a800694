import type { IncomingMessage, ServerResponse } from "node:http";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { nodeCounters } from "#lib/chains/node-metrics.ts";
import { countAttention } from "#lib/domain/attention/queries.ts";
import { countOpenDeposits } from "#lib/domain/deposits/queries.ts";
import { watchCounters } from "#lib/domain/deposits/watch-metrics.ts";
import { mailCounter } from "#lib/domain/mail/deliver-mail.ts";
import { leftOutCounter } from "#lib/domain/mail/enqueue-mails.ts";
import { measureMails } from "#lib/domain/mail/queries.ts";
import { measureWatching } from "#lib/domain/network-status/queries.ts";
import type { WatchMeasurement } from "#lib/domain/network-status/types.ts";
import { listProbedNodes } from "#lib/domain/nodes/queries.ts";
import { countOverdueLinks } from "#lib/domain/payment-links/queries.ts";
import { addressRefusals } from "#lib/domain/wallets/address-limit-metrics.ts";
import { listPoolStatuses } from "#lib/domain/wallets/queries.ts";
import { attemptCounter } from "#lib/domain/webhooks/deliver-webhook.ts";
import { measureDeliveries } from "#lib/domain/webhooks/queries.ts";
import { OPEN_STATUSES } from "#lib/domain/withdrawal-status.ts";
import { countOpenWithdrawals } from "#lib/domain/withdrawals/queries.ts";
import type { Replica } from "#lib/platform/db/connection.ts";
import { getTaskAges } from "#lib/platform/repeat.ts";
import { countOpenPages } from "#lib/web/realtime/serve-realtime.ts";
import type { Services } from "#lib/web/services.ts";

/** Seconds. The goal of the page is 0.1, the timeout of a request is 10. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The part of the program that a request used. Never the path: it may contain the id of a link. */
export type RequestArea = "api" | "page" | "operations";

export interface Metrics {
  /** Counts a request after its answer. */
  observe(area: RequestArea, request: IncomingMessage, response: ServerResponse): void;
  readonly contentType: string;
  /** All metrics of this process in the text format of Prometheus. Another process has its own. */
  text(): Promise<string>;
}

type Reading = Pick<Services, "database" | "networks">;
type Source = Reading & {
  /** True if this process sends mails or causes them. */
  readonly mail?: boolean;
};

/** Opens the metrics of one process. Each call of text() reads the numbers of the database along an index. */
export function openMetrics({ database, networks, mail = false }: Source): Metrics {
  const register = new Registry();
  // Event-loop delay, memory, CPU, garbage collection.
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: "paylink_http_request_seconds",
    help: "Seconds to answer a request",
    labelNames: ["area", "method", "status"],
    buckets: BUCKETS,
    registers: [register],
  });
  const gauges = openGauges(register);
  if (database.replica !== null) openReplicaGauge(register, database.replica);
  register.registerMetric(attemptCounter);
  register.registerMetric(nodeCounters.requests);
  register.registerMetric(nodeCounters.errors);
  register.registerMetric(nodeCounters.unreadable);
  register.registerMetric(nodeCounters.givenUp);
  register.registerMetric(watchCounters.passes);
  register.registerMetric(watchCounters.failures);
  register.registerMetric(watchCounters.decisions);
  register.registerMetric(addressRefusals);
  const mailGauges = mail ? openMailGauges(register) : null;
  // With 0, so that a rate can be computed from the first increase.
  for (const { env, network } of networks.all()) addressRefusals.inc({ env, network }, 0);
  return {
    observe(area, { method = "" }, response) {
      const started = performance.now();
      response.once("close", () => {
        // The client closed the connection before an answer: nginx uses this number.
        const status = response.headersSent ? response.statusCode : 499;
        requests.observe({ area, method: known(method), status }, (performance.now() - started) / 1_000);
      });
    },
    contentType: register.contentType,
    async text() {
      await fill(gauges, { database, networks }, new Date());
      await fillPoolsLeft(gauges, { database, networks });
      await fillProbedNodes(gauges, { database, networks });
      if (mailGauges !== null) await fillMails(gauges, mailGauges, database.db);
      fillFromProcess(gauges);
      return register.metrics();
    },
  };
}

/** The series of the replica. Absent without one. */
function openReplicaGauge(register: Registry, replica: Replica): void {
  new Gauge({
    name: "paylink_replica_left_out",
    help: "1 if lists and exports are read from the primary, because the replica lags or fails",
    registers: [register],
    collect() {
      this.set(replica.findLeftOut() === null ? 0 : 1);
    },
  });
}

/** A client may send any word as a method, and each would be a new series. */
function known(method: string): string {
  return ["GET", "HEAD", "POST", "OPTIONS"].includes(method) ? method : "other";
}

type Gauges = ReturnType<typeof openGauges>;

function openGauges(register: Registry) {
  const registers = [register];
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `paylink_${name}`, help, labelNames: [...labelNames], registers });
  const scope = ["env", "network"];
  return {
    watched: gauge("watched_height", "Height up to which the watcher has read the network", scope),
    nodeHeight: gauge("node_height", "Height of the network's node when the watcher last read it", scope),
    lag: gauge("watch_lag_blocks", "Blocks that the watcher has not read yet", scope),
    passAge: gauge("watch_pass_age_seconds", "Seconds since the start of the last complete pass", scope),
    watchFailing: gauge("watch_failing", "1 if the network cannot be watched or was never read", scope),
    headAge: gauge("watch_head_age_seconds", "Seconds since the time of the network's newest block", scope),
    finalized: gauge("finalized_height", "Height up to which the network's blocks are final", scope),
    finalityAge: gauge("finality_age_seconds", "Seconds since the finalized height last grew", scope),
    finalityLate: gauge(
      "finality_late",
      "1 if finality does not advance while blocks come, so that nothing is credited",
      scope,
    ),
    gap: gauge(
      "watch_gap_blocks",
      "Blocks that no node had at the first pass and that were never read",
      scope,
    ),
    nodeMissing: gauge("node_missing", "Things that watching needs and the node cannot do", [
      ...scope,
      "node",
    ]),
    deposits: gauge("deposits", "Deposits that wait for confirmations or for review", [...scope, "state"]),
    linksOverdue: gauge("payment_links_overdue", "Payment links that the sweep has not checked in time"),
    webhooksDue: gauge("webhook_deliveries_due", "Webhook deliveries that are due"),
    webhooksDisabled: gauge("webhook_endpoints_disabled", "Disabled webhook endpoints"),
    openPages: gauge("open_pages", "Payment pages that are connected to this process"),
    poolLeft: gauge("pool_addresses_left", "Imported addresses that are not allocated yet", scope),
    withdrawals: gauge("withdrawals", "Withdrawals in progress", ["status"]),
    withdrawalsToReview: gauge("withdrawals_to_review", "Withdrawals that need a person's decision", [
      ...scope,
      "finding",
    ]),
    setAside: gauge("needs_attention", "Units that were set aside because their processing fails", ["kind"]),
    jobAge: gauge("job_age_seconds", "Seconds since the oldest due job became due", ["job"]),
    taskAge: gauge("task_age_seconds", "Seconds since a repeated task last succeeded", ["task"]),
  };
}

const seconds = (since: Date | null, now: Date) =>
  since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1_000;

async function fill(gauges: Gauges, { database, networks }: Reading, now: Date): Promise<void> {
  const { db } = database;
  const [watching, waiting, links, webhooks, open, setAside] = await Promise.all([
    measureWatching(db, networks),
    countOpenDeposits(db),
    countOverdueLinks(db, now),
    measureDeliveries(db, now),
    countOpenWithdrawals(db),
    countAttention(db),
  ]);
  // Also counts deposits on a disabled network until none is left.
  gauges.deposits.reset();
  for (const one of watching) fillWatching(gauges, one, now);
  for (const { count, ...labels } of waiting) gauges.deposits.set(labels, count);
  fillWithdrawals(gauges, open);
  for (const [kind, count] of Object.entries(setAside)) gauges.setAside.set({ kind }, count);
  gauges.linksOverdue.set(links.overdue);
  gauges.webhooksDue.set(webhooks.due);
  gauges.webhooksDisabled.set(webhooks.disabled);
  gauges.jobAge.set({ job: "payment_link" }, seconds(links.oldest, now));
  gauges.jobAge.set({ job: "webhook_delivery" }, seconds(webhooks.oldest, now));
}

function fillWithdrawals(
  { withdrawals, withdrawalsToReview }: Gauges,
  open: Awaited<ReturnType<typeof countOpenWithdrawals>>,
): void {
  withdrawalsToReview.reset();
  for (const status of OPEN_STATUSES) withdrawals.set({ status }, 0);
  for (const { status, env, network, finding, count } of open) {
    withdrawals.inc({ status }, count);
    if (finding !== null) withdrawalsToReview.set({ env, network, finding }, count);
  }
}

/** A network that was never read has no height and no age, but it is failing. */
function fillWatching(
  gauges: Gauges,
  { env, network, failing, progress, gapBlocks }: WatchMeasurement,
  now: Date,
): void {
  const labels = { env, network };
  gauges.watchFailing.set(labels, failing ? 1 : 0);
  gauges.gap.set(labels, gapBlocks);
  for (const state of ["waiting", "held"]) gauges.deposits.set({ ...labels, state }, 0);
  if (progress === null) return;
  const { height, nodeHeight, passStartedAt, headTime, finality } = progress;
  gauges.watched.set(labels, height);
  gauges.nodeHeight.set(labels, nodeHeight);
  gauges.lag.set(labels, Math.max(0, nodeHeight - height));
  if (passStartedAt !== null) gauges.passAge.set(labels, seconds(passStartedAt, now));
  if (headTime !== null) gauges.headAge.set(labels, seconds(headTime, now));
  const { finalizedHeight, finalizedSince, finalityLate } = finality;
  if (finalizedHeight !== null) gauges.finalized.set(labels, finalizedHeight);
  if (finalizedSince === null) return;
  gauges.finalityAge.set(labels, seconds(finalizedSince, now));
  gauges.finalityLate.set(labels, finalityLate ? 1 : 0);
}

/** Fills the pools of enabled networks with imported addresses. A network without an import has 0. */
async function fillPoolsLeft(gauges: Gauges, { database, networks }: Reading): Promise<void> {
  const pooled = networks.all().filter(({ data }) => data.addressSource === "pool");
  for (const { env, network } of pooled) gauges.poolLeft.set({ env, network }, 0);
  for (const { env, network, left } of pooled.length === 0 ? [] : await listPoolStatuses(database.db)) {
    if (networks.find(env, network) !== null) gauges.poolLeft.set({ env, network }, left);
  }
}

/** Fills the nodes of enabled networks that were tried out. Two nodes of one name count together. */
async function fillProbedNodes({ nodeMissing }: Gauges, { database, networks }: Reading): Promise<void> {
  nodeMissing.reset();
  for (const { env, network, node, missing } of await listProbedNodes(database.db)) {
    if (networks.find(env, network) !== null) nodeMissing.inc({ env, network, node }, missing.length);
  }
}

/** The series of mail. Absent without mail. */
function openMailGauges(register: Registry) {
  register.registerMetric(mailCounter);
  register.registerMetric(leftOutCounter);
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `paylink_${name}`, help, registers: [register] });
  return {
    due: gauge("mails_due", "Mails that are due"),
    failed: gauge("mails_failed", "Mails that were given up in the last 90 days"),
  };
}

async function fillMails(
  { jobAge }: Gauges,
  { due, failed }: ReturnType<typeof openMailGauges>,
  db: Services["database"]["db"],
): Promise<void> {
  const now = new Date();
  const mails = await measureMails(db, now);
  due.set(mails.due);
  failed.set(mails.failed);
  jobAge.set({ job: "mail" }, seconds(mails.oldest, now));
}

/** Values that only this process knows. */
function fillFromProcess(gauges: Gauges): void {
  gauges.openPages.set(countOpenPages());
  gauges.taskAge.reset();
  for (const [task, age] of getTaskAges()) gauges.taskAge.set({ task }, age);
}
