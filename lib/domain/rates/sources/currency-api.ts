import { z } from "zod";
import { FIAT_CURRENCIES, readSourcePrice } from "../rules.ts";
import type { PriceSource } from "../types.ts";

const answer = z.object({ date: z.iso.date(), usd: z.record(z.string(), z.string()) });

const MIRRORS = [
  "https://cdn.jsdelivr.net/npm/@fawazahmed0/currency-api@latest",
  "https://latest.currency-api.pages.dev",
];

/** The open data set "currency-api": US dollars to 200 currencies, published once a day on two mirrors. */
export function currencyApi(baseUrls: readonly string[] = MIRRORS): PriceSource {
  return {
    name: "currency-api",
    urls: baseUrls.map((baseUrl) => `${baseUrl}/v1/currencies/usd.min.json`),
    everyMs: 3_600_000,
    read(json) {
      const { date, usd } = answer.parse(json);
      return FIAT_CURRENCIES.flatMap((code) =>
        readSourcePrice("currency-api", `usd/${code}`, usd[code], new Date(`${date}T00:00:00Z`)),
      );
    },
  };
}
