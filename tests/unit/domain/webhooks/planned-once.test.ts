import assert from "node:assert/strict";
import { test } from "node:test";
import { claimDueDeliveries, recordDelivered } from "#lib/domain/webhooks/delivery-store.ts";
import { listKept, TIMES } from "#tests/support/kept-plans.ts";
import { openDeliveryBench } from "./delivery-bench.ts";

const bench = await openDeliveryBench();

test("the statements that claim and record deliveries are planned once per connection", async () => {
  const owners = await Promise.all([1, 2].map(() => bench.owner()));
  for (const owner of owners) await bench.emitMany(owner, TIMES);
  const { now } = bench;
  const claims = owners.map(({ endpointId }) => {
    return { endpointId, limit: 1, now, leaseUntil: new Date(now.getTime() + 25_000) };
  });
  const attempt = { startedAt: now, durationMs: 3, status: 200, answer: Buffer.from("ok") };
  const kept = await bench.db.transaction(async (tx) => {
    for (let i = 0; i < TIMES; i++) {
      const claimed = (await claimDueDeliveries(tx, claims, { ordered: false })).flat();
      assert.equal(claimed.length, owners.length);
      await recordDelivered(
        tx,
        claimed.map((one) => ({ claimed: one, attempt, now })),
      );
    }
    return listKept(tx);
  });
  for (const name of ["claim_webhook_deliveries", "record_delivered_webhooks"])
    assert.equal(kept.get(name), true, name);
});
