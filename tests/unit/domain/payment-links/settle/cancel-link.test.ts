import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Env } from "#lib/chains/network-data.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { actOf } from "#tests/support/acts.ts";
import { watchLockWaits } from "#tests/support/lock-waits.ts";
import { minutes, START } from "../facts.ts";
import { aWorld, BEP20, usdt, type World } from "../world.ts";

const AT = minutes(START, 10);
let world: World;
beforeEach(async () => {
  world = await aWorld();
});
afterEach(() => world.close());

const ownerOf = ({ owner: { merchantId, env } }: World) => ({ merchantId, env });
const cancelIn = (tx: Tx, refid: string, act: { now?: Date; env?: Env; merchantId?: number } = {}) => {
  const { merchantId, env, now } = { ...ownerOf(world), now: AT, ...act };
  return cancelLink(actOf(tx, merchantId, { env, now }), { services: world.deps, refid });
};
const cancel = (refid: string, now = AT) => world.db.transaction((tx) => cancelIn(tx, refid, { now }));
const stateOf = async (refid: string, now = AT) => {
  const { state, reason, late } = await world.view(refid, now);
  return [state, reason, late];
};

test("ends an unpaid link at once, whatever the watchers have read, and says so in one event", async () => {
  for (const { refid } of [await world.create(), await world.createPicked()]) {
    const sent = (await world.events()).length;
    assert.deepEqual(await cancel(refid), { ok: true });
    assert.deepEqual(await stateOf(refid), ["expired", "canceled", false]);
    assert.deepEqual((await world.view(refid, AT)).expiresAt, AT);
    const [event, ...more] = (await world.events()).slice(sent);
    assert.deepEqual(
      [event?.type, event?.data.state, event?.data.reason],
      ["payment_link_failed", "expired", "canceled"],
    );
    assert.deepEqual(more, []);
    const pick = { pair: BEP20, ip: "203.0.113.5" };
    assert.deepEqual(await startSession(world.deps, refid, pick, AT), { ok: false, reason: "ended" });
  }
});

test("canceling again, also at once from several sides, changes nothing and sends nothing", async () => {
  const { refid } = await world.createPicked();
  assert.deepEqual(
    await Promise.all([cancel(refid), cancel(refid), cancel(refid)]),
    Array(3).fill({ ok: true }),
  );
  const once = await world.view(refid, AT);
  assert.deepEqual(await cancel(refid, minutes(AT, 5)), { ok: true });
  assert.deepEqual(await world.view(refid, AT), once);
  assert.deepEqual(await world.eventTypes(), ["failed"]);
});

test("is refused once money was seen, and once the link has ended", async () => {
  const { refid } = await world.createPicked();
  const refusal = { ok: false, reason: "link_not_cancelable" };
  const id = await world.pay(refid, { amount: usdt("40"), at: minutes(START, 5) });
  assert.deepEqual(await cancel(refid), refusal);
  const rest = await world.pay(refid, { amount: usdt("60"), at: minutes(START, 6) });
  assert.deepEqual(await cancel(refid), refusal);
  await world.change([id, rest], "credited", minutes(START, 7));
  assert.deepEqual(await cancel(refid), refusal);
  assert.deepEqual(
    (await world.events()).map(({ type }) => type),
    ["payment_link_completed"],
  );
});

test("dust, which changes no state, cannot keep a link from being canceled", async () => {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: 1n, status: "credited", at: minutes(START, 5) });
  assert.deepEqual(await stateOf(refid), ["awaiting", null, false]);
  assert.deepEqual(await cancel(refid), { ok: true });
});

test("what comes later is late, even with a block from before", async () => {
  const { refid } = await world.createPicked();
  await cancel(refid);
  const id = await world.pay(refid, { amount: usdt("100"), at: minutes(START, 9) });
  await world.change([id], "credited", minutes(AT, 1));
  assert.deepEqual(await stateOf(refid, minutes(AT, 1)), ["expired", "canceled", true]);
  assert.deepEqual(await world.eventTypes(), ["failed", "late"]);
});

/** Both are started, the second one while the first has not committed, and waits for it. */
async function overlap(
  lockWait: () => Promise<void>,
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<unknown>,
) {
  let waiting: Promise<unknown> | undefined;
  const started = await world.db.transaction(async (tx) => {
    const result = await first(tx);
    waiting = second();
    await lockWait();
    return result;
  });
  return [started, await waiting];
}

test("a payment and the cancellation at the same time: the one that came first decides", async () => {
  const lockWait = await watchLockWaits(world.database.pool);
  const payment = { amount: usdt("100"), status: "credited", at: minutes(START, 5) } as const;
  const paid = await world.createPicked();
  const payFirst = async (tx: Tx) => {
    const id = await world.record(tx, paid.refid, payment);
    await settlePayments(tx, world.deps, [id], payment.at);
  };
  const [, refused] = await overlap(lockWait, payFirst, () => cancel(paid.refid));
  assert.deepEqual(refused, { ok: false, reason: "link_not_cancelable" });
  assert.deepEqual(await stateOf(paid.refid), ["completed", null, false]);

  const { refid } = await world.createPicked();
  const cancelFirst = (tx: Tx) => cancelIn(tx, refid);
  const [canceled] = await overlap(lockWait, cancelFirst, () => world.pay(refid, payment));
  assert.deepEqual(canceled, { ok: true });
  assert.deepEqual(await stateOf(refid), ["expired", "canceled", true]);
  assert.deepEqual(await world.eventTypes(), ["completed", "failed", "late"]);
});

test("a link that accepted late money completed is canceled again when a reorg takes the money back", async () => {
  await world.close();
  world = await aWorld({ latePolicy: "accept" });
  const { refid } = await world.createPicked();
  assert.deepEqual(await cancel(refid), { ok: true });
  const late = await world.pay(refid, { amount: usdt("100"), status: "credited", at: minutes(AT, 5) });
  assert.deepEqual(await stateOf(refid), ["completed", null, true]);
  await world.change([late], "dropped", minutes(AT, 6));
  assert.deepEqual(await stateOf(refid), ["expired", "canceled", false]);
});
