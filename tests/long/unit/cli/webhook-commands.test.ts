import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { eq } from "drizzle-orm";
import { verifyWebhook } from "#lib/client/client.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import type { EventType } from "#lib/domain/webhooks/events.ts";
import { webhookAttempts, webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { type TestDatabase, temporaryFolder, testDatabase } from "#tests/support/database.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";

const SECRET_KEY = "a-secret-key-of-forty-characters-for-tests";
const NOW = new Date("2026-03-01T12:00:00.000Z");
const URL = "https://shop.example/hook";
/** Stores the request and accepts it. In a process of its own, because runCli blocks this one. */
const RECEIVER = `
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => { body += part; });
  request.on("end", () => {
    writeFileSync(process.argv[1], JSON.stringify({ body, headers: request.headers }));
    response.end("thanks");
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;
let t: TestDatabase;
let counter = 0;
let email = "";
let merchantId = 0;

before(async () => {
  t = await testDatabase();
});
after(() => t.close());
beforeEach(() => {
  counter += 1;
  email = `shop${counter}@example.com`;
  const made = cli("merchant", "create", "--email", email, "--name", "Shop", "--webhook-url", URL);
  merchantId = (answer(made) as { merchant: { id: number } }).merchant.id;
});

const cli = (...args: string[]) => runCli({ DATABASE_URL: t.url, SECRET_KEY, USER: "ada" }, ...args);
const webhook = (command: string, ...args: string[]) => cli("webhook", command, ...args);
function answer(run: CliRun): unknown {
  assert.equal(run.status, 0, run.stderr);
  return run.json();
}
const refused = ({ status, stdout, stderr }: CliRun, message: string) =>
  assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: "", stderr: `${message}\n` });
const emit = (type: EventType, env: "live" | "test" = "live") =>
  t.db.transaction((tx) => emitRawEvent(tx, { merchantId, env, type, dataJson: "{}", txHashes: [] }, NOW));
const deliveriesOf = (eventId: number) =>
  t.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId));

test("lists deliveries of one environment newest first, by status and before an event", async () => {
  const [one, two] = [await emit("deposit_credited"), await emit("payment_link_failed")];
  const other = await emit("deposit_credited", "test");
  const failed = {
    status: "failed",
    attempts: 10,
    nextAttemptAt: null,
    lastStatus: 500,
    lastError: "answered 500",
  } as const;
  await t.db.update(webhookDeliveries).set(failed).where(eq(webhookDeliveries.eventId, one.id));
  const rows = answer(webhook("deliveries", "--merchant", email)) as Record<string, unknown>[];
  const [first] = await deliveriesOf(two.id);
  const [second] = await deliveriesOf(one.id);
  assert.deepEqual(rows, [
    {
      ...{
        id: first!.id,
        event_id: two.id,
        type: "payment_link_failed",
        refid: null,
        url: URL,
        status: "due",
        attempts: 0,
      },
      ...{ next_attempt_at: NOW.toISOString(), last_status: null, last_error: null },
      ...{ created_at: NOW.toISOString(), updated_at: NOW.toISOString() },
    },
    {
      ...{
        id: second!.id,
        event_id: one.id,
        type: "deposit_credited",
        refid: null,
        url: URL,
        status: "failed",
        attempts: 10,
      },
      ...{ next_attempt_at: null, last_status: 500, last_error: "answered 500" },
      ...{ created_at: NOW.toISOString(), updated_at: NOW.toISOString() },
    },
  ]);
  const ids = (...args: string[]) =>
    (answer(webhook("deliveries", "--merchant", email, ...args)) as { event_id: number }[]).map(
      (row) => row.event_id,
    );
  assert.deepEqual(ids("--status", "failed"), [one.id]);
  assert.deepEqual(ids("--before", `evt_${two.id}`), [one.id]);
  assert.deepEqual(ids("--env", "test"), [other.id]);
  assert.equal(webhook("deliveries", "--merchant", email, "--status", "lost").status, 2);
  refused(
    webhook("deliveries", "--merchant", "nobody@example.com"),
    "no merchant has this e-mail address: see `merchant list`",
  );
});

test("webhook deliveries shows the reference of the link, whatever the metadata contain", async () => {
  const dataJson = '{"refid":"Abc123","metadata":{"note":"\\"refid\\":\\"X\\" \\u0000","refid":"Y"}}';
  const event = { merchantId, env: "live", type: "payment_link_completed", dataJson, txHashes: [] } as const;
  await t.db.transaction((tx) => emitRawEvent(tx, event, NOW));
  const rows = answer(webhook("deliveries", "--merchant", email)) as { refid: string }[];
  assert.deepEqual(
    rows.map(({ refid }) => refid),
    ["Abc123"],
  );
});

test("webhook test sends a signed request to an endpoint and shows its answer", async () => {
  const folder = temporaryFolder();
  const receiver = spawn(process.execPath, ["--input-type=module", "-e", RECEIVER, join(folder, "request")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(receiver.stdout, "data")) as [Buffer];
    const url = `http://127.0.0.1:${String(port).trim()}/hook`;
    const added = answer(webhook("endpoint", "add", email, "--env", "test", "--url", url)) as {
      id: number;
      webhook_secret: string;
    };
    const env = { DATABASE_URL: t.url, SECRET_KEY, WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };
    const run = runCli(env, "webhook", "test", String(added.id));
    const shown = answer(run) as { webhook_id: string; duration_ms: number };
    assert.deepEqual(shown, {
      ...{ id: added.id, url, webhook_id: shown.webhook_id, type: "webhook_test", accepted: true },
      ...{ duration_ms: shown.duration_ms, status: 200, error: null, answer: "thanks" },
    });
    const { body, headers } = JSON.parse(readFileSync(join(folder, "request"), "utf8"));
    assert.match(shown.webhook_id, /^test_/);
    assert.equal(headers["webhook-id"], shown.webhook_id);
    assert.partialDeepStrictEqual(verifyWebhook(added.webhook_secret, body, headers), {
      type: "webhook_test",
      data: { id: added.id, environment: "test" },
    });
    // Without WEBHOOK_ALLOW_CIDRS the address is not allowed, as for the worker.
    const blocked = webhook("test", String(added.id));
    assert.equal(blocked.status, 1);
    assert.partialDeepStrictEqual(blocked.json(), {
      accepted: false,
      status: null,
      error: "address_not_allowed",
    });
    assert.match(blocked.stderr, /^the endpoint did not accept the request/);
    assert.deepEqual(answer(webhook("deliveries", "--merchant", email, "--env", "test")), []);
    const subject = `webhook_endpoint:${added.id}`;
    const sent = await t.db
      .select({ subject: auditLog.subject, details: auditLog.details })
      .from(auditLog)
      .where(eq(auditLog.action, "webhook.test"));
    // Also the one that did not arrive. None of the refused ones.
    assert.deepEqual(sent, [
      { subject, details: { url } },
      { subject, details: { url } },
    ]);
  } finally {
    receiver.kill();
    rmSync(folder, { recursive: true });
  }
  refused(webhook("test", "999999"), "no webhook endpoint has this id: see `webhook endpoint list`");
});

