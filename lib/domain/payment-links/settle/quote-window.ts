import { type PaymentPair, pairCode } from "#lib/chains/networks.ts";
import { EXACT_MATCH_MS, isQuoteCurrent, type QuoteTerms } from "../valuation-rules.ts";

interface PairQuotes<Quote> {
  readonly all: Quote[];
  /** Quotes that begin after the payments so far, the latest first. */
  readonly later: Quote[];
  near: Quote[];
  current: Quote | null;
}

/**
 * The quotes of one link, for payments in the order in which they were first seen. A link can have thousands of quotes
 * and of payments. Each payment is compared only with the few quotes that were valid around its time.
 */
export class QuoteWindow<Quote extends QuoteTerms & PaymentPair> {
  readonly #pairs = new Map<string, PairQuotes<Quote>>();

  constructor(quotes: readonly Quote[], now: Date) {
    const latestFirst = [...quotes].sort((a, b) => b.validFrom.getTime() - a.validFrom.getTime());
    for (const quote of latestFirst) {
      const known = this.#of(quote);
      known.all.push(quote);
      known.later.push(quote);
      if (isQuoteCurrent(quote, now)) known.current ??= quote;
    }
  }

  /** Adds a quote that is valid now. */
  add(quote: Quote): void {
    const known = this.#of(quote);
    known.all.push(quote);
    known.near.push(quote);
    known.current ??= quote;
  }

  /** All quotes of the pair. Comparing a payment with them costs more than with the near ones. */
  all(pair: PaymentPair): readonly Quote[] {
    return this.#of(pair).all;
  }

  /** The quotes that can have been shown for a payment first seen at `seen`. Each call needs the same `seen` or a later one. */
  near(pair: PaymentPair, seen: Date): readonly Quote[] {
    const known = this.#of(pair);
    const time = seen.getTime();
    for (let next = known.later.at(-1); next && next.validFrom.getTime() - EXACT_MATCH_MS <= time; ) {
      known.near.push(next);
      known.later.pop();
      next = known.later.at(-1);
    }
    known.near = known.near.filter(({ validUntil }) => validUntil.getTime() + EXACT_MATCH_MS >= time);
    return known.near;
  }

  /** A quote that is valid now. */
  current(pair: PaymentPair): Quote | null {
    return this.#of(pair).current;
  }

  #of(pair: PaymentPair): PairQuotes<Quote> {
    const code = pairCode(pair);
    let known = this.#pairs.get(code);
    if (!known) {
      known = { all: [], later: [], near: [], current: null };
      this.#pairs.set(code, known);
    }
    return known;
  }
}
