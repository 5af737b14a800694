import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { eq } from "drizzle-orm";
import pg from "pg";
import { getRequiredConfirmations } from "#lib/chains/finality-rules.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { listLinksByAddress } from "#lib/domain/payment-links/queries.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinks, quotes } from "#lib/domain/payment-links/tables.ts";
import { until } from "#tests/support/until.ts";
import { minutes, START } from "../facts.ts";
import { aWorld, BEP20, ENDED, usdt, type World } from "../world.ts";

const worlds: World[] = [];
async function makeWorld(terms: Parameters<typeof aWorld>[0] = {}): Promise<World> {
  const world = await aWorld(terms);
  worlds.push(world);
  return world;
}
// The next test uses its database again.
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

describe("a payment of a link", () => {
  let world: World;
  beforeEach(async () => {
    world = await makeWorld();
  });

  test("of the full amount is detected when seen, and completes the link when credited", async () => {
    const { refid } = await world.createPicked();
    const id = await world.pay(refid, { amount: usdt("100"), at: minutes(START, 5) });
    const detected = await world.view(refid, minutes(START, 5));
    assert.deepEqual([detected.state, detected.version, detected.remaining], ["detected", 3, []]);
    assert.deepEqual(await world.eventTypes(), []);

    await world.change([id], "credited", minutes(START, 6));
    const link = await world.view(refid, minutes(START, 6));
    assert.deepEqual([link.state, link.version, link.seq], ["completed", 4, 1]);
    assert.deepEqual(link.completedAt, minutes(START, 6));
    assert.deepEqual(await world.eventTypes(), ["completed"]);
  });

  test("sends an event with every field and the metadata unchanged", async () => {
    const link = await world.createPicked();
    const id = await world.pay(link.refid, { amount: usdt("100.5"), at: minutes(START, 5) });
    await world.change([id], "credited", minutes(START, 6));
    const [event] = await world.events();
    assert.equal(event?.type, "payment_link_completed_overpaid");
    assert.ok(event.body.includes('"metadata":{"cart": 7,  "n": 1.50}}'));
    const [deposit] = await world.db.select().from(deposits);
    const address = link.wallets[0]?.address;
    assert.deepEqual(event.data, {
      refid: link.refid,
      payment_reference: "ORDER1001",
      payment_link: `https://pay.example.com/${link.refid}`,
      state: "overpaid",
      reason: null,
      late: false,
      seq: 1,
      environment: "test",
      amount_required: "100",
      amount_currency: "usd",
      expires_at: "2030-01-01T12:00:00Z",
      payments: [
        {
          ...{ ...BEP20, address, tx_hash: deposit?.txHash, output_pos: 3, amount: "100.5", worth: "1.005" },
          ...{ confirmations: 1, required_confirmations: 1, status: 1, late: false },
          first_seen_at: "2030-01-01T10:05:00.000Z",
          confirmed_at: "2030-01-01T10:06:00.000Z",
        },
      ],
      payments_count: 1,
      received: [{ ...BEP20, amount: "100.5" }],
      remaining: [],
      excess: [{ ...BEP20, amount: "0.5" }],
      customer: { email: "ada@example.com", first_name: "Ada", last_name: "Obi", phone: null },
      metadata: { cart: 7, n: 1.5 },
    });
    assert.deepEqual(event.txHashes, [deposit?.txHash]);
  });

  test("of too little leaves the exact remaining amount, which completes the link", async () => {
    world.setRates("usdt/usd=1,usd/ngn=7");
    const odd = await world.createPicked({ amount: 1_000n, currency: "ngn" });
    await world.pay(odd.refid, { amount: usdt("0.333333333333333333"), status: "credited" });
    const partial = await world.view(odd.refid, START);
    assert.equal(partial.state, "partial");
    assert.equal(partial.remaining[0]?.amount, usdt("1.095239"));
    await world.pay(odd.refid, { amount: usdt("1.095239"), status: "credited" });
    const link = await world.view(odd.refid, START);
    assert.deepEqual([link.state, link.excess], ["completed", []]);
  });

  test("settled again changes only the version, and emits nothing", async () => {
    const { refid } = await world.createPicked();
    const id = await world.pay(refid, { amount: usdt("100"), status: "credited" });
    const link = await world.view(refid, START);
    await world.db.transaction((tx) => settlePayments(tx, world.deps, [id, id], START));
    assert.deepEqual(await world.view(refid, START), { ...link, version: link.version + 1 });
    assert.deepEqual(await world.eventTypes(), ["completed"]);
  });

  test("after completion is extra, is reported once, and stays reported when dropped", async () => {
    const { refid } = await world.createPicked();
    await world.pay(refid, { amount: usdt("100"), status: "credited" });
    const extra = await world.pay(refid, { amount: usdt("5") });
    assert.deepEqual(await world.eventTypes(), ["completed"]);
    await world.change([extra], "credited", minutes(START, 1));
    await world.change([extra], "seen", minutes(START, 2));
    await world.change([extra], "credited", minutes(START, 3));
    assert.deepEqual(await world.eventTypes(), ["completed", "extra"]);
    const link = await world.view(refid, minutes(START, 3));
    const excess = [{ ...BEP20, amount: usdt("5") }];
    assert.deepEqual([link.state, link.completedAt, link.excess], ["completed", START, excess]);
  });

  test("that is dropped reverts the completion, and completes again when credited again", async () => {
    const { refid } = await world.createPicked();
    const id = await world.pay(refid, { amount: usdt("100"), status: "credited" });
    await world.change([id], "seen", minutes(START, 1));
    const reverted = await world.view(refid, minutes(START, 1));
    assert.deepEqual([reverted.state, reverted.completedAt], ["detected", null]);
    await world.change([id], "dropped", minutes(START, 2));
    assert.equal((await world.view(refid, minutes(START, 2))).state, "awaiting");
    await world.change([id], "credited", minutes(START, 3));
    const link = await world.view(refid, minutes(START, 3));
    assert.deepEqual([link.state, link.completedAt, link.seq], ["completed", minutes(START, 3), 3]);
    assert.deepEqual(await world.eventTypes(), ["completed", "reverted", "completed"]);
    assert.deepEqual(
      (await world.events()).map(({ data }) => data.seq),
      [1, 2, 3],
    );
  });

  test("that is an unmatched deposit is not a payment of the link", async () => {
    const { refid } = await world.createPicked();
    await world.db.transaction(async (tx) => {
      const id = await world.record(tx, refid, { amount: usdt("100"), status: "seen" });
      await tx.update(deposits).set({ unmatchedReason: "another token" }).where(eq(deposits.id, id));
      await settlePayments(tx, world.deps, [id], START);
    });
    const link = await world.view(refid, START);
    assert.deepEqual([link.state, link.payments], ["awaiting", []]);
  });

  test("to an address without a link is ignored", async () => {
    await world.db.transaction((tx) => settlePayments(tx, world.deps, [123_456], START));
    await world.db.transaction((tx) => settlePayments(tx, world.deps, [], START));
  });

  test("notifies open pages of the new version after the commit", async () => {
    const { refid, version } = await world.createPicked();
    const listener = new pg.Client({ connectionString: world.url });
    await listener.connect();
    const heard: string[] = [];
    listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await listener.query("listen paylink_links");
    await world.pay(refid, { amount: usdt("10") });
    await until("a notification", () => heard.length > 0);
    const [link] = await world.db.select().from(paymentLinks).where(eq(paymentLinks.refid, refid));
    assert.deepEqual(heard, [`${refid}:${version + 1}:${link?.merchantId}:${link?.env}`]);
    await listener.end();
  });

  test("is found by its address, with the value of the link", async () => {
    const { refid } = await world.createPicked();
    await world.pay(refid, { amount: usdt("1") });
    const [deposit] = await world.db.select().from(deposits);
    const found = await listLinksByAddress(world.db, [deposit!.addressId, 987_654]);
    const { merchantId } = world.owner;
    const link = { merchantId, token: "usdt", refid, usdCents: 10_000n };
    assert.deepEqual([...found], [[deposit!.addressId, link]]);
    assert.equal(getRequiredConfirmations(world.adapter.data.finality, 10_000n), 1);
  });
});

