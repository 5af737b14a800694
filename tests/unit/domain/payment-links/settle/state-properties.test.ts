import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { hasFailed, isLate, isPaid } from "#lib/domain/payment-links/rules.ts";
import {
  evaluateLink,
  type LinkEvaluation,
  type LinkFacts,
  type LinkProgress,
  type PaymentFact,
} from "#lib/domain/payment-links/settle/state-rules.ts";
import type { PaymentStatus } from "#lib/domain/payment-links/types.ts";
import { sumShares, valuedPayments } from "#lib/domain/payment-links/valuation-rules.ts";
import { compareFractions, fraction, ONE } from "#lib/platform/money/fraction.ts";
import { aPayment, aStatus, DEADLINE, EXACT, minutes, START, someFacts, WHOLE } from "../facts.ts";

const status = fc.constantFrom<PaymentStatus>("seen", "credited", "dropped");
/** From an hour before the deadline to well after the grace period. */
const offset = fc.integer({ min: -60, max: 30 * 60 });

const payment = fc
  .record({
    percent: fc.constantFrom(0.01, 25, 40, 50, 60, 99.99, 100, 150),
    valued: fc.constantFrom(true, true, true, true, false),
    seen: fc.integer({ min: -60, max: 60 }),
    status,
  })
  .map(({ percent, valued, seen, status: now }): PaymentFact => {
    const fact = aPayment(percent, { firstSeenAt: minutes(DEADLINE, seen), status: now });
    return { ...fact, fullAmount: valued ? fact.fullAmount : null, belowMinimum: percent < 0.02 };
  });

const terms = fc.record({
  latePolicy: fc.constantFrom("hold" as const, "accept" as const),
  terms: fc.constantFrom(EXACT, { ...EXACT, underBps: 50, overBps: 50 }),
});

/** Changes between two evaluations: payments change their status, watchers pass, time passes. */
const change = fc.record({
  statuses: fc.array(status, { minLength: 5, maxLength: 5 }),
  passLag: fc.constantFrom(0.1, 0.1, 600, null),
  arrived: fc.integer({ min: 0, max: 5 }),
});
const history = fc.record({
  payments: fc.array(payment, { maxLength: 5 }),
  terms,
  times: fc.array(offset, { minLength: 1, maxLength: 8 }).map((list) => list.sort((a, b) => a - b)),
  changes: fc.array(change, { minLength: 8, maxLength: 8 }),
});

const after = (payments: readonly PaymentFact[], { announced, reportedLate }: LinkEvaluation) =>
  payments.map((p) => ({
    ...p,
    reportedLate: reportedLate.has(p.depositId),
    announced: announced.get(p.depositId) === undefined ? p.announced : (announced.get(p.depositId) ?? null),
  }));

interface Step {
  readonly from: LinkProgress;
  readonly facts: LinkFacts;
  readonly now: Date;
  readonly evaluation: LinkEvaluation;
}

/** Runs the whole life of a link. */
function live(story: typeof history extends fc.Arbitrary<infer T> ? T : never): Step[] {
  const steps: Step[] = [];
  let from: LinkProgress = aStatus({ state: "open" });
  let payments = story.payments.map((fact, i) => ({ ...fact, depositId: i + 1 }));
  let known = 0;
  story.times.forEach((time, i) => {
    const { statuses, passLag, arrived } = story.changes[i]!;
    // A stored announcement stays stored.
    known = Math.max(known, arrived);
    const now = minutes(DEADLINE, time);
    // A block's time may be before the time of our own observation.
    const mined = (fact: PaymentFact, n: number) =>
      i % 3 === 2 && statuses[n] === "credited" ? { firstSeenAt: minutes(fact.firstSeenAt, -20) } : {};
    payments = payments.map((fact, n) => ({ ...fact, ...mined(fact, n), status: statuses[n]! }));
    const visible = payments.filter((fact) => fact.depositId <= known && fact.firstSeenAt <= now);
    const passes = [passLag === null ? START : minutes(now, -passLag)];
    const facts = someFacts(visible, { ...story.terms, passes });
    const evaluation = evaluateLink(from, facts, now);
    steps.push({ from, facts, now, evaluation });
    const reported = new Map(after(visible, evaluation).map((fact) => [fact.depositId, fact]));
    payments = payments.map((fact) => reported.get(fact.depositId) ?? fact);
    from = evaluation;
  });
  return steps;
}

