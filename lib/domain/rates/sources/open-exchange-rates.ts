import { z } from "zod";
import { FIAT_CURRENCIES, readSourcePrice, readTime } from "../rules.ts";
import type { PriceSource } from "../types.ts";

const answer = z.object({
  timestamp: z.string(),
  base: z.literal("USD"),
  rates: z.record(z.string(), z.string()),
});

/**
 * Open Exchange Rates (openexchangerates.org, latest.json): US dollars to 170 currencies, published once an hour. It
 * wants an App ID; the free plan allows 1,000 requests a month. Null: none is set.
 */
export function openExchangeRates(
  appId: string | null,
  baseUrl = "https://openexchangerates.org",
): PriceSource {
  return {
    name: "openexchangerates",
    urls: [`${baseUrl}/api/latest.json?app_id=${encodeURIComponent(appId ?? "")}`],
    everyMs: 3_600_000,
    longestRetryMs: 600_000,
    idle: appId === null ? "set OPEN_EXCHANGE_RATES_APP_ID to use it" : null,
    read(json) {
      const { rates, timestamp } = answer.parse(json);
      const at = readTime(timestamp, 1_000);
      return FIAT_CURRENCIES.flatMap((code) =>
        readSourcePrice("openexchangerates", `usd/${code}`, rates[code.toUpperCase()], at),
      );
    },
  };
}
