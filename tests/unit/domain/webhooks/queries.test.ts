import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { listDeliveries, measureDeliveries } from "#lib/domain/webhooks/queries.ts";
import { updateEndpoint } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { emitRawEvent, emitRawEvents } from "#tests/support/emit-raw-event.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { deliverDeps, merchantWithEndpoint, startReceiver, status } from "./receiver.ts";

const START = new Date("2026-03-01T00:00:00.000Z");

let base: TestDatabase;
let now = START;

before(async () => {
  base = await testDatabase();
});
after(() => base.close());

const minutesOn = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
const measured = () => measureDeliveries(base.db, now);

const emit = (merchantId: number) =>
  base.db.transaction((tx) =>
    emitRawEvent(
      tx,
      { merchantId, env: "test", type: "deposit_credited", dataJson: "{}", txHashes: [] },
      now,
    ),
  );

test("counts deliveries of a failing receiver without their age, and those that wait for a worker with it", async (t) => {
  const [dead, alive] = [await startReceiver(), await startReceiver()];
  t.after(() => Promise.all([dead.close(), alive.close()]));
  dead.reply(status(500));
  const deps = deliverDeps(base.db, () => now);
  const failing = await merchantWithEndpoint(base.db, dead);
  for (let n = 0; n < 12; n++) await emit(failing.merchantId);
  assert.deepEqual(await measured(), { due: 12, oldest: START, disabled: 0 });

  const { claimed } = await claimDeliveries(deps, failing.endpointId, 1);
  for (const one of claimed) await deliverWebhook(deps, one);
  now = minutesOn(30);
  assert.deepEqual(await measured(), { due: 12, oldest: null, disabled: 0 });

  // No worker delivers it.
  const well = await merchantWithEndpoint(base.db, alive);
  await emit(well.merchantId);
  now = minutesOn(40);
  assert.deepEqual(await measured(), { due: 13, oldest: minutesOn(30), disabled: 0 });

  // With a new address the receiver is no longer the reason of their wait.
  await base.db.transaction((tx) => updateEndpoint(tx, failing.endpointId, { url: alive.url }, now));
  assert.deepEqual((await measured()).oldest, START);
});

test("reads the deliveries of one payment by an index, however many other events there are", async () => {
  const { merchantId } = await merchantWithEndpoint(base.db, { url: "https://shop.example/", secret: "s" });
  const owner = { merchantId, env: "test" } as const;
  const event = { ...owner, type: "deposit_credited", txHashes: [] } as const;
  const events = Array.from({ length: 2_000 }, (_, n) => ({ ...event, dataJson: `{"refid":"link${n}"}` }));
  await base.db.transaction((tx) => emitRawEvents(tx, [...events, { ...event, dataJson: "{}" }], START));
  await base.db.execute("analyze webhook_events, webhook_deliveries");
  const filter = { status: null, before: null, refid: "link7", limit: 50 };
  const listed = await listDeliveries(base.db, owner, filter);
  assert.deepEqual(
    listed.map(({ type, refid, status }) => ({ type, refid, status })),
    [{ type: "deposit_credited", refid: "link7", status: "due" }],
  );
  const stranger = { ...owner, merchantId: merchantId + 1 };
  assert.deepEqual(await listDeliveries(base.db, stranger, filter), []);
  const plan = await planOf(base, (db) => listDeliveries(db, owner, filter));
  assert.match(plan, /webhook_events_refid/);
  assert.doesNotMatch(plan, /Seq Scan on webhook_(events|deliveries)/);
});
