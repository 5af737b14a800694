import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  evaluateLink,
  type LinkFacts,
  type LinkProgress,
  type PaymentFact,
} from "#lib/domain/payment-links/settle/state-rules.ts";
import { aPayment, aStatus, DEADLINE, EXACT, GRACE_END, minutes, someFacts } from "../facts.ts";

const BEFORE = minutes(DEADLINE, -30);
const AFTER = minutes(DEADLINE, 30);
/** A complete pass of every network started after the deadline. */
const READ = { passes: [minutes(DEADLINE, 1)] };

const awaiting = aStatus();
const completed = aStatus({ state: "completed", seq: 1 });
const seen = (percent: number, id = 1) => aPayment(percent, { depositId: id });
const credited = (percent: number) => aPayment(percent, { status: "credited" });
const counted = (percent: number) => aPayment(percent, { status: "credited", announced: "completed" });

describe("when time alone may change a link", () => {
  const check = (from: LinkProgress, facts: LinkFacts, at: Date) => evaluateLink(from, facts, at).nextCheckAt;

  const end = new Date(DEADLINE.getTime() + 1_000);
  test("an unfinished link is checked again at the end of its deadline's second", () => {
    assert.deepEqual(check(awaiting, someFacts([]), BEFORE), end);
    assert.deepEqual(check(awaiting, someFacts([]), DEADLINE), end);
  });
  test("a detected link is checked again at the end of the grace period", () => {
    assert.deepEqual(check(awaiting, someFacts([seen(100)]), BEFORE), GRACE_END);
  });
  test("a link with a deadline at the end of the calendar is checked again in a year", () => {
    const deadline = new Date("9999-12-31T23:59:58Z");
    const inAYear = new Date(BEFORE);
    inAYear.setUTCFullYear(BEFORE.getUTCFullYear() + 1);
    assert.deepEqual(check(awaiting, someFacts([seen(100)], { deadline }), BEFORE), inAYear);
  });
  test("past the deadline the interval grows from one second to half a minute", () => {
    assert.deepEqual(check(awaiting, someFacts([]), end), new Date(end.getTime() + 1_000));
    assert.deepEqual(check(awaiting, someFacts([]), AFTER), new Date(AFTER.getTime() + 30_000));
  });
  test("an ended link is never checked again", () => {
    assert.equal(check(completed, someFacts([counted(100)]), BEFORE), null);
    assert.equal(check(awaiting, someFacts([], READ), AFTER), null);
  });
  test("values a payment without a rate again after half a minute, in every state", () => {
    const unvalued = { ...seen(100, 2), fullAmount: null };
    const soon = new Date(BEFORE.getTime() + 30_000);
    assert.deepEqual(check(awaiting, someFacts([unvalued]), BEFORE), soon);
    assert.deepEqual(check(completed, someFacts([counted(100), unvalued]), BEFORE), soon);
  });
});

describe("tolerances", () => {
  const tolerant = { terms: { ...EXACT, underBps: 100, overBps: 100 } };
  const state = (percent: number) =>
    evaluateLink(awaiting, someFacts([credited(percent)], tolerant), BEFORE).state;

  test("a missing amount within the tolerance counts as paid", () => {
    assert.equal(state(98.99), "partial");
    assert.equal(state(99), "completed");
  });
  test("an excess within the tolerance does not count as overpaid", () => {
    assert.equal(state(101), "completed");
    assert.equal(state(101.01), "overpaid");
  });
});

test("an extra payment that disappears with the completion is late when it comes back after the failure", () => {
  const facts = (extra: Partial<PaymentFact>, paid: Partial<PaymentFact>) =>
    someFacts([aPayment(100, { depositId: 1, ...paid }), aPayment(100, { depositId: 2, ...extra })], {
      ...READ,
      latePolicy: "accept",
    });
  const failed = evaluateLink(
    completed,
    facts({ announced: "extra", status: "dropped" }, { announced: "completed", status: "dropped" }),
    AFTER,
  );
  assert.deepEqual([failed.state, failed.announced.get(2)], ["expired", null]);
  const back = evaluateLink(failed, facts({ status: "credited" }, { status: "dropped" }), AFTER);
  assert.deepEqual([back.state, back.late], ["completed", true]);
});
