import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type LinkFacts, type LinkStatus, next, type PaymentFact } from "#lib/payment-links/rules.ts";
import { aPayment, aStatus, DEADLINE, GRACE_END, minutes, START, someFacts } from "./facts.ts";

const seen = (percent: number, id = 1) => aPayment(percent, { depositId: id });
const credited = (percent: number, id = 1) => aPayment(percent, { depositId: id, status: 1 });
const dropped = (percent: number, id = 1) => aPayment(percent, { depositId: id, status: 2 });
const counted = (percent: number, id = 1) =>
  aPayment(percent, { depositId: id, status: 1, announced: "completed" });
const LATE = { firstSeenAt: minutes(DEADLINE, 5) };

const BEFORE = minutes(DEADLINE, -30);
const AFTER = minutes(DEADLINE, 30);
const LONG_AFTER = minutes(GRACE_END, 30);
/** Every network was read whole by a pass begun after the deadline, or after the grace. */
const READ = { passes: [minutes(DEADLINE, 1)] };
const READ_AGAIN = { passes: [minutes(GRACE_END, 1)] };
const ACCEPT = { latePolicy: "accept" as const };

interface Row {
  readonly name: string;
  readonly from: LinkStatus;
  readonly facts: LinkFacts;
  readonly at: Date;
  readonly to: string;
  readonly events: readonly string[];
}

const awaiting = aStatus();
const partial = aStatus({ state: "partial" });
const detected = aStatus({ state: "detected" });
const completed = aStatus({ state: "completed", seq: 1 });
const overpaid = aStatus({ state: "overpaid", seq: 1 });
const completedLate = aStatus({ state: "completed", late: true, seq: 2 });
const underpaid = aStatus({ state: "failed", reason: "underpaid", seq: 1 });
const unconfirmed = aStatus({ state: "failed", reason: "unconfirmed", seq: 1 });
const expired = aStatus({ state: "expired", reason: "expired", seq: 1 });
const open = aStatus({ state: "open" });

/** A row of the table at a moment, with what the watchers and the merchant say then. */
function at(
  when: Date,
  given: Partial<LinkFacts>,
  name: string,
  from: LinkStatus,
  payments: readonly PaymentFact[],
  to: string,
  ...events: string[]
): Row {
  return { name, from, facts: someFacts(payments, given), at: when, to, events };
}
type Rest = [
  name: string,
  from: LinkStatus,
  payments: readonly PaymentFact[],
  to: string,
  ...events: string[],
];
const before = (...rest: Rest) => at(BEFORE, {}, ...rest);
/** Past the deadline, not read since. */
const after = (...rest: Rest) => at(AFTER, {}, ...rest);
const judged = (...rest: Rest) => at(AFTER, READ, ...rest);
const accepted = (...rest: Rest) => at(AFTER, { ...READ, ...ACCEPT }, ...rest);
const graceOver = (...rest: Rest) => at(LONG_AFTER, READ_AGAIN, ...rest);

