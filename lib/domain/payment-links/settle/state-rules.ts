import type { LinkReason, LinkState, PaymentAnnouncement } from "#lib/domain/types.ts";
import type { PaymentLinkEventType } from "#lib/domain/webhooks/events.ts";
import { countingRefunds, creditedPayments, seenPayments } from "../refund-rules.ts";
import { hasFailed, isLate, isPaid, latestDeadline, timeToPayEnd } from "../rules.ts";
import type { PaymentTotal, Refund } from "../types.ts";
import { evaluateTotal, type PayTerms, valuedPayments } from "../valuation-rules.ts";

const SECOND_MS = 1_000;
/** Interval after which a payment without a rate is valued again. */
const VALUATION_RETRY_MS = 30 * SECOND_MS;

/** The stored result of the last evaluation. */
export interface LinkProgress {
  readonly state: LinkState;
  readonly reason: LinkReason | null;
  readonly late: boolean;
  readonly seq: number;
}

/** A payment, or several that every rule treats alike. */
export type PaymentFact = Omit<PaymentTotal, "payments">;

/** The facts that an evaluation uses. The order of the lists has no meaning. */
export interface LinkFacts {
  readonly payments: readonly PaymentFact[];
  /** The refunded part of the payments does not count, and neither does the promised part. */
  readonly refunds: readonly Refund[];
  /** For each selected network, the start of its watcher's newest complete pass. null before the first pass. */
  readonly passes: readonly (Date | null)[];
  readonly deadline: Date;
  readonly graceHours: number;
  readonly latePolicy: "hold" | "accept";
  readonly terms: PayTerms;
  /** The merchant canceled the link. Without effect as long as money was seen in time. */
  readonly isCanceled: boolean;
}

interface LinkEvent {
  readonly type: PaymentLinkEventType;
  readonly seq: number;
}

/** The result of an evaluation. */
export interface LinkEvaluation extends LinkProgress {
  readonly events: readonly LinkEvent[];
  /** The payments whose announcement changes, by deposit id. */
  readonly announced: ReadonlyMap<number, PaymentAnnouncement | null>;
  /** The payments that are late and reported by an event, by deposit id. */
  readonly reportedLate: ReadonlySet<number>;
  /** When time alone may change the state. null if it cannot. */
  readonly nextCheckAt: Date | null;
}

type StateResult = Pick<LinkProgress, "state" | "reason" | "late">;

const unfinished = (state: LinkState): StateResult => ({ state, reason: null, late: false });

function evaluatePayments(payments: readonly PaymentFact[], terms: PayTerms) {
  return evaluateTotal(valuedPayments(payments), terms);
}

/** Lists the credited payments that can complete the link now: late ones only if the merchant accepts them. */
function countablePayments(
  { latePolicy, deadline }: LinkFacts,
  credited: readonly PaymentFact[],
): readonly PaymentFact[] {
  return credited.filter(
    (payment) => payment.fullAmount !== null && (latePolicy === "accept" || !isLate(payment, deadline)),
  );
}

/** The completed state, or null if the countable payments do not pay the link. */
function evaluateCompletion(facts: LinkFacts): StateResult | null {
  const counted = countablePayments(facts, creditedPayments(facts.payments, facts.refunds));
  const { paid, overpaid } = evaluatePayments(counted, facts.terms);
  if (!paid) return null;
  const late = counted.some((payment) => isLate(payment, facts.deadline));
  return { state: overpaid ? "overpaid" : "completed", reason: null, late };
}

/**
 * True if, for every selected network, a complete pass started at `timestamp` or after it. Without such a pass a payment may
 * exist that was not read yet, so that a link must not fail.
 */
function isReadSince(facts: LinkFacts, timestamp: Date): boolean {
  return facts.passes.every((pass) => pass !== null && pass >= timestamp);
}

const graceEnd = ({ deadline, graceHours }: LinkFacts) =>
  new Date(deadline.getTime() + graceHours * 3_600 * SECOND_MS);

