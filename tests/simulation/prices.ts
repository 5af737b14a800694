import type { Rates } from "#lib/domain/rates/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Random } from "./random.ts";

const DECIMALS = 6;
const MILLION = 1_000_000n;

/** Changes of a price in millionths: most are too small to notice, some are a reason to choose when to pay. */
const TICKS = [-20n, 20n, 200n, -2_000n, 2_000n, -100_000n, 100_000n] as const;

/** The prices of tokens in a history, in millionths of a dollar. All processes see the same prices. */
export class Prices {
  readonly #prices = new Map<TokenCode, bigint>([
    ["usdt", MILLION],
    ["btc", 50_000n * MILLION],
    ["xrp", 2n * MILLION],
  ]);

  tick(token: TokenCode, random: Random): void {
    const price = this.#prices.get(token) ?? MILLION;
    this.#prices.set(token, price + (price * random.pick(TICKS)) / MILLION);
  }

  rates(): Rates {
    return {
      current: (token, currency, now) => {
        const price = this.#prices.get(token);
        if (price === undefined || currency !== "usd") return null;
        return { price: formatAmount(price, DECIMALS), source: "model", at: now };
      },
      refresh: async () => {},
      start: () => {},
      stop: () => {},
    };
  }
}