const TABLE: Row[] = [
  // Before the deadline.
  at(BEFORE, { passes: [] }, "nothing picked stays open", open, [], "open"),
  before("a picked network awaits", open, [], "awaiting"),
  before("less than the whole seen is partial", awaiting, [seen(60)], "partial"),
  before("less than the whole credited is partial", awaiting, [credited(60)], "partial"),
  before("a payment nobody can value is partial", awaiting, [{ ...seen(100), part: null }], "partial"),
  before(
    "a credited payment nobody can value completes nothing",
    awaiting,
    [{ ...credited(100), part: null }],
    "partial",
  ),
  before(
    "a payment below the minimum moves nothing",
    awaiting,
    [{ ...credited(0.01), belowMinimum: true }],
    "awaiting",
  ),
  before(
    "a payment below the minimum completes what was missing",
    partial,
    [credited(99.99), { ...credited(0.01, 2), belowMinimum: true }],
    "completed",
    "completed",
  ),
  before("the whole seen is detected", awaiting, [seen(100)], "detected"),
  before("the remainder seen is detected", partial, [credited(60), seen(40, 2)], "detected"),
  before("more than the whole seen is detected", awaiting, [seen(150)], "detected"),
  before("the whole credited completes", detected, [credited(100)], "completed", "completed"),
  before("the whole credited at first sight completes", awaiting, [credited(100)], "completed", "completed"),
  before(
    "a part and its exact remainder complete",
    detected,
    [credited(60), credited(40, 2)],
    "completed",
    "completed",
  ),
  before(
    "more than the whole credited is overpaid",
    detected,
    [credited(150)],
    "overpaid",
    "completed_overpaid",
  ),
  before(
    "two credited at once are overpaid together",
    detected,
    [credited(100), credited(100, 2)],
    "overpaid",
    "completed_overpaid",
  ),
  before(
    "of two, the one credited completes by itself",
    detected,
    [credited(100), seen(100, 2)],
    "completed",
    "completed",
  ),
  before(
    "of two too small, one credited still waits for the other",
    detected,
    [credited(60), seen(60, 2)],
    "detected",
  ),
  before(
    "of two too small, both credited are overpaid",
    detected,
    [credited(60), credited(60, 2)],
    "overpaid",
    "completed_overpaid",
  ),
  before("a dropped payment leaves awaiting", detected, [dropped(100)], "awaiting"),
  before("a dropped part leaves the other part", detected, [seen(60), dropped(40, 2)], "partial"),
  before("a dropped part leaves awaiting", partial, [dropped(60)], "awaiting"),

  // The deadline.
  at(
    DEADLINE,
    { passes: [] },
    "nothing picked expires at the deadline",
    open,
    [],
    "expired expired",
    "failed",
  ),
  after("nothing seen waits for a pass", awaiting, [], "awaiting"),
  at(
    AFTER,
    { passes: [minutes(DEADLINE, 1), null] },
    "nothing seen waits for a network that was never read",
    awaiting,
    [],
    "awaiting",
  ),
  at(AFTER, { passes: [DEADLINE] }, "a pass begun at the deadline is not after it", awaiting, [], "awaiting"),
  judged("nothing seen expires after the pass", awaiting, [], "expired expired", "failed"),
  at(
    AFTER,
    { passes: [minutes(DEADLINE, 1), START] },
    "less than the whole waits for a pass on every network",
    partial,
    [credited(60)],
    "partial",
  ),
  judged("less than the whole fails after the pass", partial, [credited(60)], "failed underpaid", "failed"),
  judged("less than the whole, unconfirmed, fails too", partial, [seen(60)], "failed underpaid", "failed"),
  judged(
    "only money below the minimum expires",
    awaiting,
    [{ ...credited(0.01), belowMinimum: true }],
    "expired expired",
    "failed",
  ),
  judged(
    "a verdict waits for a payment that nobody can value",
    partial,
    [{ ...seen(100), part: null }],
    "partial",
  ),
  judged("the whole seen in time waits for its confirmations", detected, [seen(100)], "detected"),
  judged(
    "seen in time, confirmed after the deadline, completes",
    detected,
    [credited(100)],
    "completed",
    "completed",
  ),
  judged(
    "seen at the very deadline is in time",
    awaiting,
    [{ ...credited(100), firstSeenAt: DEADLINE }],
    "completed",
    "completed",
  ),
  judged("dropped after the deadline expires", detected, [dropped(100)], "expired expired", "failed"),
  judged(
    "a dropped part after the deadline is underpaid",
    detected,
    [credited(60), dropped(40, 2)],
    "failed underpaid",
    "failed",
  ),
  graceOver(
    "the grace ends with the whole unconfirmed",
    detected,
    [seen(100)],
    "failed unconfirmed",
    "failed",
  ),
  at(LONG_AFTER, READ, "a blind watcher does not end the grace", detected, [seen(100)], "detected"),
  at(
    LONG_AFTER,
    READ,
    "confirmed after the grace, before its verdict, completes",
    detected,
    [credited(100)],
    "completed",
    "completed",
  ),

  // Late money, held.
  after(
    "late money before the verdict changes nothing",
    awaiting,
    [{ ...credited(100), ...LATE }],
    "awaiting",
  ),
  judged(
    "late money at the verdict is told beside it",
    awaiting,
    [{ ...credited(100), ...LATE }],
    "expired expired late",
    "failed",
    "late",
  ),
  judged(
    "late money is held, the state stays",
    expired,
    [{ ...credited(100), ...LATE }],
    "expired expired late",
    "late",
  ),
  judged("late money unconfirmed says nothing yet", expired, [{ ...seen(100), ...LATE }], "expired expired"),
  judged(
    "the late rest of an underpaid link is held",
    underpaid,
    [
      { ...credited(60), announced: "failed" },
      { ...credited(40, 2), ...LATE },
    ],
    "failed underpaid late",
    "late",
  ),
  judged(
    "late money already told is not told again",
    aStatus({ ...expired, late: true }),
    [{ ...credited(100), ...LATE, announced: "late" }],
    "expired expired late",
  ),
  judged(
    "more late money is told again",
    aStatus({ ...expired, late: true }),
    [
      { ...credited(100), ...LATE, announced: "late" },
      { ...credited(5, 2), ...LATE },
    ],
    "expired expired late",
    "late",
  ),
  judged(
    "money in time that confirms after the failure it was told in is not late",
    underpaid,
    [{ ...credited(60), announced: "failed" }],
    "failed underpaid",
  ),
  graceOver(
    "money that confirms after the grace is late",
    unconfirmed,
    [credited(100)],
    "failed unconfirmed late",
    "late",
  ),
  judged(
    "late money beside money in time that completes is extra",
    detected,
    [credited(100), { ...credited(10, 2), ...LATE }],
    "completed",
    "completed",
    "extra",
  ),
  judged(
    "a payment dropped after the failure changes no verdict",
    underpaid,
    [{ ...dropped(60), announced: "failed" }],
    "failed underpaid",
  ),

  // Late money, accepted.
  accepted(
    "late money accepted completes an expired link",
    expired,
    [{ ...credited(100), ...LATE }],
    "completed late",
    "completed",
  ),
  accepted(
    "late money accepted overpays an expired link",
    expired,
    [{ ...credited(150), ...LATE }],
    "overpaid late",
    "completed_overpaid",
  ),
  accepted(
    "the late rest accepted completes an underpaid link",
    underpaid,
    [
      { ...credited(60), announced: "failed" },
      { ...credited(40, 2), ...LATE },
    ],
    "completed late",
    "completed",
  ),
  at(
    AFTER,
    ACCEPT,
    "the late rest accepted completes before the verdict",
    partial,
    [credited(60), { ...credited(40, 2), ...LATE }],
    "completed late",
    "completed",
  ),
  accepted(
    "late money not enough is told, not accepted",
    expired,
    [{ ...credited(60), ...LATE }],
    "expired expired late",
    "late",
  ),
  accepted(
    "the rest of late money already told completes",
    aStatus({ ...expired, late: true }),
    [
      { ...credited(60), ...LATE, announced: "late" },
      { ...credited(40, 2), ...LATE },
    ],
    "completed late",
    "completed",
  ),
  accepted(
    "late money unconfirmed is not accepted yet",
    expired,
    [{ ...seen(100), ...LATE }],
    "expired expired",
  ),
  at(
    AFTER,
    ACCEPT,
    "late money unconfirmed is not detected",
    awaiting,
    [{ ...seen(100), ...LATE }],
    "awaiting",
  ),
  at(
    LONG_AFTER,
    { ...READ_AGAIN, ...ACCEPT },
    "money that confirms after the grace is accepted late",
    unconfirmed,
    [credited(100)],
    "completed late",
    "completed",
  ),
  accepted("money in time completes without being late", detected, [credited(100)], "completed", "completed"),

  // After completion.
  before("more money is extra", completed, [counted(100), credited(10, 2)], "completed", "extra"),
  before(
    "more money does not make it overpaid",
    completed,
    [counted(100), credited(100, 2)],
    "completed",
    "extra",
  ),
  before(
    "more money after overpaid is extra",
    overpaid,
    [counted(150), credited(10, 2)],
    "overpaid",
    "extra",
  ),
  judged(
    "late money after completion is extra",
    completed,
    [counted(100), { ...credited(10, 2), ...LATE }],
    "completed",
    "extra",
  ),
  before(
    "two more at once are told once",
    completed,
    [counted(100), credited(10, 2), credited(10, 3)],
    "completed",
    "extra",
  ),
  before("more money unconfirmed says nothing yet", completed, [counted(100), seen(10, 2)], "completed"),
  before(
    "extra money told is not told again",
    completed,
    [counted(100), { ...credited(10, 2), announced: "extra" }],
    "completed",
  ),
  before(
    "extra money taken back changes nothing",
    completed,
    [counted(100), { ...dropped(10, 2), announced: "extra" }],
    "completed",
  ),
  judged("the deadline of a completed link changes nothing", completed, [counted(100)], "completed"),

  // Taken back.
  before(
    "a completion taken back into the mempool is detected",
    completed,
    [{ ...counted(100), status: 0 }],
    "detected",
    "reverted",
  ),
  before(
    "a completion dropped is awaiting",
    completed,
    [{ ...counted(100), status: 2 }],
    "awaiting",
    "reverted",
  ),
  before(
    "a part of a completion dropped is partial",
    completed,
    [counted(60), { ...counted(40, 2), status: 2 }],
    "partial",
    "reverted",
  ),
  before(
    "an overpaid link taken back is detected",
    overpaid,
    [{ ...counted(150), status: 0 }],
    "detected",
    "reverted",
  ),
  before(
    "an overpaid link of which the whole remains completes anew",
    overpaid,
    [counted(100), { ...counted(50, 2), status: 2 }],
    "completed",
    "reverted",
    "completed",
  ),
  before(
    "extra money stands in for what was taken back",
    completed,
    [
      { ...counted(100), status: 2 },
      { ...credited(100, 2), announced: "extra" },
    ],
    "completed",
    "reverted",
    "completed",
  ),
  judged(
    "taken back after the deadline it may confirm within the grace",
    completed,
    [{ ...counted(100), status: 0 }],
    "detected",
    "reverted",
  ),
  judged(
    "dropped after the deadline it expires",
    completed,
    [{ ...counted(100), status: 2 }],
    "expired expired",
    "reverted",
    "failed",
  ),
  judged(
    "a part dropped after the deadline is underpaid",
    completed,
    [counted(60), { ...counted(40, 2), status: 2 }],
    "failed underpaid",
    "reverted",
    "failed",
  ),
  graceOver(
    "taken back after the grace it fails",
    completed,
    [{ ...counted(100), status: 0 }],
    "failed unconfirmed",
    "reverted",
    "failed",
  ),
  before(
    "confirmed again it completes again",
    aStatus({ state: "detected", seq: 2 }),
    [credited(100)],
    "completed",
    "completed",
  ),
  accepted(
    "a late completion taken back fails again",
    completedLate,
    [{ ...counted(100), ...LATE, status: 0 }],
    "expired expired",
    "reverted",
    "failed",
  ),
  accepted(
    "a late completion taken back leaves the part in time",
    completedLate,
    [counted(60), { ...counted(40, 2), ...LATE, status: 0 }],
    "failed underpaid",
    "reverted",
    "failed",
  ),
];

