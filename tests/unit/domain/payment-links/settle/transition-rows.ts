import assert from "node:assert/strict";
import { test } from "node:test";
import {
  evaluateLink,
  type LinkFacts,
  type LinkProgress,
  type PaymentFact,
} from "#lib/domain/payment-links/settle/state-rules.ts";
import { aPayment, aStatus, DEADLINE, GRACE_END, minutes, someFacts } from "../facts.ts";

export const seen = (percent: number, id = 1) => aPayment(percent, { depositId: id });
export const credited = (percent: number, id = 1) => aPayment(percent, { depositId: id, status: 1 });
export const dropped = (percent: number, id = 1) => aPayment(percent, { depositId: id, status: 2 });
export const counted = (percent: number, id = 1) =>
  aPayment(percent, { depositId: id, status: 1, announced: "completed" });
export const LATE = { firstSeenAt: minutes(DEADLINE, 5) };

export const BEFORE = minutes(DEADLINE, -30);
export const AFTER = minutes(DEADLINE, 30);
export const LONG_AFTER = minutes(GRACE_END, 30);
/** Complete passes of every network that started after the deadline, or after the grace period. */
export const READ = { passes: [minutes(DEADLINE, 1)] };
export const READ_AGAIN = { passes: [minutes(GRACE_END, 1)] };
export const ACCEPT = { latePolicy: "accept" as const };

/** One transition: from a state, with these facts at a timestamp, to a state, with these events. */
export interface Row {
  readonly name: string;
  readonly from: LinkProgress;
  readonly facts: LinkFacts;
  readonly at: Date;
  readonly to: string;
  readonly events: readonly string[];
}

export const awaiting = aStatus();
export const partial = aStatus({ state: "partial" });
export const detected = aStatus({ state: "detected" });
export const completed = aStatus({ state: "completed", seq: 1 });
export const overpaid = aStatus({ state: "overpaid", seq: 1 });
export const completedLate = aStatus({ state: "completed", late: true, seq: 2 });
export const underpaid = aStatus({ state: "failed", reason: "underpaid", seq: 1 });
export const unconfirmed = aStatus({ state: "failed", reason: "unconfirmed", seq: 1 });
export const expired = aStatus({ state: "expired", reason: "expired", seq: 1 });
export const open = aStatus({ state: "open" });

/** A row of the table at a timestamp, with the watchers' passes and the merchant's terms. */
export function at(
  when: Date,
  given: Partial<LinkFacts>,
  name: string,
  from: LinkProgress,
  payments: readonly PaymentFact[],
  to: string,
  ...events: string[]
): Row {
  return { name, from, facts: someFacts(payments, given), at: when, to, events };
}
type Rest = [
  name: string,
  from: LinkProgress,
  payments: readonly PaymentFact[],
  to: string,
  ...events: string[],
];
export const before = (...rest: Rest) => at(BEFORE, {}, ...rest);
/** Past the deadline, without a pass since. */
export const after = (...rest: Rest) => at(AFTER, {}, ...rest);
export const afterPass = (...rest: Rest) => at(AFTER, READ, ...rest);
export const accepted = (...rest: Rest) => at(AFTER, { ...READ, ...ACCEPT }, ...rest);
export const graceOver = (...rest: Rest) => at(LONG_AFTER, READ_AGAIN, ...rest);

function step({ from, facts, at }: Row) {
  const evaluation = evaluateLink(from, facts, at);
  const words = [evaluation.state, evaluation.reason, evaluation.late ? "late" : null].filter(
    (word) => word !== null,
  );
  const events = evaluation.events.map(({ type }) => type.replace("payment_link_", ""));
  return { evaluation, to: words.join(" "), events };
}

/** Tests each row: the transition, and that repeating it changes nothing. */
export function testTransitions(rows: readonly Row[]): void {
  for (const row of rows) {
    test(`${row.from.state}: ${row.name}`, () => {
      const { evaluation, to, events } = step(row);
      assert.deepEqual({ to, events }, { to: row.to, events: row.events });
      assert.deepEqual(
        evaluation.events.map(({ seq }) => seq),
        evaluation.events.map((_, i) => row.from.seq + i + 1),
        "events are numbered on from the last one",
      );
      assert.equal(evaluation.seq, row.from.seq + evaluation.events.length);
    });

    test(`${row.from.state}: ${row.name}, and repeating it changes nothing`, () => {
      const { evaluation } = step(row);
      const payments = row.facts.payments.map((payment) => {
        const word = evaluation.announced.get(payment.depositId);
        const reportedLate = evaluation.reportedLate.has(payment.depositId);
        return { ...payment, reportedLate, announced: word === undefined ? payment.announced : word };
      });
      const again = evaluateLink(evaluation, { ...row.facts, payments }, row.at);
      assert.deepEqual(again, { ...evaluation, events: [], announced: new Map() });
    });
  }
}
