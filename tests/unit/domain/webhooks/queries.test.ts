import assert from "node:assert/strict";
import { test } from "node:test";
import { updateEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { listDeliveries, measureDeliveries } from "#lib/domain/webhooks/queries.ts";
import { actOf } from "#tests/support/acts.ts";
import { emitRawEvents } from "#tests/support/emit-raw-event.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { openDeliveryBench } from "./delivery-bench.ts";
import { aReceiver, status } from "./receiver.ts";

const START = new Date("2026-03-01T00:00:00.000Z");

const bench = await openDeliveryBench(START, { isNew: true });
const minutesOn = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
const measured = () => measureDeliveries(bench.db, bench.now);

test("counts deliveries of a failing receiver without their age, and those that wait for a worker with it", async (t) => {
  const dead = await aReceiver(t);
  dead.reply(status(500));
  const failing = await bench.owner(dead);
  await bench.emitMany(failing, 12);
  assert.deepEqual(await measured(), { due: 12, oldest: START, disabled: 0 });

  await bench.send(failing.endpointId, 1);
  bench.now = minutesOn(30);
  assert.deepEqual(await measured(), { due: 12, oldest: null, disabled: 0 });

  // No worker delivers it.
  await bench.emit(await bench.owner());
  bench.now = minutesOn(40);
  assert.deepEqual(await measured(), { due: 13, oldest: minutesOn(30), disabled: 0 });

  // With a new address the receiver is no longer the reason of their wait.
  const { url } = bench.receiver;
  await bench.db.transaction((tx) =>
    updateEndpoint(actOf(tx, failing.merchantId, { env: failing.env, now: bench.now }), {
      id: failing.endpointId,
      url,
    }),
  );
  assert.deepEqual((await measured()).oldest, START);
});

test("reads the deliveries of one payment by an index, however many other events there are", async () => {
  const { merchantId, env } = await bench.owner();
  const owner = { merchantId, env };
  const event = { ...owner, type: "deposit_credited", txHashes: [] } as const;
  const events = Array.from({ length: 2_000 }, (_, n) => ({ ...event, dataJson: `{"refid":"link${n}"}` }));
  await bench.db.transaction((tx) => emitRawEvents(tx, [...events, { ...event, dataJson: "{}" }], START));
  await bench.db.execute("analyze webhook_events, webhook_deliveries, webhook_endpoints");
  const filter = { status: null, before: null, refid: "link7", limit: 50 };
  const listed = await listDeliveries(bench.db, owner, filter);
  assert.deepEqual(
    listed.map(({ type, refid, status }) => ({ type, refid, status })),
    [{ type: "deposit_credited", refid: "link7", status: "due" }],
  );
  const stranger = { ...owner, merchantId: merchantId + 1 };
  assert.deepEqual(await listDeliveries(bench.db, stranger, filter), []);
  const plan = await planOf(bench.base, (db) => listDeliveries(db, owner, filter));
  assert.match(plan, /webhook_events_refid/);
  assert.doesNotMatch(plan, /Seq Scan on webhook_(events|deliveries)/);
});
