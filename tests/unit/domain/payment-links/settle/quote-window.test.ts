import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { QuoteWindow } from "#lib/domain/payment-links/settle/quote-window.ts";
import { chooseQuote, isQuoteCurrent } from "#lib/domain/payment-links/valuation-rules.ts";
import { ZERO } from "#lib/platform/money/fraction.ts";
import { minutes, START } from "../facts.ts";

const network = fc.constantFrom("bep20", "trc20");
const quote = fc.record({
  network,
  from: fc.integer({ min: 0, max: 300 }),
  lasts: fc.integer({ min: 1, max: 60 }),
  amount: fc.constantFrom(100n, 110n),
});
const payment = fc.record({
  network,
  seen: fc.integer({ min: -30, max: 360 }),
  amount: fc.constantFrom(1n, 100n, 110n),
});

test("the quotes near a payment give it the same quote as all quotes of its network", () => {
  fc.assert(
    fc.property(fc.array(quote), fc.array(payment), (given, payments) => {
      const quotes = given.map(({ network: of, from, lasts, amount }, i) => {
        const validFrom = minutes(START, from);
        return {
          id: i,
          network: of,
          token: "usdt" as const,
          amount,
          asked: amount,
          validFrom,
          validUntil: minutes(validFrom, lasts),
        };
      });
      const now = minutes(START, 330);
      const window = new QuoteWindow(quotes, now);
      for (const { network: of, seen, amount } of payments.sort((a, b) => a.seen - b.seen)) {
        const one = {
          amount,
          network: of,
          token: "usdt" as const,
          decimals: 6,
          seenAt: minutes(START, seen),
        };
        const all = quotes.filter((candidate) => candidate.network === of);
        assert.equal(chooseQuote(one, window.near(one, one.seenAt), ZERO), chooseQuote(one, all, ZERO));
        const current = window.current(one);
        assert.equal(
          current !== null,
          all.some((candidate) => isQuoteCurrent(candidate, now)),
        );
      }
    }),
  );
});
