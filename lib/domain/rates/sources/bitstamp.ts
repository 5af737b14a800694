import { z } from "zod";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { readSourcePrice, readTime } from "../rules.ts";
import type { PriceSource } from "../types.ts";

const answer = z.array(z.object({ pair: z.string(), last: z.string(), timestamp: z.string() }));

/** Bitstamp's tickers of all pairs, in US dollars, with the time of each. */
export function bitstamp(baseUrl = "https://www.bitstamp.net"): PriceSource {
  return {
    name: "bitstamp",
    urls: [`${baseUrl}/api/v2/ticker/`],
    everyMs: 30_000,
    read(json) {
      const rows = new Map(answer.parse(json).map((row) => [row.pair, row]));
      return (Object.keys(TOKENS) as TokenCode[]).flatMap((token) => {
        const row = rows.get(`${token.toUpperCase()}/USD`);
        return readSourcePrice("bitstamp", `${token}/usd`, row?.last, readTime(row?.timestamp, 1_000));
      });
    },
  };
}
