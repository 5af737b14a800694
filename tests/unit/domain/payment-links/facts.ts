import type { LinkFacts, LinkProgress, PaymentFact } from "#lib/domain/payment-links/settle/state-rules.ts";
import type { Refund } from "#lib/domain/payment-links/types.ts";
import type { PayTerms } from "#lib/domain/payment-links/valuation-rules.ts";

/**
 * The fixed clock of these tests: a link created at START ends at DEADLINE, its grace period at GRACE_END.
 */
export const START = new Date("2030-01-01T10:00:00.000Z");
export const DEADLINE = new Date("2030-01-01T12:00:00.000Z");
export const GRACE_END = new Date("2030-01-02T12:00:00.000Z");

/** Nothing is tolerated and nothing is rounded. */
export const EXACT: PayTerms = {
  underBps: 0,
  underMost: null,
  overBps: 0,
  currency: "usd",
  roundStablecoins: false,
};

export const minutes = (time: Date, n: number) => new Date(time.getTime() + n * 60_000);

/** One hundred USDT pay the full link. */
export const WHOLE = 100n * 10n ** 18n;

export function aStatus(given: Partial<LinkProgress> = {}): LinkProgress {
  return { state: "awaiting", reason: null, late: false, seq: 0, ...given };
}

/** A payment of `percent` of the link in USDT, seen an hour before the deadline. */
export function aPayment(percent: number, given: Partial<PaymentFact> = {}): PaymentFact {
  const amount = (WHOLE * BigInt(Math.round(percent * 100))) / 10_000n;
  return {
    depositId: 1,
    network: "bep20",
    token: "usdt",
    amount,
    fullAmount: WHOLE,
    belowMinimum: false,
    firstSeenAt: minutes(DEADLINE, -60),
    recordedAt: minutes(DEADLINE, -60),
    reportedLate: false,
    status: "seen",
    announced: null,
    ...given,
  };
}

/** A refund of `percent` of the link in USDT, asked for half an hour before the deadline. */
export function aRefund(percent: number, given: Partial<Refund> = {}): Refund {
  const amount = (WHOLE * BigInt(Math.round(percent * 100))) / 10_000n;
  return { network: "bep20", token: "usdt", amount, at: minutes(DEADLINE, -30), until: null, ...given };
}

export function someFacts(payments: readonly PaymentFact[], given: Partial<LinkFacts> = {}): LinkFacts {
  return {
    payments,
    refunds: [],
    passes: [START],
    deadline: DEADLINE,
    graceHours: 24,
    isCanceled: false,
    latePolicy: "hold",
    terms: EXACT,
    ...given,
  };
}