/** The state of a link that has neither completed nor failed (docs/decisions.md, State). */
function evaluateUnfinished(facts: LinkFacts, now: Date): StateResult {
  const completed = evaluateCompletion(facts);
  if (completed) return completed;
  const seen = seenPayments(facts.payments, facts.refunds).filter((p) => !isLate(p, facts.deadline));
  if (evaluatePayments(seen, facts.terms).paid) {
    const end = graceEnd(facts);
    const isOver = now >= end && isReadSince(facts, end);
    return isOver ? { state: "failed", reason: "unconfirmed", late: false } : unfinished("detected");
  }
  const relevant = seen.filter(({ belowMinimum }) => !belowMinimum);
  const hasUnvalued = relevant.some(({ fullAmount }) => fullAmount === null);
  const end = timeToPayEnd(facts.deadline);
  const isOver = now >= end && isReadSince(facts, end) && !hasUnvalued;
  if (relevant.length > 0) {
    return isOver ? { state: "failed", reason: "underpaid", late: false } : unfinished("partial");
  }
  if (facts.isCanceled) return { state: "expired", reason: "canceled", late: false };
  if (isOver) return { state: "expired", reason: "expired", late: false };
  return unfinished(facts.passes.length > 0 ? "awaiting" : "open");
}

/** The new state without announcements. `reverted`: a payment that completed the link is no longer credited. */
function evaluateState(previous: LinkProgress, facts: LinkFacts, reverted: boolean, now: Date): StateResult {
  if (isPaid(previous.state) && !reverted) return previous;
  if (hasFailed(previous.state)) {
    return (facts.latePolicy === "accept" && evaluateCompletion(facts)) || previous;
  }
  return evaluateUnfinished(facts, now);
}

/**
 * The announcement of each payment after the evaluation, and whether an `extra` or a `late` event is due. `isNew`: the
 * link completes or fails with this evaluation. Payments below the minimum cause neither: anybody can send thousands of
 * them. Their deposits are reported together (reportSmallDeposits).
 */
