import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { seenPayments, withoutRefunds } from "#lib/domain/payment-links/refund-rules.ts";
import { evaluateLink, type LinkFacts } from "#lib/domain/payment-links/settle/state-rules.ts";
import { locateExcess, sumShares, valuedPayments } from "#lib/domain/payment-links/valuation-rules.ts";
import { aPayment, aRefund, aStatus, DEADLINE, EXACT, minutes, someFacts, WHOLE } from "./facts.ts";

const AFTER = minutes(DEADLINE, 30);
const READ = { passes: [minutes(DEADLINE, 1)] };
const credited = (percent: number, id: number, at = -60) =>
  aPayment(percent, { depositId: id, status: "credited", recordedAt: minutes(DEADLINE, at) });
const LATE = { firstSeenAt: minutes(DEADLINE, 5) };
const stateOf = (facts: LinkFacts, from = aStatus(), now = minutes(DEADLINE, -1)) =>
  evaluateLink(from, facts, now).state;

describe("money that goes back to the payer does not count", () => {
  test("in the state of a link that was refunded and paid again", () => {
    const again = [credited(60, 1), credited(40, 2, -10)];
    assert.equal(stateOf(someFacts(again)), "completed");
    assert.equal(stateOf(someFacts(again, { refunds: [aRefund(60)] })), "partial");
    const whole = [credited(60, 1), credited(100, 2, -10)];
    assert.equal(stateOf(someFacts(whole, { refunds: [aRefund(60)] })), "completed");
    assert.equal(stateOf(someFacts([credited(60, 1)], { refunds: [aRefund(60)] })), "awaiting");
  });

  test("after a failure, for a merchant who accepts late payments", () => {
    const failed = aStatus({ state: "failed", reason: "underpaid", seq: 1 });
    const late = { ...credited(40, 2, 5), ...LATE };
    const facts = someFacts([{ ...credited(60, 1), announced: "failed" as const }, late], {
      ...READ,
      latePolicy: "accept",
    });
    assert.equal(stateOf(facts, failed, AFTER), "completed");
    assert.equal(stateOf({ ...facts, refunds: [aRefund(60)] }, failed, AFTER), "failed");
  });

  test("when a merchant accepts late payments who held and refunded one before", () => {
    const expired = aStatus({ state: "expired", reason: "expired", late: true, seq: 2 });
    const held = { ...credited(99.99, 1, 5), ...LATE, announced: "late" as const, reportedLate: true };
    const dust = { ...credited(0.01, 2, 20), ...LATE, belowMinimum: true };
    const facts = someFacts([held, dust], { ...READ, latePolicy: "accept" });
    assert.equal(stateOf(facts, expired, AFTER), "completed");
    const refunds = [aRefund(99.99, { at: minutes(DEADLINE, 10) })];
    assert.equal(stateOf({ ...facts, refunds }, expired, AFTER), "expired");
  });

  test("as long as a refund claim promises it, and the link is evaluated when that ends", () => {
    const until = minutes(DEADLINE, -20);
    const facts = someFacts([credited(100, 1)], { refunds: [aRefund(60, { until })] });
    const promised = evaluateLink(aStatus(), facts, minutes(DEADLINE, -25));
    assert.deepEqual([promised.state, promised.nextCheckAt], ["partial", until]);
    assert.equal(stateOf(facts, promised, until), "completed");
  });

  test("but a link that was paid stays paid, until a reorg reverts what is left of it", () => {
    const completed = aStatus({ state: "completed", seq: 1 });
    const paid = { ...credited(100, 1), announced: "completed" as const };
    const extra = { ...credited(30, 2, -40), announced: "extra" as const };
    const refunds = [aRefund(30)];
    assert.equal(stateOf(someFacts([paid, extra], { refunds }), completed), "completed");
    const gone = evaluateLink(
      completed,
      someFacts([{ ...paid, status: "seen" }, extra], { refunds: [aRefund(30)] }),
      minutes(DEADLINE, -1),
    );
    assert.deepEqual(
      [gone.state, gone.events.map(({ type }) => type)],
      ["detected", ["payment_link_reverted"]],
    );
  });

  test("so that the chain's loss of a refunded payment is the loss of what came after it", () => {
    const refunds = [aRefund(60)];
    const first = credited(60, 1);
    const later = credited(100, 2, -10);
    const completed = evaluateLink(aStatus(), someFacts([first, later], { refunds }), minutes(DEADLINE, -1));
    assert.equal(completed.state, "completed");
    const announced = [first, later].map((one) => ({ ...one, announced: "completed" as const }));
    const facts = someFacts([{ ...announced[0]!, status: "dropped" }, announced[1]!], { refunds });
    assert.equal(stateOf(facts, completed), "partial");
  });
});