describe("the quote of a payment", () => {
  let world: World;
  beforeEach(async () => {
    world = await makeWorld();
  });
  const worths = async (refid: string, at: Date) =>
    (await world.view(refid, at)).payments.map(({ worth }) => worth);

  test("is fixed when the payment is first seen: later rates change nothing", async () => {
    const { refid } = await world.createPicked();
    await world.pay(refid, { amount: usdt("50"), at: minutes(START, 5) });
    world.setRates("usdt/usd=2");
    await world.pay(refid, { amount: usdt("25"), at: minutes(START, 30) });
    assert.deepEqual(await worths(refid, minutes(START, 30)), ["0.5", "0.5"]);
    assert.equal((await world.view(refid, minutes(START, 30))).state, "detected");
  });

  test("is the one of then only for the amount that a replaced payment paid", async () => {
    const { refid } = await world.createPicked();
    const early = { amount: usdt("50"), at: minutes(START, 5) };
    world.setRates("usdt/usd=2");
    await world.pay(refid, { amount: usdt("75"), at: minutes(START, 30), early });
    const link = await world.view(refid, minutes(START, 30));
    assert.deepEqual([link.payments[0]?.worth, link.paymentCount, link.state], ["1", 1, "detected"]);
    assert.equal(link.received[0]?.amount, usdt("75"));
    for (let i = 0; i < 20; i++) await world.pay(refid, { amount: 1n, at: minutes(START, 30) });
    const crowded = await world.view(refid, minutes(START, 30));
    assert.deepEqual([crowded.paymentCount, crowded.received[0]?.amount], [21, usdt("75") + 20n]);
  });

  test("is missing for all of a replaced payment until the rest has one too", async () => {
    const { refid } = await world.createPicked();
    const early = { amount: usdt("50"), at: minutes(START, 5) };
    world.setRates(null);
    await world.pay(refid, { amount: usdt("75"), at: minutes(START, 30), early, status: "credited" });
    assert.deepEqual(await worths(refid, minutes(START, 30)), [null]);
    world.setRates("usdt/usd=2");
    await sweepPaymentLinks(world.deps, minutes(START, 31));
    assert.deepEqual(await worths(refid, minutes(START, 31)), ["1"]);
    assert.deepEqual(await world.eventTypes(), ["completed"]);
  });

  test("is created when the payment is first seen, if nobody viewed the link before", async () => {
    const { refid } = await world.create({ wallets: [BEP20] });
    world.setRates("usdt/usd=2");
    await world.pay(refid, { amount: usdt("10"), at: minutes(START, 60) });
    const link = await world.view(refid, minutes(START, 61));
    assert.deepEqual([link.payments[0]?.worth, link.remaining[0]?.amount], ["0.2", usdt("40")]);
    assert.equal(link.quotes.length, 2);
    assert.deepEqual(link.quotes[0]?.validUntil, minutes(START, 80));
  });

  test("is the same for payments first seen together", async () => {
    const { refid } = await world.create({ wallets: [BEP20] });
    const at = minutes(START, 60);
    await world.db.transaction(async (tx) => {
      const ids = [
        await world.record(tx, refid, { amount: usdt("10"), at }),
        await world.record(tx, refid, { amount: usdt("20"), at }),
      ];
      await settlePayments(tx, world.deps, ids, at);
    });
    assert.equal(await world.db.$count(quotes), 2);
    assert.deepEqual(await worths(refid, at), ["0.1", "0.2"]);
  });

  test("is assigned by the sweep once there is a rate; the credit does not wait", async () => {
    world.setRates(null);
    const { refid } = await world.create({ wallets: [BEP20] });
    await world.pay(refid, { amount: usdt("100"), status: "credited", at: minutes(START, 5) });
    const waiting = await world.view(refid, minutes(START, 5));
    assert.deepEqual([waiting.state, waiting.payments[0]?.worth], ["partial", null]);
    assert.equal(await sweepPaymentLinks(world.deps, minutes(START, 6)), 1);
    assert.equal((await world.view(refid, minutes(START, 6))).version, waiting.version, "nothing to see yet");
    world.setRates("usdt/usd=1");
    assert.equal(await sweepPaymentLinks(world.deps, minutes(START, 7)), 1);
    assert.equal((await world.view(refid, minutes(START, 7))).state, "completed");
    assert.deepEqual(await world.eventTypes(), ["completed"]);
  });

  test("that is missing because of invalid fixed rates does not delay other payments", async () => {
    const broken = await makeWorld({ fixedRates: "nonsense" });
    const { refid } = await broken.create({ wallets: [BEP20] });
    await broken.pay(refid, { amount: usdt("100"), status: "credited" });
    assert.equal((await broken.view(refid, START)).payments[0]?.worth, null);
  });
});

