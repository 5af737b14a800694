import type { EventType } from "#lib/domain/webhooks/types.ts";
import type { LinkReason, LinkState, PaymentAnnouncement } from "../types.ts";
import { evaluateTotal, type Tolerance, type ValuedPayment } from "../valuation-rules.ts";

const SECOND = 1_000;
/** How soon a payment that no rate could value is tried again. */
const VALUATION_RETRY_MS = 30 * SECOND;

/** What a link remembers of its past. */
export interface LinkStatus {
  readonly state: LinkState;
  readonly reason: LinkReason | null;
  readonly late: boolean;
  readonly seq: number;
}

export interface PaymentFact {
  readonly depositId: number;
  /** null while no rate could be had. */
  readonly valued: ValuedPayment | null;
  /** Below the token's minimum_receive: counted, but alone it moves nothing. */
  readonly belowMinimum: boolean;
  readonly firstSeenAt: Date;
  /** 0 seen, 1 credited, 2 dropped. */
  readonly status: 0 | 1 | 2;
  readonly announced: PaymentAnnouncement | null;
}

/** Everything a verdict is made of; the order of the lists means nothing. */
export interface LinkFacts {
  readonly payments: readonly PaymentFact[];
  /** Per picked network, when its newest whole pass began; null: none yet. */
  readonly passes: readonly (Date | null)[];
  readonly deadline: Date;
  readonly graceHours: number;
  readonly latePolicy: "hold" | "accept";
  readonly tolerance: Tolerance;
}

export interface LinkEvent {
  readonly type: EventType;
  readonly seq: number;
}

export interface LinkEvaluation extends LinkStatus {
  readonly events: readonly LinkEvent[];
  /** Payments whose announcement changes, by deposit. */
  readonly announced: ReadonlyMap<number, PaymentAnnouncement | null>;
  /** When time alone may change the state; null: never. */
  readonly nextCheckAt: Date | null;
}

/** Does it still ask for money, its deadline aside? */
export function isUnpaid(state: string): state is "open" | "awaiting" | "partial" {
  return state === "open" || state === "awaiting" || state === "partial";
}

export function isPaid(state: LinkState): state is "completed" | "overpaid" {
  return state === "completed" || state === "overpaid";
}

export function hasFailed(state: LinkState): state is "failed" | "expired" {
  return state === "failed" || state === "expired";
}

/** A late payment was first seen after the deadline, to the millisecond. */
export function isLate(firstSeenAt: Date, deadline: Date): boolean {
  return firstSeenAt > deadline;
}

type Position = Pick<LinkStatus, "state" | "reason" | "late">;

const standing = (state: LinkState): Position => ({ state, reason: null, late: false });

function paidBy(payments: readonly PaymentFact[], tolerance: Tolerance) {
  return evaluateTotal(
    payments.flatMap(({ valued }) => valued ?? []),
    tolerance,
  );
}

/** The payments that may complete the link now: the credited ones, late ones where the merchant accepts them. */
function countable(facts: LinkFacts): readonly PaymentFact[] {
  return facts.payments.filter(
    ({ status, firstSeenAt }) =>
      status === 1 && (facts.latePolicy === "accept" || !isLate(firstSeenAt, facts.deadline)),
  );
}

function completion(facts: LinkFacts, failedBefore: boolean): Position | null {
  const counted = countable(facts);
  const { paid, overpaid } = paidBy(counted, facts.tolerance);
  if (!paid) return null;
  const late = failedBefore || counted.some(({ firstSeenAt }) => isLate(firstSeenAt, facts.deadline));
  return { state: overpaid ? "overpaid" : "completed", reason: null, late };
}

/** Has every picked network been read whole by a pass begun after `moment`? A blind watcher delays, it never decides. */
function readSince(facts: LinkFacts, moment: Date): boolean {
  return facts.passes.every((pass) => pass !== null && pass > moment);
}

const graceEnd = ({ deadline, graceHours }: LinkFacts) =>
  new Date(deadline.getTime() + graceHours * 3_600 * SECOND);

/** Where an unfinished link stands (docs/decisions.md, State). */
function evaluateUnfinished(facts: LinkFacts, now: Date): Position {
  const completed = completion(facts, false);
  if (completed) return completed;
  const seen = facts.payments.filter((p) => p.status !== 2 && !isLate(p.firstSeenAt, facts.deadline));
  if (paidBy(seen, facts.tolerance).paid) {
    const end = graceEnd(facts);
    const over = now >= end && readSince(facts, end);
    return over ? { state: "failed", reason: "unconfirmed", late: false } : standing("detected");
  }
  const something = seen.filter(({ belowMinimum }) => !belowMinimum);
  const unvalued = something.some(({ valued }) => valued === null);
  const over = now >= facts.deadline && readSince(facts, facts.deadline) && !unvalued;
  if (something.length > 0) {
    return over ? { state: "failed", reason: "underpaid", late: false } : standing("partial");
  }
  if (over) return { state: "expired", reason: "expired", late: false };
  return standing(facts.passes.length > 0 ? "awaiting" : "open");
}