const everyStep = (check: (step: Step) => void) =>
  fc.assert(
    fc.property(history, (story) => live(story).forEach(check)),
    { numRuns: 2_000 },
  );

describe("for every sequence of changes", () => {
  test("a repeated evaluation changes nothing and emits nothing", () => {
    everyStep(({ facts, now, evaluation }) => {
      const again = evaluateLink(evaluation, { ...facts, payments: after(facts.payments, evaluation) }, now);
      assert.deepEqual(again, { ...evaluation, events: [], announced: new Map() });
    });
  });

  test("the order of the facts has no effect", () => {
    everyStep(({ from, facts, now, evaluation }) => {
      const turned = {
        ...facts,
        payments: [...facts.payments].reverse(),
        passes: [...facts.passes].reverse(),
      };
      const other = evaluateLink(from, turned, now);
      assert.deepEqual({ ...other, announced: [] }, { ...evaluation, announced: [] });
      assert.deepEqual(new Map([...other.announced].sort()), new Map([...evaluation.announced].sort()));
    });
  });

  test("a link never completes with less credited than the full amount less the tolerance", () => {
    everyStep(({ from, facts, evaluation }) => {
      if (!isPaid(evaluation.state) || isPaid(from.state)) return;
      const counted = facts.payments.filter(
        ({ depositId }) => evaluation.announced.get(depositId) === "completed",
      );
      assert.ok(counted.every((fact) => fact.status === "credited"));
      const sum = sumShares(valuedPayments(counted));
      const enough = fraction(10_000n - BigInt(facts.terms.underBps), 10_000n);
      assert.ok(compareFractions(sum, enough) >= 0);
    });
  });

  test("a late payment never completes a link of a merchant who holds late payments", () => {
    everyStep(({ facts, evaluation }) => {
      if (facts.latePolicy === "accept") return;
      for (const [depositId, word] of evaluation.announced) {
        const fact = facts.payments.find((p) => p.depositId === depositId)!;
        if (word === "completed") assert.equal(isLate(fact, DEADLINE), false);
      }
    });
  });

  test("link and payment never disagree about late", () => {
    everyStep(({ from, facts, evaluation }) => {
      const reported = after(facts.payments, evaluation).filter(({ announced }) => announced !== null);
      const late = reported.filter((fact) => isLate(fact, DEADLINE));
      if (hasFailed(evaluation.state)) {
        assert.equal(evaluation.late, late.length > 0);
        assert.ok(reported.every((fact) => fact.announced !== "late" || late.includes(fact)));
      } else if (isPaid(evaluation.state) && !isPaid(from.state)) {
        assert.equal(
          evaluation.late,
          late.some(({ announced }) => announced === "completed"),
        );
      }
    });
  });

  test("a failed link changes only by a late completion", () => {
    everyStep(({ from, evaluation }) => {
      if (!hasFailed(from.state)) return;
      if (isPaid(evaluation.state)) assert.equal(evaluation.late, true);
      else assert.deepEqual([evaluation.state, evaluation.reason], [from.state, from.reason]);
    });
  });

  test("a payment of an earlier failure that was gone at the next one comes late for it", () => {
    const stay = { passLag: 0.1, arrived: 0 } as const;
    const change = (...statuses: readonly PaymentStatus[]) => ({
      ...stay,
      statuses: [...statuses, "seen" as const],
    });
    const paid = (percent: number, seen: number) =>
      aPayment(percent, { firstSeenAt: minutes(DEADLINE, seen), status: "seen" });
    const steps = live({
      payments: [paid(100, 1), paid(50, 0), paid(60, 0)],
      terms: { latePolicy: "accept", terms: EXACT },
      times: [0, 1, 1, 1, 1],
      changes: [
        { ...change("seen", "seen", "seen"), arrived: 5 },
        change("seen", "seen", "dropped"),
        // It completes the link, and a reorg takes it and another one away.
        change("credited", "seen", "seen"),
        change("seen", "dropped", "seen"),
        change("seen", "credited", "credited"),
      ],
    });
    const states = steps.map(({ evaluation }) => [evaluation.state, evaluation.late]);
    assert.deepEqual(states, [
      ["detected", false],
      ["failed", false],
      ["completed", true],
      ["failed", false],
      ["overpaid", true],
    ]);
  });

  test("a completed link changes only when a counted payment is dropped, with an event", () => {
    everyStep(({ from, facts, evaluation }) => {
      if (!isPaid(from.state)) return;
      const taken = facts.payments.some((p) => p.announced === "completed" && p.status !== "credited");
      assert.equal(evaluation.events[0]?.type === "payment_link_reverted", taken);
      if (!taken) assert.equal(evaluation.state, from.state);
    });
  });

  test("a link never ends before the deadline, nor without a complete pass after it", () => {
    everyStep(({ from, facts, now, evaluation }) => {
      if (!hasFailed(evaluation.state) || hasFailed(from.state)) return;
      assert.ok(now >= DEADLINE);
      assert.ok(facts.passes.every((pass) => pass !== null && pass > DEADLINE));
    });
  });

  test("events are numbered without a gap, and every credited payment of an ended link is reported", () => {
    everyStep(({ from, facts, evaluation }) => {
      const numbers = evaluation.events.map(({ seq }) => seq);
      assert.deepEqual(
        numbers,
        numbers.map((_, i) => from.seq + i + 1),
      );
      assert.equal(evaluation.seq, from.seq + numbers.length);
      if (!isPaid(evaluation.state) && !hasFailed(evaluation.state)) return;
      for (const fact of after(facts.payments, evaluation)) {
        if (fact.status === "credited") assert.notEqual(fact.announced, null);
      }
    });
  });

  test("a link has a next check as long as time can change it", () => {
    everyStep(({ now, facts, evaluation }) => {
      const ended = isPaid(evaluation.state) || hasFailed(evaluation.state);
      const unvalued = facts.payments.some(
        ({ fullAmount, status: s }) => fullAmount === null && s !== "dropped",
      );
      if (ended && !unvalued) assert.equal(evaluation.nextCheckAt, null);
      else assert.ok(evaluation.nextCheckAt && evaluation.nextCheckAt > now);
    });
  });
});

test("paid in any parts, all credited in time, a link completes exactly once", () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 9_999 }), { maxLength: 6 });
  fc.assert(
    fc.property(cuts, (list) => {
      const edges = [...new Set([0, ...list, 10_000])].sort((a, b) => a - b);
      const facts = edges.slice(1).map((edge, i) => {
        const amount = (WHOLE * BigInt(edge - edges[i]!)) / 10_000n;
        return aPayment(0, { depositId: i + 1, amount, status: "credited" });
      });
      let from: LinkProgress = aStatus();
      let reported: readonly PaymentFact[] = [];
      let events = 0;
      for (let n = 1; n <= facts.length; n++) {
        reported = facts
          .slice(0, n)
          .map((fact) => reported.find((p) => p.depositId === fact.depositId) ?? fact);
        const evaluation = evaluateLink(from, someFacts(reported), minutes(DEADLINE, -1));
        assert.equal(evaluation.state, n < facts.length ? "partial" : "completed");
        events += evaluation.events.length;
        reported = after(reported, evaluation);
        from = evaluation;
      }
      assert.equal(events, 1);
      assert.equal(compareFractions(sumShares(valuedPayments(facts)), ONE), 0);
    }),
  );
});