describe("a refund", () => {
  const left = (payments: ReturnType<typeof credited>[], refunds: ReturnType<typeof aRefund>[]) =>
    withoutRefunds(payments, refunds).map(({ depositId, amount }) => [
      depositId,
      Number((amount * 100n) / WHOLE),
    ]);

  test("takes from the newest payments that were recorded before it, on its network only", () => {
    const payments = [credited(50, 1), credited(30, 2, -50), credited(20, 3, -10)];
    assert.deepEqual(left(payments, [aRefund(40)]), [
      [1, 40],
      [3, 20],
    ]);
    assert.deepEqual(left(payments, [aRefund(40, { network: "trc20" })]), [
      [1, 50],
      [2, 30],
      [3, 20],
    ]);
    assert.deepEqual(left(payments, [aRefund(40), aRefund(25, { at: DEADLINE })]), [[1, 35]]);
  });

  test("of money that is gone takes from what came later", () => {
    assert.deepEqual(left([credited(20, 3, -10), credited(50, 4, -5)], [aRefund(40)]), [[4, 30]]);
    assert.deepEqual(left([], [aRefund(40)]), []);
  });

  test("takes exactly its amount, as far as there is money, in whatever order it is read", () => {
    const payment = fc.record({
      percent: fc.integer({ min: 1, max: 100 }),
      at: fc.integer({ min: -60, max: 0 }),
    });
    const refund = fc.record({
      percent: fc.integer({ min: 1, max: 100 }),
      at: fc.integer({ min: -60, max: 0 }),
    });
    fc.assert(
      fc.property(fc.array(payment), fc.array(refund), (paid, given) => {
        const payments = paid.map(({ percent, at }, i) => credited(percent, i + 1, at));
        const refunds = given.map(({ percent, at }) => aRefund(percent, { at: minutes(DEADLINE, at) }));
        const sum = (list: readonly { readonly amount: bigint }[]) => list.reduce((a, b) => a + b.amount, 0n);
        const open = sum(payments) - sum(refunds);
        const kept = withoutRefunds(payments, refunds);
        assert.equal(sum(kept), open > 0n ? open : 0n);
        const turned = withoutRefunds([...payments].reverse(), refunds);
        assert.deepEqual(
          turned.sort((a, b) => a.depositId - b.depositId),
          kept,
        );
      }),
    );
  });
});

describe("the excess", () => {
  const located = (payments: ReturnType<typeof credited>[], terms = EXACT) =>
    locateExcess(
      payments.map((one) => ({ ...one, fullAmount: one.fullAmount ?? 1n })),
      terms,
    ).map(({ network, amount }) => [network, Number((amount * 10_000n) / WHOLE) / 100]);
  const on = (network: "trc20" | "bep20", percent: number, id: number) => ({
    ...credited(percent, id),
    network,
  });

  test("is where the newest money came, and never more than came there", () => {
    assert.deepEqual(located([on("bep20", 100, 1)]), []);
    assert.deepEqual(located([on("bep20", 130, 1)]), [["bep20", 30]]);
    assert.deepEqual(located([on("bep20", 100, 1), on("trc20", 100, 2)]), [["trc20", 100]]);
    assert.deepEqual(located([on("bep20", 180, 1), on("trc20", 20, 2)]), [
      ["trc20", 20],
      ["bep20", 80],
    ]);
  });

  test("is not diverted by dust elsewhere, and does not move when more comes", () => {
    assert.deepEqual(located([on("bep20", 130, 1), on("trc20", 0.01, 2)]), [
      ["trc20", 0.01],
      ["bep20", 30],
    ]);
    const cents = { ...EXACT, roundStablecoins: true };
    const dust = { ...on("trc20", 0, 2), amount: 1n };
    assert.deepEqual(located([on("bep20", 130, 1), dust], cents), [["bep20", 30]]);
  });

  test("is worth what was paid beyond the link, and no way has more of it than came there", () => {
    const network = fc.constantFrom("bep20" as const, "trc20" as const, "erc20" as const);
    const payment = fc.record({
      network,
      percent: fc.integer({ min: 1, max: 150 }),
      full: fc.constantFrom(1n, 3n, 7n),
    });
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 6 }), (list) => {
        const payments = list.map(({ percent, full, network: way }, i) => ({
          ...credited(percent, i + 1),
          network: way,
          fullAmount: WHOLE * full,
        }));
        const excess = locateExcess(payments, EXACT);
        const received = (way: string) =>
          payments.reduce((sum, one) => sum + (one.network === way ? one.amount : 0n), 0n);
        for (const one of excess) assert.ok(one.amount <= received(one.network));
        const kept = seenPayments(
          payments,
          excess.map((one) => ({ ...one, at: DEADLINE, until: null })),
        );
        const share = sumShares(valuedPayments(kept));
        if (excess.length > 0) assert.ok(share.num * 1_000_000n >= share.den * 999_999n);
      }),
    );
  });
});