/** The state after the facts, announcements aside. `taken`: a payment that completed it is no longer credited. */
function decide(previous: LinkStatus, facts: LinkFacts, taken: boolean, now: Date): Position {
  if (isPaid(previous.state) && !taken) return previous;
  if (hasFailed(previous.state)) {
    return (facts.latePolicy === "accept" && completion(facts, true)) || previous;
  }
  return evaluateUnfinished(facts, now);
}

/** What each payment's announcement becomes, and which money no event has spoken for yet. */
function announce(position: Position, verdictIsNew: boolean, taken: boolean, facts: LinkFacts) {
  const counted = new Set(
    isPaid(position.state) && verdictIsNew ? countable(facts).filter(({ valued }) => valued !== null) : [],
  );
  const fails = hasFailed(position.state) && verdictIsNew;
  const spokenFor = (p: PaymentFact) =>
    p.status === 1 || (p.status === 0 && position.reason !== "unconfirmed");
  const after = new Map<PaymentFact, PaymentAnnouncement | null>();
  let extra = false;
  let late = false;
  for (const payment of facts.payments) {
    let word = taken && payment.announced === "completed" ? null : payment.announced;
    if (counted.has(payment)) word = "completed";
    if (fails && word === null && !isLate(payment.firstSeenAt, facts.deadline) && spokenFor(payment)) {
      word = "failed";
    }
    if (payment.status === 1 && isPaid(position.state) && word !== "completed" && word !== "extra") {
      word = "extra";
      extra = true;
    }
    if (payment.status === 1 && hasFailed(position.state) && word === null) {
      word = "late";
      late = true;
    }
    after.set(payment, word);
  }
  return { after, extra, late };
}

/** When the sweep looks again. Waiting for a watcher it asks ever more rarely, half a minute apart at most. */
function nextCheck(state: LinkState, facts: LinkFacts, now: Date): Date | null {
  const ended = isPaid(state) || hasFailed(state);
  const limit = state === "detected" ? graceEnd(facts) : facts.deadline;
  const waited = now.getTime() - limit.getTime();
  const again = Math.min(Math.max(waited / 4, SECOND), 30 * SECOND);
  const due = now < limit ? limit : new Date(now.getTime() + again);
  const unvalued = facts.payments.some(({ valued, status }) => valued === null && status !== 2);
  const retry = new Date(now.getTime() + VALUATION_RETRY_MS);
  if (ended) return unvalued ? retry : null;
  return unvalued && retry < due ? retry : due;
}

/**
 * One step of a link: its state, and the events that tell of the change, from where it stood and what is known.
 * Pure: the order of the facts means nothing, and a step from its own result changes nothing.
 */
export function evaluateLink(previous: LinkStatus, facts: LinkFacts, now: Date): LinkEvaluation {
  const taken =
    isPaid(previous.state) &&
    facts.payments.some(({ announced, status }) => announced === "completed" && status !== 1);
  const position = decide(previous, facts, taken, now);
  const paidAnew = isPaid(position.state) && (taken || !isPaid(previous.state));
  const failedAnew = hasFailed(position.state) && !hasFailed(previous.state);
  const told = announce(position, paidAnew || failedAnew, taken, facts);

  const types: EventType[] = [];
  if (taken) types.push("payment_link_reverted");
  if (paidAnew) {
    types.push(position.state === "overpaid" ? "payment_link_completed_overpaid" : "payment_link_completed");
  }
  if (failedAnew) types.push("payment_link_failed");
  if (told.extra) types.push("payment_link_extra");
  if (told.late) types.push("payment_link_late");

  const changes = [...told.after].filter(([payment, word]) => word !== payment.announced);
  return {
    state: position.state,
    reason: position.reason,
    late: position.late || told.late,
    seq: previous.seq + types.length,
    events: types.map((type, i) => ({ type, seq: previous.seq + i + 1 })),
    announced: new Map(changes.map(([payment, word]) => [payment.depositId, word])),
    nextCheckAt: nextCheck(position.state, facts, now),
  };
}

/** A watcher's trouble that lasts no longer is not told: most of it is one answer that a node owed. */
const TROUBLE_MS = 10_000;
const BLIND_MS = 60_000;
const BLIND_POLLS = 20;

/** Is a network not being watched: in trouble for more than a moment, or without a whole pass for too long? */
export function isUnwatched(
  watched: { readonly passStartedAt: Date | null; readonly watchError: string | null },
  pollMs: number,
  now: Date,
): boolean {
  if (watched.passStartedAt === null) return true;
  const blindMs = now.getTime() - watched.passStartedAt.getTime();
  return blindMs > (watched.watchError === null ? Math.max(BLIND_MS, BLIND_POLLS * pollMs) : TROUBLE_MS);
}

/** How pages and their socket name a network: "test:bep20". */
export function qualifiedNetworkName(env: string, network: string): string {
  return `${env}:${network}`;
}
