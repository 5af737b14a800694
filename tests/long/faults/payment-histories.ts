/**
 * Histories of two bitcoin links whose payers pay, replace, double spend and wait for a better price, while blocks are
 * mined and reverted. The rules are the real ones; the chain, the tables and the price are a model.
 */
import assert from "node:assert/strict";
import type { PaymentPair } from "#lib/chains/networks.ts";
import {
  decideFirstSeen,
  type FirstSeen,
  type RecordedPayment,
} from "#lib/domain/deposits/record/first-seen-rules.ts";
import { firstSeenTime } from "#lib/domain/deposits/rules.ts";
import type { TransferObservation } from "#lib/domain/deposits/types.ts";
import { acceptsPayment, isPaid } from "#lib/domain/payment-links/rules.ts";
import { LinkValuation } from "#lib/domain/payment-links/settle/assign-quote.ts";
import {
  evaluateLink,
  type LinkProgress,
  type PaymentFact,
} from "#lib/domain/payment-links/settle/state-rules.ts";
import type { PaymentStatus } from "#lib/domain/payment-links/types.ts";
import {
  amountToAsk,
  EXACT_MATCH_MS,
  isQuoteCurrent,
  isQuoteLive,
  newQuote,
  type QuoteTerms,
  sumShares,
  type ValuedPayment,
} from "#lib/domain/payment-links/valuation-rules.ts";
import type { PaymentAnnouncement } from "#lib/domain/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { History, Step } from "./payment-history-steps.ts";

const START = Date.parse("2030-01-01T10:00:00.000Z");
const MINUTE = 60_000;
/** 100 USD, and 0.61 USD, whose price is near the dust limit. */
const LINK_CENTS = [10_000n, 61n] as const;
const [NETWORK, TOKEN] = ["bitcoin", "btc"] as const;
const ROUNDING = { currency: "usd", roundStablecoins: false };
const { quoteDecimals: DECIMALS } = TOKENS[TOKEN];

interface Quote extends QuoteTerms, PaymentPair {
  /** USD cents of one BTC. */
  readonly price: bigint;
}

interface Transaction {
  readonly observations: readonly TransferObservation[];
  readonly spends: readonly string[];
  /** The earliest that the watcher can have known it, by its own observation or its block's time. */
  seen: number;
  state: "waiting" | "mined" | "dropped";
}

/** A row of deposits and of payments. */
interface Deposit {
  readonly id: number;
  readonly transaction: Transaction;
  readonly observation: TransferObservation;
  firstSeen: FirstSeen;
  quote: Quote | null;
  earlyQuote: Quote | null;
  announced: PaymentAnnouncement | null;
  late: boolean;
}

interface ModelLink {
  readonly addressId: number;
  readonly terms: { readonly amount: bigint; readonly currency: "usd"; readonly expiresAt: Date };
  readonly quotes: Quote[];
  progress: LinkProgress;
}