function announcePayments(result: StateResult, isNew: boolean, reverted: boolean, facts: LinkFacts) {
  // Payments of which all was refunded are included: if the chain drops one, the refund takes from the others.
  const credited = facts.payments.filter(({ status }) => status === "credited");
  const completing = new Set(isPaid(result.state) && isNew ? countablePayments(facts, credited) : []);
  const fails = hasFailed(result.state) && isNew;
  const isInFailedEvent = (payment: PaymentFact) =>
    payment.status === "credited" || (payment.status === "seen" && result.reason !== "unconfirmed");
  // Without a completion nothing is extra.
  const isUndone = ({ announced }: PaymentFact) =>
    reverted && (announced === "completed" || (announced === "extra" && !isPaid(result.state)));
  const announcements = new Map<PaymentFact, PaymentAnnouncement | null>();
  let hasExtra = false;
  let hasLate = false;
  for (const payment of facts.payments) {
    let announced = isUndone(payment) ? null : payment.announced;
    if (completing.has(payment)) announced = "completed";
    const isInTime = !isLate(payment, facts.deadline);
    const isInEvent = fails && isInTime && isInFailedEvent(payment);
    if (isInEvent && announced === null) announced = "failed";
    // An earlier failure reported it, and the link was paid since. This one does not: it is late if it comes back.
    if (fails && !isInEvent && announced === "failed") announced = null;
    const isCredited = payment.status === "credited";
    if (isCredited && isPaid(result.state) && announced !== "completed" && announced !== "extra") {
      announced = "extra";
      hasExtra ||= !payment.belowMinimum;
    }
    if (isCredited && hasFailed(result.state) && announced === null) {
      announced = "late";
      hasLate ||= !payment.belowMinimum;
    }
    announcements.set(payment, announced);
  }
  return { announcements, hasExtra, hasLate };
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

/**
 * When the sweep evaluates the link again. After the limit, while the watchers have not read it, the interval grows
 * from one second to 30 seconds.
 */
function findNextCheck(state: LinkState, facts: LinkFacts, now: Date): Date | null {
  const hasEnded = isPaid(state) || hasFailed(state);
  const limit = state === "detected" ? graceEnd(facts) : timeToPayEnd(facts.deadline);
  const waited = now.getTime() - limit.getTime();
  const interval = Math.min(Math.max(waited / 4, SECOND_MS), 30 * SECOND_MS);
  // Links made before deadlines had a limit may end in 9999, and a year of five digits cannot be stored.
  const due = now < limit ? earlier(limit, latestDeadline(now)) : new Date(now.getTime() + interval);
  const hasUnvalued = facts.payments.some(
    ({ fullAmount, status }) => fullAmount === null && status !== "dropped",
  );
  const promises = isPaid(state) ? [] : facts.refunds.flatMap(({ until }) => until ?? []);
  const times = [
    ...(hasEnded ? [] : [due]),
    ...(hasUnvalued ? [new Date(now.getTime() + VALUATION_RETRY_MS)] : []),
    ...promises,
  ];
  return times.length === 0 ? null : times.reduce(earlier);
}

/**
 * Marks what came too late for the decision of a link that has failed: money that is credited now and that the decision
 * did not report. It is late even if its block has an earlier time, so that link and payment never disagree.
 */
function markLatePayments(previous: LinkProgress, facts: LinkFacts): LinkFacts {
  if (!hasFailed(previous.state)) return facts;
  const payments = facts.payments.map((payment) =>
    payment.status === "credited" && payment.announced === null
      ? { ...payment, reportedLate: true }
      : payment,
  );
  return { ...facts, payments };
}

/**
 * Evaluates a link: computes its state and the events of the change from its previous status and the facts. Pure, and
 * independent of the order of the facts. An evaluation of its own result changes nothing.
 */
export function evaluateLink(previous: LinkProgress, given: LinkFacts, now: Date): LinkEvaluation {
  const refunds = countingRefunds(given.refunds, now);
  const facts = markLatePayments(previous, { ...given, refunds });
  const reverted =
    isPaid(previous.state) &&
    facts.payments.some(({ announced, status }) => announced === "completed" && status !== "credited");
  const result = evaluateState(previous, facts, reverted, now);
  const completesNow = isPaid(result.state) && (reverted || !isPaid(previous.state));
  const failsNow = hasFailed(result.state) && !hasFailed(previous.state);
  const { announcements, hasExtra, hasLate } = announcePayments(
    result,
    completesNow || failsNow,
    reverted,
    facts,
  );

  const types: PaymentLinkEventType[] = [];
  if (reverted) types.push("payment_link_reverted");
  if (completesNow) {
    types.push(result.state === "overpaid" ? "payment_link_completed_overpaid" : "payment_link_completed");
  }
  if (failsNow) types.push("payment_link_failed");
  if (hasExtra) types.push("payment_link_extra");
  if (hasLate) types.push("payment_link_late");

  const changes = [...announcements].filter(([payment, announced]) => announced !== payment.announced);
  const isReportedLate = ([payment, announced]: [PaymentFact, PaymentAnnouncement | null]) =>
    announced !== null && isLate(payment, facts.deadline);
  const reportedLate = [...announcements].filter((one) => one[0].reportedLate || isReportedLate(one));
  return {
    state: result.state,
    reason: result.reason,
    late: hasFailed(result.state) ? [...announcements].some(isReportedLate) : result.late,
    seq: previous.seq + types.length,
    events: types.map((type, i) => ({ type, seq: previous.seq + i + 1 })),
    announced: new Map(changes.map(([payment, announced]) => [payment.depositId, announced])),
    reportedLate: new Set(reportedLate.map(([{ depositId }]) => depositId)),
    nextCheckAt: findNextCheck(result.state, facts, now),
  };
}