function step({ from, facts, at }: Row) {
  const verdict = next(from, facts, at);
  const told = [verdict.state, verdict.reason, verdict.late ? "late" : null].filter((word) => word !== null);
  const events = verdict.events.map(({ type }) => type.replace("payment_link_", ""));
  return { verdict, to: told.join(" "), events };
}

describe("every transition of a payment link", () => {
  for (const row of TABLE) {
    test(`${row.from.state}: ${row.name}`, () => {
      const { verdict, to, events } = step(row);
      assert.deepEqual({ to, events }, { to: row.to, events: row.events });
      assert.deepEqual(
        verdict.events.map(({ seq }) => seq),
        verdict.events.map((_, i) => row.from.seq + i + 1),
        "events are numbered on from the last one",
      );
      assert.equal(verdict.seq, row.from.seq + verdict.events.length);
    });

    test(`${row.from.state}: ${row.name}, and repeating it changes nothing`, () => {
      const { verdict } = step(row);
      const payments = row.facts.payments.map((payment) => {
        const word = verdict.announced.get(payment.depositId);
        return word === undefined ? payment : { ...payment, announced: word };
      });
      const again = next(verdict, { ...row.facts, payments }, row.at);
      assert.deepEqual(again, { ...verdict, events: [], announced: new Map() });
    });
  }
});
