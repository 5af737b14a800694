import { z } from "zod";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { FIAT_CURRENCIES, invert, readSourcePrice } from "../rules.ts";
import type { PriceSource } from "../types.ts";

const answer = z.object({
  data: z.object({ currency: z.literal("USD"), rates: z.record(z.string(), z.string()) }),
});

/**
 * Coinbase's exchange rates: what one US dollar buys, fiat and crypto in one answer. The price of a token is
 * the inverse. The answer has no time, so the time of the fetch is used.
 */
export function coinbase(baseUrl = "https://api.coinbase.com"): PriceSource {
  return {
    name: "coinbase",
    urls: [`${baseUrl}/v2/exchange-rates?currency=USD`],
    everyMs: 30_000,
    read(json, requestedAt) {
      const { rates } = answer.parse(json).data;
      const fiat = FIAT_CURRENCIES.flatMap((code) =>
        readSourcePrice("coinbase", `usd/${code}`, rates[code.toUpperCase()], requestedAt),
      );
      const crypto = (Object.keys(TOKENS) as TokenCode[]).flatMap((token) =>
        readSourcePrice("coinbase", `${token}/usd`, rates[token.toUpperCase()], requestedAt).map(
          (sourcePrice) => ({
            ...sourcePrice,
            price: invert(sourcePrice.price),
          }),
        ),
      );
      return [...fiat, ...crypto];
    },
  };
}
