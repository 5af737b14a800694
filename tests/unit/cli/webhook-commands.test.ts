import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, test } from "node:test";
import { eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import type { EventType } from "#lib/domain/webhooks/events.ts";
import { webhookAttempts, webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { verifyWebhook } from "#packages/client/src/client.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { readDecisions } from "./decisions.ts";

const SECRET_KEY = "a-secret-key-of-forty-characters-for-tests";
const NOW = new Date("2026-03-01T12:00:00.000Z");
const AT = NOW.toISOString();
const HOOK = "https://shop.example/hook";
const NO_ENDPOINT = "no webhook endpoint has this id: see `webhook endpoint list`";
let counter = 0;
let email = "";
let merchantId = 0;

const t = await databaseOfFile();
beforeEach(async () => {
  counter += 1;
  email = `shop${counter}@example.com`;
  const made = await cli.answer<{ merchant: { id: number } }>(
    `merchant create --email ${email} --name Shop --webhook-url ${HOOK}`,
  );
  merchantId = made.merchant.id;
});

const variables = () => ({ DATABASE_URL: t.url, SECRET_KEY, USER: "ada" });
const cli = openTestCli(variables, { now: () => NOW });
/** Deliveries of the merchant, with these options. */
const deliveries = (options = "") => cli.answer<Row[]>(`webhook deliveries --merchant ${email} ${options}`);
const emit = (type: EventType, env: "live" | "test" = "live", dataJson = "{}") =>
  t.db.transaction((tx) => emitRawEvent(tx, { merchantId, env, type, dataJson, txHashes: [] }, NOW));
const ofEvent = (id: number) => eq(webhookDeliveries.eventId, id);
const storedDeliveries = (id: number) => t.db.select().from(webhookDeliveries).where(ofEvent(id));
const decisionsAbout = (subject: string) => readDecisions(t.db, eq(auditLog.subject, subject));

test("lists deliveries of one environment newest first, by status and before an event", async () => {
  const [one, two] = [await emit("deposit_credited"), await emit("payment_link_failed")];
  const other = await emit("deposit_credited", "test");
  const failed = { attempts: 10, nextAttemptAt: null, lastStatus: 500, lastError: "answered 500" };
  await t.db
    .update(webhookDeliveries)
    .set({ ...failed, status: "failed" })
    .where(ofEvent(one.id));
  const [first] = await storedDeliveries(two.id);
  const [second] = await storedDeliveries(one.id);
  const common = { refid: null, url: HOOK, created_at: AT, updated_at: AT };
  assert.deepEqual(await deliveries(), [
    {
      ...common,
      id: first!.id,
      event_id: two.id,
      type: "payment_link_failed",
      status: "due",
      attempts: 0,
      next_attempt_at: AT,
      last_status: null,
      last_error: null,
    },
    {
      ...common,
      id: second!.id,
      event_id: one.id,
      type: "deposit_credited",
      status: "failed",
      attempts: 10,
      next_attempt_at: null,
      last_status: 500,
      last_error: "answered 500",
    },
  ]);
  const ids = async (options: string) => (await deliveries(options)).map(({ event_id }) => event_id);
  assert.deepEqual(await ids("--status failed"), [one.id]);
  assert.deepEqual(await ids(`--before evt_${two.id}`), [one.id]);
  assert.deepEqual(await ids("--env test"), [other.id]);
  await cli.misuses(/'lost' is invalid/, `webhook deliveries --merchant ${email} --status lost`);
  await cli.refuses({
    "webhook deliveries --merchant nobody@example.com":
      "no merchant has this e-mail address: see `merchant list`",
  });
});

/** Accepts every request and keeps it. */
async function startReceiver() {
  const received: { body: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers });
    response.end("thanks");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, received, stop: () => server.close() };
}

