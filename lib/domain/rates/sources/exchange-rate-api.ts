import { z } from "zod";
import { FIAT_CURRENCIES, readSourcePrice, readTime } from "../rules.ts";
import type { PriceSource } from "../types.ts";

const answer = z.object({
  result: z.literal("success"),
  base_code: z.literal("USD"),
  time_last_update_unix: z.string(),
  rates: z.record(z.string(), z.string()),
});

/** ExchangeRate-API's open access: US dollars to 160 currencies, published once a day. */
export function exchangeRateApi(baseUrl = "https://open.er-api.com"): PriceSource {
  return {
    name: "exchangerate-api",
    urls: [`${baseUrl}/v6/latest/USD`],
    everyMs: 3_600_000,
    // It refuses for 20 minutes after too many requests (www.exchangerate-api.com/docs/free).
    longestRetryMs: 300_000,
    read(json) {
      const { rates, time_last_update_unix: updated } = answer.parse(json);
      return FIAT_CURRENCIES.flatMap((code) =>
        readSourcePrice(
          "exchangerate-api",
          `usd/${code}`,
          rates[code.toUpperCase()],
          readTime(updated, 1_000),
        ),
      );
    },
  };
}