describe("payments after the end", () => {
  async function anEnded(world: World, paid: string | null) {
    const { refid } = await world.createPicked();
    if (paid) await world.pay(refid, { amount: usdt(paid), status: "credited" });
    await world.pass(minutes(START, 121));
    await sweepPaymentLinks(world.deps, minutes(START, 122));
    return refid;
  }

  test("are held by default, late for link and payment alike, also with an early block time", async () => {
    const world = await makeWorld();
    const refid = await anEnded(world, null);
    // The decision was made without this payment: its block's clock is behind.
    const id = await world.pay(refid, { amount: usdt("100"), status: "credited", at: minutes(START, 119) });
    const link = await world.view(refid, ENDED);
    assert.deepEqual([link.state, link.reason, link.late], ["expired", "expired", true]);
    assert.deepEqual([link.payments[0]?.late, link.payments[0]?.worth], [true, "1"]);
    assert.deepEqual(await world.eventTypes(), ["failed", "late"]);
    const event = (await world.events()).at(-1)?.data;
    const [payment] = (event?.payments ?? []) as { late: boolean }[];
    assert.deepEqual([event?.late, payment?.late], [true, true]);
    await world.db.update(deposits).set({ firstSeenAt: START }).where(eq(deposits.id, id));
    await world.change([id], "credited", ENDED);
    assert.equal((await world.view(refid, ENDED)).payments[0]?.late, true, "a reported payment stays late");
  });

  test("are accepted if the merchant accepts them", async () => {
    const world = await makeWorld({ latePolicy: "accept" });
    const refid = await anEnded(world, "60");
    const failed = await world.view(refid, ENDED);
    assert.deepEqual([failed.state, failed.reason], ["failed", "underpaid"]);
    assert.deepEqual(failed.remaining, [{ ...BEP20, amount: usdt("40") }], "what was missing");
    await world.pay(refid, { amount: usdt("40"), status: "credited", at: ENDED });
    const link = await world.view(refid, ENDED);
    assert.deepEqual([link.state, link.late, link.seq], ["completed", true, 2]);
    assert.deepEqual(link.payments.map(({ late }) => late).sort(), [false, true]);
    assert.deepEqual(await world.eventTypes(), ["failed", "completed"]);
    assert.equal((await world.events()).at(-1)?.data.late, true);
  });
});