/** The chain, the tables and the price of one history. */
export class HistoryModel {
  readonly #history: History;
  #now = START;
  /** USD cents of one BTC. null: there is no rate. */
  #price: bigint | null = 6_000_000n;
  #quoteIds = 0;
  readonly #transactions: Transaction[] = [];
  readonly #deposits: Deposit[] = [];
  readonly #links = LINK_CENTS.map(
    (amount, addressId): ModelLink => ({
      addressId,
      terms: { amount, currency: "usd", expiresAt: new Date(START + 120 * MINUTE) },
      quotes: [],
      progress: { state: "awaiting", reason: null, late: false, seq: 0 },
    }),
  );

  constructor(given: History) {
    this.#history = given;
    for (const link of this.#links) this.#renew(link);
  }

  /** Runs the history. Throws when a rule is broken. */
  run(): void {
    for (const one of this.#history.steps) {
      this.#now += one.minutes * MINUTE;
      this.#act(one);
      for (const link of this.#links) this.#settle(link);
    }
  }

  #act(one: Step): void {
    const { kind, choice, price } = one;
    const waiting = this.#transactions.filter(({ state }) => state === "waiting");
    const mined = this.#transactions.filter(({ state }) => state === "mined");
    const chosen = (list: readonly Transaction[]) => list[choice % Math.max(list.length, 1)];
    if (kind === "price") this.#price = price === 0 ? null : BigInt(price) * 100_000n;
    if (kind === "view") this.#renew(this.#links[choice % this.#links.length]!);
    if (kind === "pay") this.#broadcast(outpoints(one.inputs), one);
    if (kind === "replace") {
      const replaced = chosen(waiting);
      // All of its inputs and perhaps more, or only some of them.
      const inputs = outpoints(one.inputs);
      if (replaced)
        this.#broadcast(choice % 3 === 0 ? inputs : [...new Set([...replaced.spends, ...inputs])], one);
    }
    if (kind === "mine") this.#mine(chosen(waiting), one.skew);
    const back = chosen(mined);
    if (kind === "revert" && back) back.state = "waiting";
    const lost = chosen(this.#transactions);
    if (kind === "drop" && lost) lost.state = "dropped";
  }

  /** A node accepts it if it conflicts with no block. It replaces what waits and spends the same. */
  #broadcast(spends: readonly string[], { choice, pays, skew }: Step): void {
    const conflicts = this.#transactions.filter((other) => other.spends.some((one) => spends.includes(one)));
    if (conflicts.some(({ state }) => state === "mined")) return;
    for (const other of conflicts) other.state = "dropped";
    const txHash = `tx${this.#transactions.length}`;
    const time = new Date(this.#now - skew * MINUTE);
    // Some are first seen in a block.
    const block = choice % 8 === 7 ? { height: 1, hash: "block", time } : null;
    const observations = pays.map((bps, position): TransferObservation => {
      const addressId = (choice >> position) & 1;
      const amount = bps === 0 ? 600n : (this.#cost(addressId, choice) * BigInt(bps)) / 10_000n || 600n;
      const owner = { merchantId: 1, sender: null, unmatchedReason: null };
      return { txHash, position, token: TOKEN, addressId, amount, spends, ...owner, block };
    });
    const seen = firstSeenTime(new Date(this.#now), block).getTime();
    const transaction: Transaction = { observations, spends, seen, state: block ? "mined" : "waiting" };
    this.#transactions.push(transaction);
    this.#record(transaction);
  }

  /** Ledger units that pay a link at the price of a quote that its payer has seen. */
  #cost(addressId: number, choice: number): bigint {
    const { quotes } = this.#links[addressId]!;
    const quote = quotes[choice % Math.max(quotes.length, 1)];
    return choice % 2 === 0 ? (quote?.asked ?? 1_000n) : (quote?.amount ?? 1_000n);
  }

  #record(transaction: Transaction): void {
    const { observations, spends } = transaction;
    const spenders = this.#transactions.filter((other) => other.spends.some((one) => spends.includes(one)));
    const recorded = spenders.flatMap((other) => {
      const rows = this.#deposits.filter((deposit) => deposit.transaction === other);
      return [...Map.groupBy(rows, ({ observation }) => observation.addressId)].map(
        ([addressId, group]): RecordedPayment => ({
          txHash: other.observations[0]!.txHash,
          addressId,
          token: TOKEN,
          amount: group.reduce((sum, { observation }) => sum + observation.amount, 0n),
          seenAt: new Date(Math.max(...group.map(({ firstSeen }) => firstSeen.firstSeenAt.getTime()))),
        }),
      );
    });
    const outpointsOf = new Map(spenders.map((other) => [other.observations[0]!.txHash, other.spends]));
    const decided = decideFirstSeen(observations, recorded, outpointsOf, new Date(this.#now));
    for (const observation of observations) {
      const firstSeen = decided.get(observation)!;
      const unsettled = { quote: null, earlyQuote: null, announced: null, late: false };
      this.#deposits.push({
        id: this.#deposits.length + 1,
        transaction,
        observation,
        firstSeen,
        ...unsettled,
      });
    }
  }

  /** An earlier block's time makes the payment earlier, as updatePlacements does. */
  #mine(transaction: Transaction | undefined, skew: number): void {
    if (!transaction) return;
    transaction.state = "mined";
    const seen = new Date(this.#now - skew * MINUTE);
    transaction.seen = Math.min(transaction.seen, seen.getTime());
    for (const deposit of this.#deposits.filter((one) => one.transaction === transaction)) {
      if (seen < deposit.firstSeen.firstSeenAt)
        deposit.firstSeen = { ...deposit.firstSeen, firstSeenAt: seen };
    }
  }

  /** The page of a link that is open: it has a current quote. */
  #renew(link: ModelLink): void {
    const now = new Date(this.#now);
    if (!acceptsPayment({ state: link.progress.state, expiresAt: link.terms.expiresAt }, now)) return;
    if (link.quotes.some((quote) => isQuoteCurrent(quote, now))) return;
    const valued = this.#paymentsOf(link).flatMap((deposit) =>
      isDropped(deposit) ? [] : valuedParts(deposit),
    );
    const quote = this.#quote(link, sumShares(valued));
    if (quote) link.quotes.push(quote);
  }

  #quote(link: ModelLink, paidShare: Fraction): Quote | null {
    if (this.#price === null) return null;
    const rate = { price: formatAmount(this.#price, 2), source: "model", at: new Date(this.#now) };
    const options = { paidShare, decimals: DECIMALS, now: new Date(this.#now), quoteMinutes: 20 };
    const terms = newQuote(link.terms, TOKEN, rate, options);
    return { ...terms, id: ++this.#quoteIds, network: NETWORK, token: TOKEN, price: this.#price };
  }

  #paymentsOf({ addressId }: { readonly addressId: number }): Deposit[] {
    return this.#deposits.filter(({ observation }) => observation.addressId === addressId);
  }

  #settle(link: ModelLink): void {
    const now = new Date(this.#now);
    const deposits = this.#paymentsOf(link);
    const valued = deposits.flatMap((deposit) => (isDropped(deposit) ? [] : valuedParts(deposit)));
    const terms = { quotes: link.quotes, rounding: ROUNDING };
    const valuation = new LinkValuation<Quote>(terms, valued, now);
    for (const { deposit, early, amount, seen } of unsettledParts(deposits)) {
      const part = {
        depositId: deposit.id,
        network: NETWORK,
        token: TOKEN,
        amount,
        status: statusOf(deposit),
        early,
      } as const;
      const times = { seenAt: seen, observedAt: new Date(deposit.transaction.seen) };
      const quote = valuation.assign(part, times, (paidShare) => {
        const made = this.#quote(link, paidShare);
        if (made) link.quotes.push(made);
        return made;
      });
      if (quote) {
        this.#checkShown(link, { deposit, amount, seen, share: sumShares(valued) }, quote);
        this.#checkQuote(
          deposit,
          { early, amount, asked: amountToAsk(quote.amount, sumShares(valued), TOKEN, DECIMALS) },
          quote,
        );
        valued.push({ amount, fullAmount: quote.amount, token: TOKEN });
      }
      deposit[early ? "earlyQuote" : "quote"] = quote;
    }
    this.#evaluate(link, deposits, now);
    this.#checkPrice(link, deposits);
  }

  #evaluate(link: ModelLink, deposits: readonly Deposit[], now: Date): void {
    const payments = deposits.flatMap((deposit): PaymentFact[] => {
      const parts = valuedParts(deposit);
      const { firstSeenAt } = deposit.firstSeen;
      const fact = { depositId: deposit.id, belowMinimum: false, firstSeenAt, reportedLate: deposit.late };
      const pair = { network: NETWORK, token: TOKEN, recordedAt: firstSeenAt };
      const stored = { ...fact, ...pair, status: statusOf(deposit), announced: deposit.announced };
      return parts.length === 0
        ? [{ ...stored, amount: deposit.observation.amount, fullAmount: null }]
        : parts.map((valued) => ({ ...stored, ...valued }));
    });
    const { underBps, latePolicy } = this.#history;
    const terms = {
      latePolicy,
      terms: { ...ROUNDING, underBps, underMost: null, overBps: 0 },
      graceHours: 24,
      isCanceled: false,
      refunds: [],
      passes: [now],
    };
    const evaluation = evaluateLink(
      link.progress,
      { payments, deadline: link.terms.expiresAt, ...terms },
      now,
    );
    for (const deposit of deposits) {
      deposit.announced = evaluation.announced.has(deposit.id)
        ? (evaluation.announced.get(deposit.id) ?? null)
        : deposit.announced;
      deposit.late = evaluation.reportedLate.has(deposit.id);
    }
    link.progress = evaluation;
  }

  /** A part that pays exactly what the page showed around its time is valued so, whatever the page shows meanwhile. */
  #checkShown(
    link: ModelLink,
    part: { deposit: Deposit; amount: bigint; seen: Date; share: Fraction },
    quote: Quote,
  ): void {
    const { deposit, amount, share } = part;
    const seen = part.seen.getTime();
    if (deposit.transaction.seen > seen) return;
    const isShown = ({ validFrom, validUntil, asked, amount: whole }: Quote) =>
      seen >= validFrom.getTime() - EXACT_MATCH_MS &&
      seen <= validUntil.getTime() + EXACT_MATCH_MS &&
      (amount === asked || amount === amountToAsk(whole, share, TOKEN, DECIMALS));
    assert.ok(
      !link.quotes.some(isShown) || isShown(quote),
      `quote ${quote.id} values an amount that was shown`,
    );
  }

  /**
   * The quote of a part must have been live when a transaction that this one is, or conflicts with, had paid at least so
   * much to the address. Otherwise it is the current one. An expired one needs its asked amount to the unit.
   */
  #checkQuote(
    deposit: Deposit,
    { early, amount, asked }: { early: boolean; amount: bigint; asked: bigint },
    quote: Quote,
  ): void {
    const { addressId } = deposit.observation;
    const least = early ? amount : deposit.observation.amount;
    const conflicting = this.#transactions.filter(({ spends, observations }) => {
      const paid = observations.reduce(
        (sum, one) => sum + (one.addressId === addressId ? one.amount : 0n),
        0n,
      );
      return paid >= least && spends.some((one) => deposit.transaction.spends.includes(one));
    });
    // An address is not paid before it exists.
    const times = conflicting.map(({ seen }) => Math.max(seen, START));
    const isNear = (seen: number) =>
      seen >= quote.validFrom.getTime() - EXACT_MATCH_MS &&
      seen <= quote.validUntil.getTime() + EXACT_MATCH_MS;
    const isExact = amount === quote.asked || amount === asked;
    const fits =
      isQuoteCurrent(quote, new Date(this.#now)) ||
      (isNear(Math.max(deposit.transaction.seen, START)) &&
        times.some((seen) => isQuoteLive(quote, new Date(seen)) || (isExact && isNear(seen))));
    assert.ok(fits, `quote ${quote.id} of ${quote.validFrom.toISOString()} values a payment of another time`);
  }

  /** A paid link has its price less the tolerance and 0.5 %, each payment at the price of its quote. */
  #checkPrice(link: ModelLink, deposits: readonly Deposit[]): void {
    if (!isPaid(link.progress.state)) return;
    const counted = deposits.filter(({ announced }) => announced === "completed");
    assert.ok(
      counted.every((deposit) => deposit.transaction.state === "mined"),
      "a payment that is not credited counts",
    );
    let worth = 0n;
    for (const { observation, firstSeen, quote, earlyQuote } of counted) {
      worth +=
        (observation.amount - firstSeen.earlyAmount) * quote!.price +
        firstSeen.earlyAmount * (earlyQuote?.price ?? 0n);
    }
    const price = link.terms.amount * 10n ** 8n;
    const forgiven = BigInt(Math.max(this.#history.underBps, 50));
    assert.ok(worth * 10_000n >= price * (10_000n - forgiven), `${worth} pays a link of ${price}`);
  }
}

const outpoints = (bits: number) => [0, 1, 2, 3].filter((n) => bits & (1 << n)).map((n) => `coin:${n}`);
const statusOf = ({ transaction: { state } }: Deposit): PaymentStatus =>
  state === "mined" ? "credited" : state === "waiting" ? "seen" : "dropped";
const isDropped = (deposit: Deposit) => statusOf(deposit) === "dropped";

/** The parts of a deposit that are valued: all of it or none. */
function valuedParts({ observation: { amount }, firstSeen, quote, earlyQuote }: Deposit): ValuedPayment[] {
  if (!quote) return [];
  const { earlyAmount } = firstSeen;
  const rest = { amount: amount - earlyAmount, fullAmount: quote.amount, token: TOKEN } as const;
  return earlyQuote ? [rest, { amount: earlyAmount, fullAmount: earlyQuote.amount, token: TOKEN }] : [rest];
}

/** As listUnsettledPayments. */
function unsettledParts(deposits: readonly Deposit[]) {
  return deposits
    .filter((deposit) => !isDropped(deposit))
    .flatMap((deposit) => {
      const { firstSeenAt, earlyAmount, earlySeenAt } = deposit.firstSeen;
      const rest = deposit.observation.amount - earlyAmount;
      return [
        ...(earlySeenAt && !deposit.earlyQuote
          ? [{ deposit, early: true, amount: earlyAmount, seen: earlySeenAt }]
          : []),
        ...(deposit.quote ? [] : [{ deposit, early: false, amount: rest, seen: firstSeenAt }]),
      ];
    })
    .map((part) => ({ ...part, seen: new Date(Math.max(part.seen.getTime(), START)) }))
    .sort(
      (a, b) =>
        a.seen.getTime() - b.seen.getTime() ||
        a.deposit.id - b.deposit.id ||
        Number(b.early) - Number(a.early),
    );
}