test("webhook test sends a signed request to an endpoint and shows its answer", async (context) => {
  const { url, received, stop } = await startReceiver();
  context.after(stop);
  const { id, webhook_secret } = await cli.answer(`webhook endpoint add ${email} --env test --url ${url}`);
  // The signature is of now.
  const allowed = openTestCli(() => ({ ...variables(), WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" }));
  const shown = await allowed.answer(`webhook test ${id}`);
  assert.deepEqual(shown, {
    id,
    url,
    webhook_id: shown.webhook_id,
    type: "webhook_test",
    accepted: true,
    duration_ms: shown.duration_ms,
    status: 200,
    error: null,
    answer: "thanks",
  });
  const [{ body, headers } = assert.fail("nothing was received")] = received;
  assert.match(String(shown.webhook_id), /^test_/);
  assert.equal(headers["webhook-id"], shown.webhook_id);
  assert.partialDeepStrictEqual(
    verifyWebhook(String(webhook_secret), body, headers as Record<string, string>),
    {
      type: "webhook_test",
      data: { id, environment: "test" },
    },
  );
  // Without WEBHOOK_ALLOW_CIDRS the address is not allowed, as for the worker.
  const blocked = await cli.run(`webhook test ${id}`);
  assert.equal(blocked.status, 1);
  assert.match(blocked.stderr, /^the endpoint did not accept the request/);
  assert.partialDeepStrictEqual(blocked.json(), {
    accepted: false,
    status: null,
    error: "address_not_allowed",
  });
  assert.equal(received.length, 1);
  assert.deepEqual(await deliveries("--env test"), []);
  await cli.refuses({ "webhook test 999999": NO_ENDPOINT });
  // The log has the delivery that did not arrive, too. It has no refused one.
  const tested = await readDecisions(t.db, eq(auditLog.action, "webhook.test"));
  const decision = { subject: `webhook_endpoint:${id}`, details: { url } };
  assert.deepEqual(
    tested.map(({ subject, details }) => ({ subject, details })),
    [decision, decision],
  );
});

test("redeliver makes a delivered event due again, and records the operator", async () => {
  const { id } = await emit("deposit_credited");
  await t.db.update(webhookDeliveries).set({ status: "delivered", nextAttemptAt: null }).where(ofEvent(id));
  assert.deepEqual(await cli.answer(`webhook redeliver evt_${id}`), { event_id: id, redelivered: true });
  const statuses = (await storedDeliveries(id)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), ["delivered", "due"]);
  const subject = `event:${id}`;
  assert.deepEqual(await decisionsAbout(subject), [
    { actor: "operator:ada", action: "webhook.redeliver", subject, details: { env: "live" } },
  ]);
  await cli.refuses({ "webhook redeliver 999999": "no event has this number: see `webhook deliveries`" });
  await cli.misuses(/^error: /, "webhook redeliver x");
});

test("events sets the event types of an endpoint in one environment at once", async () => {
  const line = `webhook events --merchant ${email}`;
  const shows = async (options: string, types: unknown) => {
    const [row, ...more] = await cli.answer<Row[]>(`${line} ${options}`);
    assert.deepEqual(more, []);
    assert.deepEqual({ ...row, id: 0 }, { id: 0, env: "live", url: HOOK, types, disabled_at: null });
  };
  await shows("", "all");
  const some = ["payment_link_completed", "deposit_credited"];
  await shows(`--types ${some.join(",")}`, some);
  await shows("", some);
  await shows("--types all", "all");
  await cli.misuses(/There is no event type "paid"/, `${line} --types paid`);
});

test("adds, updates, rotates and removes endpoints, and records each change", async () => {
  const list = () => cli.answer<Row[]>(`webhook endpoint list ${email}`);
  const [own] = await list();
  assert.equal(own?.url, HOOK);
  const url = "https://other.example/hook";
  const types = "deposit_credited,deposit_reversed";
  const added = await cli.answer(`webhook endpoint add ${email} --url ${url} --types ${types}`);
  assert.match(String(added.webhook_secret), /^whsec_/);
  const rotated = await cli.answer(`webhook endpoint rotate ${added.id} --overlap 1h`);
  assert.match(String(rotated.webhook_secret), /^whsec_/);
  assert.notEqual(rotated.webhook_secret, added.webhook_secret);
  assert.equal(rotated.old_secret_until, "2026-03-01T13:00:00.000Z");
  const disabled = await cli.answer(`webhook endpoint update ${added.id} --types all --disable`);
  assert.equal(disabled.disabled_at, AT);
  const removed = await cli.answer(`webhook endpoint remove ${added.id}`);
  assert.deepEqual([removed.id, removed.removed, removed.types], [added.id, true, "all"]);
  assert.deepEqual(await list(), [own]);
  await cli.refuses({
    [`webhook endpoint remove ${added.id}`]: NO_ENDPOINT,
    [`webhook endpoint add ${email} --url https://shop.example:22/`]:
      "a webhook URL must be an http or https URL without user name, on port 80, 443 or one from 1024 on",
  });
  await cli.misuses(/nothing to change/, `webhook endpoint update ${own?.id}`);
  const recorded = await decisionsAbout(`webhook_endpoint:${added.id}`);
  assert.deepEqual(
    recorded.map(({ action, details }) => ({ action, details })),
    [
      { action: "webhook.endpoint.add", details: { env: "live", format: "standard", url, types } },
      { action: "webhook.endpoint.rotate", details: { old_until: rotated.old_secret_until } },
      {
        action: "webhook.endpoint.update",
        details: { before: url, url, types: "all", enabled: false },
      },
      { action: "webhook.endpoint.remove", details: { url } },
    ],
  );
});

test("redelivers the events of a period, and shows the results of attempts", async () => {
  const { id } = await emit("deposit_credited");
  await t.db.update(webhookDeliveries).set({ status: "delivered", nextAttemptAt: null }).where(ofEvent(id));
  const range = `webhook redeliver-range --merchant ${email} --from 2026-03-01T12:00:00Z --to 2026-03-01T12:00:01Z`;
  const ended = { more: false, last_event: null };
  assert.deepEqual(await cli.answer(`${range} --undelivered`), { events: 0, ...ended });
  assert.deepEqual(await cli.answer(range), { events: 1, ...ended });
  const stored = await storedDeliveries(id);
  assert.equal(stored.length, 2);
  const deliveryId = stored[0]!.id;
  const attempt = { attempt: 1, url: HOOK, status: 200 };
  await t.db.insert(webhookAttempts).values({
    ...attempt,
    deliveryId,
    startedAt: NOW,
    durationMs: 12,
    answer: Buffer.from("fine"),
  });
  assert.deepEqual(await cli.answer(`webhook attempts ${deliveryId}`), [
    { ...attempt, sent_at: AT, duration_ms: 12, error: null, answer: "fine" },
  ]);
  const recorded = await decisionsAbout(`merchant:${merchantId}`);
  assert.equal(recorded.filter(({ action }) => action === "webhook.redeliver-range").length, 2);
});