test("redeliver makes a delivered event due again, and records the operator", async () => {
  const { id } = await emit("deposit_credited");
  const delivered = { status: "delivered", nextAttemptAt: null } as const;
  await t.db.update(webhookDeliveries).set(delivered).where(eq(webhookDeliveries.eventId, id));
  assert.deepEqual(answer(webhook("redeliver", `evt_${id}`)), { event_id: id, redelivered: true });
  assert.deepEqual((await deliveriesOf(id)).map(({ status }) => status).sort(), ["delivered", "due"]);
  const entries = await t.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `event:${id}`));
  assert.deepEqual(
    entries.map(({ actor, action, details }) => ({ actor, action, details })),
    [{ actor: "operator:ada", action: "webhook.redeliver", details: {} }],
  );
  refused(webhook("redeliver", "999999"), "no event has this number: see `webhook deliveries`");
  assert.equal(webhook("redeliver", "x").status, 2);
});

test("does not redeliver or record an event that no endpoint accepts", async () => {
  const { id } = await emit("deposit_credited");
  answer(webhook("events", "--merchant", email, "--types", "payment_link_completed,payment_link_failed"));
  const message =
    "no enabled webhook endpoint of the merchant accepts this event: see `webhook endpoint list`";
  refused(webhook("redeliver", String(id)), message);
  assert.deepEqual(
    await t.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `event:${id}`)),
    [],
  );
});

