import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import { findLinkVersion } from "#lib/domain/payment-links/version-queries.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { minutes, START } from "../facts.ts";
import { aWorld, BEP20, ENDED, usdt, worldOfFile } from "../world.ts";

const world = await worldOfFile();

describe("viewing a payment link", () => {
  test("shows a link to anyone with its refid, and by owner only to its owner", async () => {
    const { refid } = await world.create();
    const { merchantId } = world.owner;
    const seen = (owner?: { merchantId: number; env: "live" | "test" }) =>
      viewPaymentLink(world.deps, refid, START, owner);
    assert.equal((await seen())?.refid, refid);
    assert.equal((await seen({ merchantId, env: "test" }))?.refid, refid);
    assert.equal(await seen({ merchantId, env: "live" }), null);
    assert.equal(await seen({ merchantId: merchantId + 1, env: "test" }), null);
    assert.equal(await viewPaymentLink(world.deps, "1111111111111111111111", START), null);
    assert.equal(await findLinkVersion(world.db, "1111111111111111111111"), null);
  });

  test("changes nothing: an expired quote stays the newest, with nothing that can be paid now", async () => {
    const { refid, version } = await world.createPicked();
    const link = await viewPaymentLink(world.deps, refid, minutes(START, 20));
    assert.deepEqual([link?.version, link?.quotes.length, link?.quotes[0]?.live], [version, 1, false]);
    assert.deepEqual(link?.remaining, []);
  });

  test("asks for rates only when pairs or estimates are read, and then once for both", async () => {
    const { refid } = await world.create();
    let asked = 0;
    const current: typeof world.deps.rates.current = (...about) => {
      asked += 1;
      return world.deps.rates.current(...about);
    };
    const deps = { ...world.deps, rates: { ...world.deps.rates, current } };
    const link = await viewPaymentLink(deps, refid, START);
    assert.equal(asked, 0);
    assert.deepEqual(link?.estimates, [{ ...BEP20, amount: usdt("100") }]);
    assert.deepEqual(link?.selectablePairs, [BEP20]);
    assert.equal(asked, 1);
  });

  test("is checking from the deadline until the link ends", async () => {
    const { refid } = await world.createPicked();
    const checking = async (minute: number) => (await world.view(refid, minutes(START, minute))).checking;
    assert.deepEqual([await checking(119), await checking(120)], [false, true]);
    await world.pay(refid, { amount: usdt("100"), at: minutes(START, 10) });
    assert.equal(await checking(121), false, "the whole was seen: it only waits for confirmations");
  });

  test("offers no new network after the deadline or when the network is off", async () => {
    const { refid } = await world.create();
    assert.deepEqual((await world.view(refid, ENDED)).selectablePairs, []);
    world.setNetworkOn(false);
    assert.deepEqual((await world.view(refid, START)).selectablePairs, []);
    world.setNetworkOn(true);
    const picked = await world.createPicked();
    assert.deepEqual(
      (await world.view(picked.refid, ENDED)).selectablePairs,
      [BEP20],
      "what was picked stays",
    );
  });

  test("lists the selected networks that are unwatched, and only those", async () => {
    const untouched = await world.create();
    const { refid } = await world.createPicked();
    const stalled = async (at: Date, of = refid) => (await world.view(of, at)).unwatched;
    const passed = minutes(START, 30);
    await world.pass(passed);
    const seconds = (n: number) => new Date(passed.getTime() + n * 1_000);
    assert.deepEqual(await stalled(seconds(60)), []);
    assert.deepEqual(await stalled(seconds(61)), ["bep20"]);
    assert.deepEqual(await stalled(seconds(61), untouched.refid), []);
    await world.db.update(watchCursors).set({ error: "unreachable: the node does not answer" });
    assert.deepEqual(await stalled(seconds(10)), [], "one answer that was owed");
    assert.deepEqual(await stalled(seconds(11)), ["bep20"]);
    await world.db.delete(watchCursors);
    assert.deepEqual(await stalled(START), ["bep20"], "never watched");
  });

  test("leaves dropped payments out of what was received, and counts them", async () => {
    const { refid } = await world.createPicked();
    await world.pay(refid, { amount: usdt("10"), status: "credited" });
    await world.pay(refid, { amount: usdt("20") });
    const dropped = await world.pay(refid, { amount: usdt("30") });
    await world.change([dropped], "dropped", minutes(START, 1));
    const link = await world.view(refid, minutes(START, 1));
    assert.deepEqual(link.received, [{ ...BEP20, amount: usdt("30") }]);
    assert.equal(link.paymentCount, 3);
  });

  test("names as excess what came late and is more than the whole, and nothing of what was held for less", async (t) => {
    const own = await aWorld();
    t.after(own.close);
    const { refid } = await own.createPicked();
    await own.pass(minutes(START, 121));
    await sweepPaymentLinks(own.deps, minutes(START, 122));
    await own.pay(refid, { amount: usdt("90"), status: "credited", at: ENDED });
    const held = await own.view(refid, ENDED);
    assert.deepEqual([held.state, held.excess], ["expired", []]);
    await own.pay(refid, { amount: usdt("40"), status: "credited", at: ENDED });
    const more = await own.view(refid, ENDED);
    assert.deepEqual([more.state, more.excess], ["expired", [{ ...BEP20, amount: usdt("30") }]]);
  });

  test("lists twenty payments, dust only if there is room, and counts and sums all of them", async () => {
    const { refid } = await world.createPicked();
    const id = await world.pay(refid, { amount: usdt("10"), status: "credited" });
    await world.db.transaction(async (tx) => {
      const [first] = await tx.select().from(deposits);
      const wallets = await tx.select().from(paymentLinkWallets);
      const addressId = wallets.at(-1)!.addressId;
      const rows = Array.from({ length: 600 }, (_, i) => {
        const { id: _id, ...rest } = first!;
        return {
          ...rest,
          addressId,
          txHash: `0xsmall${i}`,
          amount: usdt("0.1"),
          status: "credited" as const,
        };
      });
      const made = await tx.insert(deposits).values(rows).returning({ id: deposits.id });
      await settlePayments(tx, world.deps, [id, ...made.map((row) => row.id)], START);
    });
    const link = await world.view(refid, START);
    assert.equal(link.payments.length, 20);
    assert.equal(link.payments.at(-1)?.txHash, "0xsmall599");
    assert.equal(link.paymentCount, 601);
    assert.deepEqual(link.received, [{ ...BEP20, amount: usdt("70") }]);
    assert.deepEqual(link.remaining, [{ ...BEP20, amount: usdt("30") }]);
    await world.pay(refid, { amount: usdt("31"), status: "credited" });
    const overpaid = await world.view(refid, START);
    assert.deepEqual([overpaid.state, overpaid.excess], ["overpaid", [{ ...BEP20, amount: usdt("1") }]]);
    const event = (await world.events()).at(-1)!;
    assert.deepEqual(event.data.received, [{ ...BEP20, amount: "101" }]);
    assert.equal((event.data.payments as unknown[]).length, 20);
    assert.equal(event.data.payments_count, 602);
    assert.equal(event.txHashes.length, 500);

    // Dust after it does not hide the last payment.
    const { txHash } = overpaid.payments.at(-1) ?? {};
    await world.db.transaction(async (tx) => {
      for (let i = 0; i < 20; i++) {
        const dust = await world.record(tx, refid, { amount: 1n, status: "credited" });
        await settlePayments(tx, world.deps, [dust], START);
      }
    });
    const dusted = await world.view(refid, START);
    assert.equal(dusted.payments.at(-1)?.txHash, txHash);
    assert.equal(dusted.paymentCount, 622);
    assert.deepEqual((await world.events()).at(-1)?.txHashes.at(-1), txHash);
  });
});
