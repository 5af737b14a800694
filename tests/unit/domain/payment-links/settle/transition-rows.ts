import assert from "node:assert/strict";
import { test } from "node:test";
import {
  evaluateLink,
  type LinkFacts,
  type LinkProgress,
  type PaymentFact,
} from "#lib/domain/payment-links/settle/state-rules.ts";
import { aPayment, aStatus, DEADLINE, GRACE_END, minutes, START, someFacts } from "../facts.ts";

const COUNTED = { announced: "completed" } as const;
const READ = { passes: [minutes(DEADLINE, 1)] };
const READ_AGAIN = { passes: [minutes(GRACE_END, 1)] };
const ACCEPT = { latePolicy: "accept" } as const;
const BEFORE = minutes(DEADLINE, -30);
const AFTER = minutes(DEADLINE, 30);
const LONG_AFTER = minutes(GRACE_END, 30);
const seconds = (n: number) => new Date(DEADLINE.getTime() + n * 1_000);

/** The time, complete passes of every network since the end, and the merchant's terms. */
const WHENS: Readonly<Record<string, readonly [at: Date, given: Partial<LinkFacts>]>> = {
  before: [BEFORE, {}],
  unpicked: [BEFORE, { passes: [] }],
  canceled: [BEFORE, { isCanceled: true }],
  "canceled unpicked": [BEFORE, { isCanceled: true, passes: [] }],
  "last second": [seconds(0.9), { passes: [seconds(0.5)] }],
  "pass in last second": [seconds(2), { passes: [seconds(0.5)] }],
  "second after": [seconds(1), { passes: [] }],
  after: [AFTER, {}],
  "pass at the end": [AFTER, { passes: [DEADLINE] }],
  "one unread": [AFTER, { passes: [minutes(DEADLINE, 1), null] }],
  "one behind": [AFTER, { passes: [minutes(DEADLINE, 1), START] }],
  pass: [AFTER, READ],
  accept: [AFTER, { ...READ, ...ACCEPT }],
  "accept unread": [AFTER, ACCEPT],
  blind: [LONG_AFTER, READ],
  grace: [LONG_AFTER, READ_AGAIN],
  "accept after grace": [LONG_AFTER, { ...READ_AGAIN, ...ACCEPT }],
};
const FROM: Readonly<Record<string, LinkProgress>> = {
  open: aStatus({ state: "open" }),
  awaiting: aStatus(),
  partial: aStatus({ state: "partial" }),
  detected: aStatus({ state: "detected" }),
  completed: aStatus({ state: "completed", seq: 1 }),
  overpaid: aStatus({ state: "overpaid", seq: 1 }),
  reverted: aStatus({ state: "detected", seq: 2 }),
  "completed late": aStatus({ state: "completed", late: true, seq: 2 }),
  underpaid: aStatus({ state: "failed", reason: "underpaid", seq: 1 }),
  unconfirmed: aStatus({ state: "failed", reason: "unconfirmed", seq: 1 }),
  expired: aStatus({ state: "expired", reason: "expired", seq: 1 }),
  "expired late": aStatus({ state: "expired", reason: "expired", late: true, seq: 1 }),
};
const PAYMENTS: Readonly<Record<string, Partial<PaymentFact>>> = {
  seen: { status: "seen" },
  credited: { status: "credited" },
  dropped: { status: "dropped" },
  // These were in the event of the completion.
  reverted: { ...COUNTED, status: "seen" },
  counted: { ...COUNTED, status: "credited" },
  lost: { ...COUNTED, status: "dropped" },
};
/** Seconds like +1s are those after the deadline. */
const MARKS: Readonly<Record<string, Partial<PaymentFact>>> = {
  late: { firstSeenAt: minutes(DEADLINE, 5) },
  tiny: { belowMinimum: true },
  unvalued: { fullAmount: null },
  reported: { reportedLate: true },
  "said-extra": { announced: "extra" },
  "said-late": { announced: "late" },
  "said-failed": { announced: "failed" },
};

/** One transition: from a state, with these facts at a timestamp, to a state, with these events. */
interface Row {
  readonly name: string;
  readonly from: LinkProgress;
  readonly facts: LinkFacts;
  readonly at: Date;
  readonly to: string;
  readonly events: readonly string[];
}

function find<T>(words: Readonly<Record<string, T>>, word: string): T {
  const found = words[word];
  assert.ok(found !== undefined, `there is no word ${word}`);
  return found;
}

function readPayment(text: string, index: number): PaymentFact {
  const [kind = "", percent, ...marks] = text.split(" ");
  const given = marks.map((mark) =>
    /^[+-][0-9.]+s$/.test(mark)
      ? { firstSeenAt: seconds(Number.parseFloat(mark)) }
      : find<Partial<PaymentFact>>(MARKS, mark),
  );
  return aPayment(Number(percent), Object.assign({ depositId: index + 1 }, find(PAYMENTS, kind), ...given));
}

function readRow(line: string): Row {
  const columns = line.split("|").map((column) => column.trim());
  assert.equal(columns.length, 6, line);
  const [when = "", from = "", payments = "", to = "", events = "", name = ""] = columns;
  const words = (text: string, separator: string) => (text === "" ? [] : text.split(separator));
  const [at, given] = find(WHENS, when);
  const facts = someFacts(words(payments, ", ").map(readPayment), given);
  return { name, from: find(FROM, from), facts, at, to, events: words(events, " ") };
}

function step({ from, facts, at }: Row) {
  const evaluation = evaluateLink(from, facts, at);
  const words = [evaluation.state, evaluation.reason, evaluation.late ? "late" : null].filter(
    (word) => word !== null,
  );
  const events = evaluation.events.map(({ type }) => type.replace("payment_link_", ""));
  return { evaluation, to: words.join(" "), events };
}

/** Tests each row of a table: the transition, and that repeating it changes nothing. */
export function testTransitions(table: string): void {
  for (const row of table.trim().split("\n").map(readRow)) {
    test(`${row.from.state}: ${row.name}`, () => {
      const { evaluation, to, events } = step(row);
      assert.deepEqual({ to, events }, { to: row.to, events: row.events });
      assert.deepEqual(
        evaluation.events.map(({ seq }) => seq),
        evaluation.events.map((_, i) => row.from.seq + i + 1),
        "events are numbered on from the last one",
      );
      assert.equal(evaluation.seq, row.from.seq + evaluation.events.length);
      const payments = row.facts.payments.map((payment) => {
        const word = evaluation.announced.get(payment.depositId);
        const reportedLate = evaluation.reportedLate.has(payment.depositId);
        return { ...payment, reportedLate, announced: word === undefined ? payment.announced : word };
      });
      const again = evaluateLink(evaluation, { ...row.facts, payments }, row.at);
      assert.deepEqual(again, { ...evaluation, events: [], announced: new Map() }, "repeated");
    });
  }
}
