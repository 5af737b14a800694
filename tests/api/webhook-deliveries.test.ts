import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pino } from "pino";
import type { RequestQuery } from "#lib/client/client.ts";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { SECRET_KEY, startApi } from "#tests/support/api.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { agent, startReceiver, status } from "#tests/unit/domain/webhooks/receiver.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await api.close();
});
const { db } = api.database;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const owner = { merchantId: merchant.id, env: "test" } as const;
const MESSAGE = "webhook deliveries retrieved successfully";
const NO_MORE = { has_more: false, next_cursor: null };

const list = (query: RequestQuery<"/webhooks/deliveries"> = {}, key = merchant.test) =>
  api.client(key).GET("/webhooks/deliveries", { params: { query } });
const emit = () =>
  db.transaction((tx) =>
    emitRawEvent(tx, { ...owner, type: "deposit_credited", dataJson: '{"n":1}', txHashes: [] }, AT),
  );

async function send(): Promise<void> {
  const deps = {
    ...{ db, agent, secrets: openSecrets(SECRET_KEY), log: pino({ level: "silent" }) },
    ...{ now: () => AT, timeoutMs: 5_000, signal: new AbortController().signal },
  };
  const [endpoint] = await listEndpoints(db, owner);
  // After a failure, an endpoint first gets a single event.
  for (let more = true; more; ) {
    const found = await claimDeliveries(deps, endpoint!.id, 10);
    for (const one of found.claimed) await deliverWebhook(deps, one);
    more = found.more;
  }
}

test("the list is empty at first", async () =>
  says(await list(), 200, { status: "success", message: MESSAGE, data: [], meta: NO_MORE }));

test("lists a delivery with its attempts, and with its texts for a single event", async () => {
  await db.transaction((tx) => setEndpointUrl(tx, { ...owner, url: receiver.url }));
  receiver.reply(status(500));
  const { id } = await emit();
  await send();
  const [brief] = successOf(await list()).data;
  const [whole] = successOf(await list({ webhook_id: `evt_${id}` })).data;
  const [attempt] = whole!.log;
  assert.ok(attempt && attempt.duration_ms >= 0);
  const record = {
    ...{
      id: whole?.id,
      webhook_id: id,
      type: "deposit_credited",
      endpoint_id: whole?.endpoint_id,
      url: receiver.url,
    },
    ...{ status: "due", attempts: 1, next_attempt_at: whole?.next_attempt_at, last_status: 500 },
    last_error: "answered 500",
    body: '{"type":"deposit_credited","timestamp":"2026-03-01T12:00:00.250Z","data":{"n":1}}',
    log: [
      {
        ...{ attempt: 1, url: receiver.url, sent_at: AT.toISOString(), duration_ms: attempt.duration_ms },
        ...{ status: 500, error: "answered 500", answer: "ok" },
      },
    ],
    ...{ created_at: AT.toISOString(), updated_at: AT.toISOString() },
  };
  assert.deepEqual(whole, record);
  assert.deepEqual(brief, { ...record, body: null, log: [{ ...record.log[0], answer: null }] });
  assert.equal(whole?.body, receiver.received.at(-1)?.body);
  says(await list({ webhook_id: String(id) }), 200, {
    ...{ status: "success", message: MESSAGE, data: [whole], meta: NO_MORE },
  });
});

test("filters by status, pages and counts, and lists deliveries of this merchant only", async () => {
  receiver.reply(status(200));
  for (let n = 0; n < 4; n++) await emit();
  await send();
  assert.equal(successOf(await list({ status: "delivered" })).data.length, 4);
  assert.equal(successOf(await list({ status: "due" })).data.length, 1);
  assert.deepEqual(successOf(await list({ status: "failed" })).data, []);
  const first = successOf(await list({ limit: 3, count: "1" }));
  assert.deepEqual([first.meta.has_more, first.meta.total], [true, 5]);
  const rest = successOf(await list({ cursor: first.meta.next_cursor! }));
  const ids = [...first.data, ...rest.data].map(({ id }) => id);
  assert.equal(ids.length, 5);
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => b - a),
  );
  assert.deepEqual(successOf(await list({}, otherMerchant.test)).data, []);
  assert.deepEqual(successOf(await list({ webhook_id: "evt_1" }, otherMerchant.test)).data, []);
});

test("refuses malformed parameters", async () => {
  const ask = (query: string) =>
    api.send({
      method: "GET",
      path: `/webhooks/deliveries?${query}`,
      headers: { "x-staging-api-key": merchant.test },
    });
  for (const [query, message] of [
    ["status=lost", "status must be due, delivered or failed"],
    ["webhook_id=evt_", "webhook_id must be evt_ and a number"],
    ["webhook_id=0", "webhook_id must be evt_ and a number"],
    ["limit=0", "limit must be between 1 and 500"],
    ["cursor=x", "invalid cursor"],
  ] as const) {
    refused(await ask(query), 400, message);
  }
});
