import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import type { RequestQuery } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { LAST_PAGE, refused, succeeded, successOf } from "#tests/support/says.ts";
import { startReceiver, status } from "#tests/unit/domain/webhooks/receiver.ts";
import { sendDue } from "./send-due.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startTestApi();
const receiver = await startReceiver();
after(() => receiver.close());
const { db } = api.database;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const owner = { merchantId: merchant.id, env: "test" } as const;
const list = (query: RequestQuery<"/webhooks/deliveries"> = {}, key = merchant.test) =>
  api.client(key).GET("/webhooks/deliveries", { params: { query } });
const emit = () =>
  db.transaction((tx) =>
    emitRawEvent(tx, { ...owner, type: "deposit_credited", dataJson: '{"n":1}', txHashes: [] }, AT),
  );

const send = () => sendDue(api, merchant, () => AT);

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
    ...{ id: whole?.id, webhook_id: id, type: "deposit_credited" },
    ...{ endpoint_id: whole?.endpoint_id, url: receiver.url },
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
  const answer = await list({ webhook_id: String(id) });
  succeeded(answer, "webhook deliveries retrieved successfully", [whole], LAST_PAGE);
});

test("filters by status, newest first, and shows no event of another merchant", async () => {
  receiver.reply(status(200));
  for (let n = 0; n < 4; n++) await emit();
  await send();
  assert.equal(successOf(await list({ status: "delivered" })).data.length, 4);
  assert.equal(successOf(await list({ status: "due" })).data.length, 1);
  assert.deepEqual(successOf(await list({ status: "failed" })).data, []);
  const ids = successOf(await list()).data.map(({ id }) => id);
  assert.equal(ids.length, 5);
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => b - a),
  );
  assert.deepEqual(successOf(await list({ webhook_id: "evt_1" }, otherMerchant.test)).data, []);
});

for (const [query, message] of [
  ["status=lost", "status must be due, delivered or failed"],
  ["webhook_id=evt_", "webhook_id must be evt_ and a number"],
  ["webhook_id=0", "webhook_id must be evt_ and a number"],
] as const) {
  test(`refuses ?${query}`, async () => {
    const answer = await api.send({ path: `/webhooks/deliveries?${query}`, key: merchant.test });
    refused(answer, 400, message);
  });
}
