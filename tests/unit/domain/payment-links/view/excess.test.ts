/** The API reads single payments, events and links with many payments read totals of them. Both name the same excess. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PaymentTotal, Refund } from "#lib/domain/payment-links/types.ts";
import { computeExcess } from "#lib/domain/payment-links/view/remaining-rules.ts";
import { aPayment, aRefund, DEADLINE, minutes, WHOLE } from "../facts.ts";

const link = { amount: 10_000n, currency: "usd" };
const merchant = {
  ...{ toleranceUnderBps: 0, toleranceUnderMax: null, toleranceOverBps: 0 },
  roundStablecoins: false,
};

function excess(totals: readonly PaymentTotal[], refunds: readonly Refund[]) {
  const row = { link, merchant, totals, refunds } as unknown as Parameters<typeof computeExcess>[0];
  return computeExcess(row, minutes(DEADLINE, 60)).map(({ network, amount }) => [
    network,
    Number((amount * 10_000n) / WHOLE) / 100,
  ]);
}

const paid = (percent: number, depositId: number, given: Partial<PaymentTotal> = {}): PaymentTotal => ({
  ...aPayment(percent, { depositId, status: "credited", recordedAt: minutes(DEADLINE, depositId) }),
  payments: 1,
  ...given,
});

/** Sums payments up as the database does: alike are those of one quote and announcement between the same refunds. */
function sumUp(payments: readonly PaymentTotal[], refunds: readonly Refund[]): PaymentTotal[] {
  const groups = Map.groupBy(payments, ({ network, fullAmount, announced, recordedAt }) =>
    [network, fullAmount, announced, refunds.filter(({ at }) => at <= recordedAt).length].join(),
  );
  return [...groups.values()].flatMap(([newest, ...others]) => {
    if (newest === undefined) return [];
    const amount = others.reduce((sum, one) => sum + one.amount, newest.amount);
    return [{ ...newest, amount, payments: others.length + 1 }];
  });
}

test("the excess of single payments is that of their total", () => {
  const payments = [paid(60, 3), paid(60, 2, { network: "trc20" }), paid(60, 1)];
  assert.deepEqual(excess(payments, []), [["bep20", 80]]);
  assert.deepEqual(excess(sumUp(payments, []), []), [["bep20", 80]]);
  const refunds = [aRefund(60, { at: minutes(DEADLINE, 10) })];
  assert.deepEqual(excess(payments, refunds), [["bep20", 20]]);
  assert.deepEqual(excess(sumUp(payments, refunds), refunds), [["bep20", 20]]);
});

test("whatever was paid, announced and refunded, and by whatever quotes", () => {
  const network = fc.constantFrom("bep20" as const, "trc20" as const);
  const payment = fc.record({
    network,
    percent: fc.integer({ min: 1, max: 90 }),
    full: fc.constantFrom(1n, 3n),
    announced: fc.constantFrom(null, "completed" as const),
  });
  const refund = fc.record({ network, percent: fc.integer({ min: 1, max: 90 }), at: fc.integer({ max: 9 }) });
  fc.assert(
    fc.property(fc.array(payment, { maxLength: 8 }), fc.array(refund, { maxLength: 3 }), (list, given) => {
      const refunds = given.map(({ percent, at, ...way }) =>
        aRefund(percent, { ...way, at: minutes(DEADLINE, Math.abs(at % 10)) }),
      );
      const payments = list
        .map(({ percent, full, ...rest }, i) => paid(percent, i + 1, { ...rest, fullAmount: WHOLE * full }))
        .reverse();
      assert.deepEqual(excess(sumUp(payments, refunds), refunds), excess(payments, refunds));
    }),
  );
});
