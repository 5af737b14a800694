/** Claims and results of several endpoints that share a statement. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { updateEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { claimDueDeliveries, recordDelivered } from "#lib/domain/webhooks/delivery-store.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { actOf } from "#tests/support/acts.ts";
import { openDeliveryBench } from "./delivery-bench.ts";
import type { Owner } from "./receiver.ts";

const bench = await openDeliveryBench();

const claim = ({ endpointId }: Owner, limit: number) => ({
  ...{ endpointId, limit, now: bench.now },
  leaseUntil: new Date(bench.now.getTime() + 25_000),
});

const PLAIN = { ordered: false };

const change = ({ endpointId }: Owner, changes: Partial<typeof webhookEndpoints.$inferInsert>) =>
  bench.db.update(webhookEndpoints).set(changes).where(eq(webhookEndpoints.id, endpointId));

const answered = (answer: string) => ({
  ...{ startedAt: bench.now, durationMs: 3, status: 200, answer: Buffer.from(answer) },
});

/** How many transactions wrote the newest versions of these deliveries. */
async function countWriters(ids: readonly number[]): Promise<number> {
  const { rows } = await bench.db.execute<{ n: number }>(sql`
    select count(distinct xmin::text)::int as n from ${webhookDeliveries}
    where id = any(${sqlArray(ids, "bigint")})`);
  return rows[0]!.n;
}

test("one claim of several endpoints gives each its limit, a failing one a single delivery, a closed one none", async () => {
  const [busy, quiet] = [await bench.owner(), await bench.owner()];
  const [failing, closed] = [await bench.owner(), await bench.owner()];
  for (const owner of [busy, quiet, failing, closed]) await bench.emitMany(owner, 5);
  await change(failing, { failingSince: bench.now });
  await change(closed, { disabledAt: bench.now });
  const claims = [claim(closed, 3), claim(busy, 4), claim(failing, 3), claim(quiet, 2)];
  const claimed = await claimDueDeliveries(bench.db, claims, PLAIN);
  assert.deepEqual(
    claimed.map((of) => of.length),
    [0, 4, 1, 2],
  );
  assert.deepEqual(
    claimed.map((of) => [...new Set(of.map(({ endpointId }) => endpointId))]),
    [[], [busy.endpointId], [failing.endpointId], [quiet.endpointId]],
  );
  const again = await claimDueDeliveries(bench.db, [claim(busy, 4), claim(busy, 4), claim(quiet, 9)], PLAIN);
  assert.deepEqual(
    again.map((of) => of.length),
    [1, 0, 3],
  );
});

test("an endpoint that takes a link's events in order is claimed apart, so that its backlog delays no other", async () => {
  const [plain, ordered] = [await bench.owner(), await bench.owner()];
  for (const owner of [plain, ordered]) await bench.emitMany(owner, 2);
  await change(ordered, { format: "btcpay" });
  const claims = [claim(plain, 9), claim(ordered, 9)];
  const lengths = async (which: { readonly ordered: boolean }) =>
    (await claimDueDeliveries(bench.db, claims, which)).map((of) => of.length);
  assert.deepEqual(await lengths(PLAIN), [2, 0]);
  assert.deepEqual(await lengths({ ordered: true }), [0, 2]);
});

test("claims of many endpoints at the same time share a statement", async () => {
  const owners: Owner[] = [];
  for (let n = 0; n < 10; n++) owners.push(await bench.owner());
  for (const owner of owners) await bench.emitMany(owner, 2);
  const deps = bench.deps();
  const claims = await Promise.all(owners.map(({ endpointId }) => claimDeliveries(deps, endpointId, 2)));
  const all = claims.flatMap(({ claimed }) => claimed);
  assert.equal(all.length, 20);
  assert.equal(await countWriters(all.map(({ id }) => id)), 1);
  const ended = await Promise.all(all.map((one) => deliverWebhook(deps, one)));
  await Promise.all(ended.map(({ stored }) => stored));
  for (const { id } of all) {
    const row = await bench.row(id);
    assert.deepEqual([row.status, row.lastStatus, row.claimedUntil], ["delivered", 200, null]);
  }
});

test("results that are stored together end the failing of endpoints that still have the address of the attempt", async () => {
  const [same, moved, untouched] = [await bench.owner(), await bench.owner(), await bench.owner()];
  for (const owner of [same, moved, untouched]) {
    await bench.emit(owner);
    await change(owner, { failingSince: bench.now });
  }
  const claimed = await claimDueDeliveries(bench.db, [claim(same, 1), claim(moved, 1)], PLAIN);
  const [first, second] = [claimed[0]![0]!, claimed[1]![0]!];
  await bench.db.transaction((tx) =>
    updateEndpoint(actOf(tx, moved.merchantId, { env: moved.env, now: bench.now }), {
      id: moved.endpointId,
      url: `${bench.receiver.url}/new`,
    }),
  );
  await change(moved, { failingSince: bench.now });
  await recordDelivered(bench.db, [
    { claimed: second, attempt: answered("two"), now: bench.now },
    { claimed: first, attempt: answered("one"), now: bench.now },
  ]);
  assert.equal(await countWriters([first.id, second.id]), 1);
  const since = async (owner: Owner) => (await bench.endpoint(owner.endpointId)).failingSince;
  assert.deepEqual(
    [await since(same), await since(moved), await since(untouched)],
    [null, bench.now, bench.now],
  );
  for (const [claimed, text] of [
    [first, "one"],
    [second, "two"],
  ] as const) {
    assert.equal((await bench.row(claimed.id)).status, "delivered");
    const log = await bench.db
      .select()
      .from(webhookAttempts)
      .where(eq(webhookAttempts.deliveryId, claimed.id));
    assert.deepEqual(
      log.map(({ attempt, status, error, answer }) => [attempt, status, error, answer?.toString()]),
      [[1, 200, null, text]],
    );
  }
});
