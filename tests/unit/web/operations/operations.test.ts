/** /healthz, /readyz and /metrics with a real database. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { pino } from "pino";
import {
  insertCursor,
  updateWatchProgress,
  upsertWatchError,
} from "#lib/domain/deposits/record/cursor-store.ts";
import { countDecisions } from "#lib/domain/deposits/watch-metrics.ts";
import { attemptCounter } from "#lib/domain/webhooks/deliver-webhook.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { repeat } from "#lib/platform/repeat.ts";
import { openMetrics } from "#lib/web/operations/metrics.ts";
import { operationsListener } from "#lib/web/operations/operations-listener.ts";
import { startApi } from "#tests/support/api.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { sendRaw } from "#tests/support/raw-http.ts";
import { successOf } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";

const TOKEN = "0123456789abcdef";
const log = pino({ level: "silent" });

const api = await startApi();
const { database, networks } = api.services;
const { pool, db } = database;
const metrics = openMetrics({ database, networks });
const roles = { running: true };
const listen = async (listener: (request: IncomingMessage, response: ServerResponse) => boolean) => {
  const server = createServer((request, response) => {
    metrics.observe("operations", request, response);
    if (!listener(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};
const { server, url } = await listen(
  operationsListener({ database, networks, log, metrics, metricsToken: TOKEN, roles }),
);
after(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url + path, { headers });
  return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
};
/** Without the networks, which have a test of their own. */
const ready = async (from = url) => {
  const response = await fetch(`${from}/readyz`);
  const { networks: _, ...body } = (await response.json()) as Record<string, unknown>;
  return { status: response.status, body };
};
const OK = { database: "ok", migrations: "ok", roles: "ok" };
/** Value of a series, with its name and labels as Prometheus writes them. */
const value = async (series: string) => {
  const line = (await get("/metrics")).text.split("\n").find((text) => text.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
};

test("a working process is healthy and ready", async () => {
  assert.deepEqual(await get("/healthz"), {
    status: 200,
    text: '{"status":"ok"}',
    type: "application/json",
  });
  assert.deepEqual(await ready(), { status: 200, body: { status: "ready", ...OK } });
  assert.equal((await get("/readyz?probe=1")).status, 200);
  assert.equal((await get("/health")).status, 404);
});

test("a process that starts, stops, lacks a migration or has no database is not ready, but healthy", async () => {
  roles.running = false;
  const stopping = { status: "not ready", ...OK, roles: "starting or stopping" };
  assert.deepEqual(await ready(), { status: 503, body: stopping });
  roles.running = true;

  const migrations = "drizzle.__drizzle_migrations";
  const { rows } = await pool.query(
    `delete from ${migrations} where id = (select max(id) from ${migrations}) returning hash, created_at`,
  );
  const behind = { status: "not ready", ...OK, migrations: "1 missing" };
  assert.deepEqual(await ready(), { status: 503, body: behind });
  await pool.query(`insert into ${migrations} (hash, created_at) values ($1, $2)`, [
    rows[0].hash,
    rows[0].created_at,
  ]);
  assert.equal((await ready()).status, 200);

  const nowhere = openDatabase("postgres://nobody@127.0.0.1:9/nothing");
  const cut = await listen(
    operationsListener({ database: nowhere, networks, log, metrics, metricsToken: null, roles }),
  );
  const unreachable = { ...OK, database: "does not answer", migrations: "not known" };
  assert.deepEqual(await ready(cut.url), { status: 503, body: { status: "not ready", ...unreachable } });
  assert.equal((await fetch(`${cut.url}/healthz`)).status, 200);
  cut.server.closeAllConnections();
  cut.server.close();
  await nowhere.close();
});

test("a database role without access to the migrations gets a hint to the grant", async () => {
  await pool.query("create role watched login password 'watched'");
  const limitedUrl = new URL(api.database.url);
  Object.assign(limitedUrl, { username: "watched", password: "watched" });
  const limited = openDatabase(limitedUrl.href);
  const over = await listen(
    operationsListener({ database: limited, networks, log, metrics, metricsToken: null, roles }),
  );
  const { status, body } = await ready(over.url);
  assert.equal(status, 503);
  assert.match((body as { migrations: string }).migrations, /grant/);
  over.server.closeAllConnections();
  over.server.close();
  await limited.close();
  await pool.query("drop role watched");
});

test("metrics answer this machine and the token; other requests get not found", async () => {
  const answered = await get("/metrics");
  assert.equal(answered.status, 200);
  assert.match(answered.type ?? "", /^text\/plain; version=0\.0\.4/);
  for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host"]) {
    assert.equal((await get("/metrics", { [header]: "for=203.0.113.9" })).status, 404, header);
  }
  const byName = async (host: string, more = "") =>
    (await sendRaw(url, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`)).status;
  for (const own of ["localhost", "localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
    assert.equal(await byName(own), 200, own);
  // Another site's name that was made to mean this machine, or a proxy that keeps the public name.
  for (const other of [
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:3000",
    "pay.example",
  ])
    assert.equal(await byName(other), 404, other);
  assert.equal(await byName("paylink:9100", `Authorization: Bearer ${TOKEN}\r\n`), 200);
  const behind = { "x-forwarded-for": "203.0.113.9" };
  assert.equal((await get("/metrics", { ...behind, authorization: `Bearer ${TOKEN}` })).status, 200);
  for (const wrong of ["Bearer 0123456789abcdeF", "Bearer ", TOKEN, `Basic ${TOKEN}`]) {
    assert.equal((await get("/metrics", { ...behind, authorization: wrong })).status, 404, wrong);
  }
});

test("a network counts as failing until its first complete pass, and is not reported when it is off", async () => {
  const live = { env: "live", network: "bep20" } as const;
  const bep20 = '{env="live",network="bep20"}';
  const figures = async () => {
    const series = ["watch_failing", "watched_height", "node_height", "watch_pass_age_seconds"];
    const values = await Promise.all(series.map((name) => value(`paylink_${name}${bep20}`)));
    // To the minute, so that the time of the request does not matter.
    return values.map((number, i) => (i === 3 && number !== null ? Math.floor(number / 60) : number));
  };
  assert.deepEqual(await figures(), [1, null, null, null], "no watcher has come by yet");
  const now = new Date();
  await upsertWatchError(db, live, "wrong_chain: the node is of chain 1, not 56", now);
  assert.deepEqual(
    await figures(),
    [1, null, null, null],
    "none of its nodes was of use at the very first start",
  );
  const at = { height: 90, hash: "0x90", gap: null };
  await db.transaction((tx) => insertCursor(tx, live, at, now));
  await updateWatchProgress(db, live, { at, nodeHeight: 100, passStartedAt: null }, now);
  assert.deepEqual(await figures(), [1, 90, 100, null], "it is being read for the first time");
  const passStartedAt = new Date(now.getTime() - 5 * 60_000);
  await updateWatchProgress(db, live, { at, nodeHeight: 100, passStartedAt }, now);
  assert.deepEqual(await figures(), [0, 90, 100, 5]);
  assert.equal(await value(`paylink_watch_lag_blocks${bep20}`), 10);
  const finality = async () => {
    const series = ["watch_head_age_seconds", "finalized_height", "finality_age_seconds", "finality_late"];
    const values = await Promise.all(series.map((name) => value(`paylink_${name}${bep20}`)));
    return values.map((number, i) => (i % 2 === 0 && number !== null ? Math.floor(number / 60) : number));
  };
  assert.deepEqual(await finality(), [null, null, null, null], "nothing is known of its blocks");
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const head = { headTime: ago(1), finalizedHeight: 80, finalizedSince: ago(3), finalityLate: true };
  await updateWatchProgress(db, live, { at, nodeHeight: 100, passStartedAt, head }, now);
  assert.deepEqual(await finality(), [1, 80, 3, 1]);

  await pool.query(
    `insert into watch_cursors (env, network, height, hash, node_height, pass_started_at, error)
     values ('live', 'erc20', 90, '0x', 100, now() - interval '30 days', 'unreachable')`,
  );
  const { text } = await get("/metrics");
  assert.match(text, /^paylink_watch_failing\{env="test",network="bep20"} 1$/m);
  assert.doesNotMatch(text, /network="erc20"/);
});

test("readyz and metrics report unwatched networks and blocks that were never read, and stay ready", async () => {
  const reported = async () => {
    const { status, text } = await get("/readyz");
    return [status, (JSON.parse(text) as { networks: string }).networks];
  };
  await pool.query("delete from watch_cursors");
  const both = ["live", "test"].flatMap((env) =>
    networks.list(env as "live" | "test").map(({ network }) => `${env}:${network}`),
  );
  assert.deepEqual(await reported(), [200, `unwatched: ${both.sort().join(", ")}`]);
  for (const { env, network } of networks.all()) {
    await pool.query(
      `insert into watch_cursors (env, network, height, hash, node_height, pass_started_at)
       values ($1, $2, 90, '0x', 90, now())`,
      [env, network],
    );
  }
  assert.deepEqual(await reported(), [200, "ok"]);
  assert.equal(await value('paylink_watch_gap_blocks{env="test",network="bep20"}'), 0);
  await pool.query(
    "update watch_cursors set gap_from = 11, gap_to = 20 where env = 'test' and network = 'bep20'",
  );
  assert.deepEqual(await reported(), [200, "blocks not read: test:bep20"]);
  await pool.query("update watch_cursors set finality_late = env = 'live'");
  const late = networks.list("live").map(({ network }) => `live:${network}:late`);
  const gap = "blocks not read: test:bep20";
  assert.deepEqual(await reported(), [200, `finality: ${late.sort().join(", ")}; ${gap}`]);
  await pool.query("update watch_cursors set finality_late = false");
  const forwarded = { "x-forwarded-for": "203.0.113.7" };
  const stranger = JSON.parse((await get("/readyz", forwarded)).text) as object;
  assert.deepEqual(stranger, { status: "ready", ...OK });
  const scraper = await get("/readyz", { ...forwarded, authorization: `Bearer ${TOKEN}` });
  assert.match(scraper.text, /"networks":"blocks not read: test:bep20"/);
  assert.equal(await value('paylink_watch_gap_blocks{env="test",network="bep20"}'), 10);
  await pool.query("delete from watch_cursors");
});

test("counts waiting deposits on a disabled network until none is left", async () => {
  const { id } = await api.merchant();
  const address = await anAddress(db, networks.find("live", "bep20")!, id);
  const txHash = evmHash(1);
  const deposit = await aDeposit(db, address.id, { network: "erc20", status: "seen", txHash });
  const waiting = 'paylink_deposits{env="live",network="erc20",state="waiting"}';
  assert.equal(await value(waiting), 1);
  await pool.query("update deposits set status = 1 where id = $1", [deposit.id]);
  assert.equal(await value(waiting), null);
  assert.equal(await value('paylink_deposits{env="live",network="bep20",state="waiting"}'), 0);
});

test("counts what is set aside, by kind", async () => {
  assert.equal(await value('paylink_needs_attention{kind="link"}'), 0);
  await pool.query(`insert into attention (subject, reason, attempts, retry_at) values
    ('link:a', 'Error: x', 1, now()), ('link:b', 'Error: x', 2, now()), ('deposit:3', 'Error: x', 1, now())`);
  assert.equal(await value('paylink_needs_attention{kind="link"}'), 2);
  assert.equal(await value('paylink_needs_attention{kind="deposit"}'), 1);
  await pool.query("delete from attention");
  assert.equal(await value('paylink_needs_attention{kind="link"}'), 0);
});

test("counts withdrawals that need a person's decision, by network and finding", async () => {
  const { id } = await api.merchant();
  const series = 'paylink_withdrawals_to_review{env="live",network="bep20",finding="unpayable"}';
  assert.equal(await value(series), null);
  await pool.query(
    `insert into withdrawals (refid, env, merchant_id, token, network, to_address, amount, fee, status, finding)
     select n, 'live', $1, 'usdt', 'bep20', '0x', 1, 0, 1, case when n > 1 then 'unpayable' end
     from generate_series(1, 3) n`,
    [id],
  );
  assert.equal(await value(series), 2);
  assert.equal(await value('paylink_withdrawals{status="processing"}'), 3);
  await pool.query("delete from withdrawals where merchant_id = $1", [id]);
  assert.equal(await value(series), null);
  assert.equal(await value('paylink_withdrawals{status="processing"}'), 0);
});

test("counts and times waiting deposits, links and deliveries", async () => {
  const merchant = await api.merchant();
  const { data } = successOf(
    await api.client(merchant.test).POST("/payment-links", { body: { ...PAYMENT_LINK, amount: "25000.5" } }),
  );
  const { refid } = data;
  await pool.query(
    "update payment_links set next_check_at = now() - interval '40 seconds' where refid = $1",
    [refid],
  );
  const [event] = await db
    .insert(webhookEvents)
    .values({
      ...{ merchantId: merchant.id, env: "test", type: "deposit_credited", body: "{}", txHashes: [] },
      createdAt: new Date(),
    })
    .returning({ id: webhookEvents.id });
  const [endpoint] = await db.select({ id: webhookEndpoints.id }).from(webhookEndpoints);
  await db.insert(webhookDeliveries).values({
    eventId: event?.id ?? 0,
    endpointId: endpoint?.id ?? 0,
    nextAttemptAt: new Date(Date.now() - 50_000),
  });
  assert.equal(await value('paylink_deposits{env="test",network="bep20",state="waiting"}'), 0);
  assert.equal(await value("paylink_payment_links_overdue"), 1);
  assert.equal(await value("paylink_webhook_deliveries_due"), 1);
  for (const [series, least] of [
    ['paylink_job_age_seconds{job="payment_link"}', 40],
    ['paylink_job_age_seconds{job="webhook_delivery"}', 50],
  ] as const) {
    const age = (await value(series)) ?? 0;
    assert.ok(age >= least && age < least + 20, `${series} is ${age}`);
  }
  assert.ok(((await value("nodejs_eventloop_lag_p99_seconds")) ?? -1) >= 0);
});

test("counts requests by area, method and status, and never by path", async () => {
  await get("/healthz");
  await fetch(`${url}/pay/secret`, { method: "PURGE" });
  const { text } = await get("/metrics");
  const seconds = 'paylink_http_request_seconds_count{area="operations"';
  assert.match(text, new RegExp(`${seconds},method="GET",status="200"} [1-9]`));
  assert.match(text, new RegExp(`${seconds},method="other",status="404"} 1\n`));
  assert.ok(!text.includes("secret"));
});

test("counts webhook outcomes, disabled endpoints and open pages", async () => {
  const outcome = (kind: string) => value(`paylink_webhook_attempts_total{outcome="${kind}"}`);
  const before = [await outcome("delivered"), await outcome("timeout"), await outcome("refused")] as number[];
  attemptCounter.inc({ outcome: "timeout" });
  attemptCounter.inc({ outcome: "timeout" });
  attemptCounter.inc({ outcome: "refused" });
  const after = [await outcome("delivered"), await outcome("timeout"), await outcome("refused")];
  assert.deepEqual(
    after,
    [before[0], before[1]! + 2, before[2]! + 1],
    "every outcome is there from the start",
  );

  assert.equal(await value("paylink_webhook_endpoints_disabled"), 0);
  const { rows } = await pool.query("update webhook_endpoints set disabled_at = now() returning id");
  assert.equal(await value("paylink_webhook_endpoints_disabled"), rows.length);
  assert.ok(rows.length > 0);
  await pool.query("update webhook_endpoints set removed_at = now()");
  assert.equal(await value("paylink_webhook_endpoints_disabled"), 0);

  assert.equal(await value("paylink_open_pages"), 0);
});

test("counts decided deposits by network and decision", async () => {
  const counted = (state: string) =>
    value(`paylink_deposits_total{env="live",network="trc20",state="${state}"}`);
  assert.equal(await counted("credited"), null, "a network that this process has not watched has no series");
  countDecisions({ env: "live", network: "trc20" }, { credited: 2, held: 1 });
  countDecisions({ env: "live", network: "trc20" }, { reversed: 1 });
  assert.deepEqual([await counted("credited"), await counted("held"), await counted("reversed")], [2, 1, 1]);
});

test("counts requests of a node once, however often the metrics are read", async () => {
  const adapter = networks.find("live", "bep20")!;
  await assert.rejects(adapter.blocks.fetchHead());
  const node = `{env="live",network="bep20",node="${adapter.nodes.report()[0]?.name}"}`;
  const counted = () =>
    Promise.all(["requests", "errors"].map((name) => value(`paylink_node_${name}_total${node}`)));
  const before = await counted();
  assert.ok(before.every((number) => (number ?? 0) > 0));
  assert.deepEqual(await counted(), before);
});

test("the age of a failing task grows, that of a successful one does not", async () => {
  const quiet = pino({ level: "silent" });
  const runs = { good: 0, bad: 0 };
  const good = repeat("good", 5, { log: quiet }, async () => void runs.good++);
  const bad = repeat("bad", 5, { log: quiet }, async () => {
    runs.bad++;
    throw new Error("no");
  });
  const ages = async () => {
    const { text } = await get("/metrics");
    const ageOf = (task: string) =>
      Number(new RegExp(`^paylink_task_age_seconds{task="${task}"} (.+)$`, "m").exec(text)?.[1]);
    return { good: ageOf("good"), bad: ageOf("bad") };
  };
  await until("both to run often", () => runs.bad > 5 && runs.good > 5);
  // One answer: a busy machine may need long for the next one.
  const { good: younger, bad: older } = await ages();
  assert.ok(younger < older, `${younger} s of ${older} s`);
  await until("the bad one to be older still", async () => (await ages()).bad > older + 0.2);
  await Promise.all([good.stop(), bad.stop()]);
  assert.ok(Number.isNaN((await ages()).bad), "what has been stopped is not missed");
});

test("a replica has a series, which is 1 while it is left out", async () => {
  let reason: string | null = "it lags behind the primary";
  const withReplica = { ...database, replica: { findLeftOut: () => reason } };
  const { text } = openMetrics({ database: withReplica, networks });
  assert.match(await text(), /^paylink_replica_left_out 1$/m);
  reason = null;
  assert.match(await text(), /^paylink_replica_left_out 0$/m);
  assert.doesNotMatch(await metrics.text(), /paylink_replica/);
});
