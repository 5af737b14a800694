import { type PaymentPair, pairCode } from "#lib/chains/networks.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import type { PaymentPart } from "../types.ts";
import {
  chooseQuote,
  EXACT_MATCH_MS,
  payDecimals,
  type QuoteTerms,
  type RoundingTerms,
  ShareSum,
} from "../valuation-rules.ts";
import { QuoteWindow } from "./quote-window.ts";

/** When a part was first seen, and when its transaction was: later if it replaced the one that paid the part first. */
interface PartTimes {
  readonly seenAt: Date;
  readonly observedAt: Date;
}

type PairQuote = QuoteTerms & PaymentPair;

/** The valuation of one link's payments. Give it their parts in the order in which they were first seen. */
export class LinkValuation<Quote extends PairQuote> {
  readonly #paid = new ShareSum();
  readonly #quotes: QuoteWindow<Quote>;
  /** Pairs for whose token no rate is available now. */
  readonly #withoutRate = new Set<string>();
  /** Deposits whose early amount has no quote. The rest waits for it: a payment is valued as a whole or not at all. */
  readonly #waiting = new Set<number>();
  readonly #rounding: RoundingTerms;

  /** `quotes`: those of the link. `valued`: what is valued already. */
  constructor(
    { quotes, rounding }: { readonly quotes: readonly Quote[]; readonly rounding: RoundingTerms },
    valued: Iterable<Parameters<ShareSum["add"]>[0]>,
    now: Date,
  ) {
    this.#quotes = new QuoteWindow(quotes, now);
    this.#rounding = rounding;
    for (const payment of valued) this.#paid.add(payment);
  }

  /**
   * Chooses the quote of a part and counts the part as paid by it. If none fits, the current one values it. Without
   * that, `draft` makes one for a link of which this share is paid. null: dropped, or no rate is available.
   */
  assign(part: PaymentPart, times: PartTimes, draft: (paidShare: Fraction) => Quote | null): Quote | null {
    const { depositId, status, early } = part;
    if (status === "dropped" || (!early && this.#waiting.has(depositId))) return null;
    const paidShare = this.#paid.share;
    let quote = this.#choose(part, times, paidShare) ?? this.#quotes.current(part);
    if (!quote) {
      quote = this.#withoutRate.has(pairCode(part)) ? null : draft(paidShare);
      if (!quote) {
        this.#withoutRate.add(pairCode(part));
        if (early) this.#waiting.add(depositId);
        return null;
      }
      this.#quotes.add(quote);
    }
    this.#paid.add({ amount: part.amount, fullAmount: quote.amount, token: part.token });
    return quote;
  }

  /**
   * The quote of the time when the part was first seen. If its transaction replaced another one after that quote's window, the
   * quote of its own time: otherwise a payment that nobody mines would be a free option on the price.
   */
  #choose(part: PaymentPart, { seenAt, observedAt }: PartTimes, paidShare: Fraction): Quote | null {
    const { amount, token } = part;
    const payment = { amount, token, decimals: payDecimals(token, this.#rounding) };
    const quote = chooseQuote({ ...payment, seenAt }, this.#quotes.near(part, seenAt), paidShare);
    if (quote === null || observedAt.getTime() <= quote.validUntil.getTime() + EXACT_MATCH_MS) return quote;
    return chooseQuote({ ...payment, seenAt: observedAt }, this.#quotes.all(part), paidShare);
  }
}