test("events sets the event types of an endpoint in one environment at once", async () => {
  const shown = (types: unknown) => (run: CliRun) => {
    const [row, ...more] = answer(run) as Record<string, unknown>[];
    assert.deepEqual(more, []);
    assert.deepEqual({ ...row, id: 0 }, { id: 0, env: "live", url: URL, types, disabled_at: null });
  };
  shown("all")(webhook("events", "--merchant", email));
  const some = ["payment_link_completed", "deposit_credited"];
  shown(some)(webhook("events", "--merchant", email, "--types", some.join(",")));
  shown(some)(webhook("events", "--merchant", email));
  assert.equal((await deliveriesOf((await emit("payment_link_failed")).id)).length, 0);
  assert.equal((await deliveriesOf((await emit("deposit_credited")).id)).length, 1);
  assert.equal((await deliveriesOf((await emit("payment_link_failed", "test")).id)).length, 1);
  shown("all")(webhook("events", "--merchant", email, "--types", "all"));
  assert.equal((await deliveriesOf((await emit("payment_link_failed")).id)).length, 1);
  assert.equal(webhook("events", "--merchant", email, "--types", "paid").status, 2);
});

test("adds, updates, rotates and removes endpoints, and records each change", async () => {
  const [own] = answer(webhook("endpoint", "list", email)) as { id: number; url: string }[];
  assert.equal(own?.url, URL);
  const second = "https://other.example/hook";
  const types = "deposit_credited,deposit_reversed";
  const added = answer(webhook("endpoint", "add", email, "--url", second, "--types", types)) as {
    id: number;
    webhook_secret: string;
  };
  assert.match(added.webhook_secret, /^whsec_/);
  const rotated = answer(webhook("endpoint", "rotate", String(added.id), "--overlap", "1h")) as {
    webhook_secret: string;
    old_secret_until: string;
  };
  assert.match(rotated.webhook_secret, /^whsec_/);
  assert.notEqual(rotated.webhook_secret, added.webhook_secret);
  const ahead = Date.parse(rotated.old_secret_until) - Date.now();
  assert.ok(ahead > 3_500_000 && ahead <= 3_600_000);
  const disabled = answer(webhook("endpoint", "update", String(added.id), "--types", "all", "--disable"));
  assert.ok((disabled as { disabled_at: string | null }).disabled_at);
  const removed = answer(webhook("endpoint", "remove", String(added.id))) as Record<string, unknown>;
  assert.deepEqual([removed.id, removed.removed, removed.types], [added.id, true, "all"]);
  assert.equal((answer(webhook("endpoint", "list", email)) as unknown[]).length, 1);
  refused(
    webhook("endpoint", "remove", String(added.id)),
    "no webhook endpoint has this id: see `webhook endpoint list`",
  );
  refused(
    webhook("endpoint", "add", email, "--url", "https://shop.example:22/"),
    "a webhook URL must be an http or https URL without user name, on port 80, 443 or one from 1024 on",
  );
  assert.equal(webhook("endpoint", "update", String(own?.id)).status, 2);
  const entries = await t.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `webhook_endpoint:${added.id}`))
    .orderBy(auditLog.id);
  assert.deepEqual(
    entries.map(({ action, details }) => ({ action, details })),
    [
      { action: "webhook.endpoint.add", details: { merchant: email, env: "live", url: second, types } },
      { action: "webhook.endpoint.rotate", details: { old_until: rotated.old_secret_until } },
      { action: "webhook.endpoint.update", details: { types: "all", enabled: false } },
      { action: "webhook.endpoint.remove", details: { url: second } },
    ],
  );
});

test("redelivers the events of a period, and shows the results of attempts", async () => {
  const { id } = await emit("deposit_credited");
  const range = ["--merchant", email, "--from", "2026-03-01T12:00:00Z", "--to", "2026-03-01T12:00:01Z"];
  await t.db
    .update(webhookDeliveries)
    .set({ status: "delivered", nextAttemptAt: null })
    .where(eq(webhookDeliveries.eventId, id));
  assert.deepEqual(answer(webhook("redeliver-range", ...range, "--undelivered")), {
    ...{ events: 0, more: false, last_event: null },
  });
  assert.deepEqual(answer(webhook("redeliver-range", ...range)), {
    events: 1,
    more: false,
    last_event: null,
  });
  assert.equal((await deliveriesOf(id)).length, 2);
  const [delivery] = await deliveriesOf(id);
  await t.db.insert(webhookAttempts).values({
    ...{ deliveryId: delivery!.id, attempt: 1, url: URL, startedAt: NOW, durationMs: 12, status: 200 },
    answer: Buffer.from("fine"),
  });
  assert.deepEqual(answer(webhook("attempts", String(delivery!.id))), [
    {
      ...{ attempt: 1, url: URL, sent_at: NOW.toISOString(), duration_ms: 12, status: 200, error: null },
      answer: "fine",
    },
  ]);
  const entries = await t.db.select().from(auditLog).where(eq(auditLog.action, "webhook.redeliver-range"));
  assert.equal(entries.length, 2);
});
