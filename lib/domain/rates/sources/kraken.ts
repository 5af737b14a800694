import { z } from "zod";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { readSourcePrice } from "../rules.ts";
import type { PriceSource } from "../types.ts";
import { UnknownPairError } from "../unknown-pair.ts";

/** Kraken answers with its own names for its oldest pairs, and with the requested names for the others. */
const PAIRS: Readonly<Record<string, { token: TokenCode; answeredAs: string }>> = {
  XBTUSD: { token: "btc", answeredAs: "XXBTZUSD" },
  ETHUSD: { token: "eth", answeredAs: "XETHZUSD" },
  USDTUSD: { token: "usdt", answeredAs: "USDTZUSD" },
  LTCUSD: { token: "ltc", answeredAs: "XLTCZUSD" },
  XRPUSD: { token: "xrp", answeredAs: "XXRPZUSD" },
  XDGUSD: { token: "doge", answeredAs: "XDGUSD" },
  BCHUSD: { token: "bch", answeredAs: "BCHUSD" },
  ADAUSD: { token: "ada", answeredAs: "ADAUSD" },
  SOLUSD: { token: "sol", answeredAs: "SOLUSD" },
  TRXUSD: { token: "trx", answeredAs: "TRXUSD" },
  SHIBUSD: { token: "shib", answeredAs: "SHIBUSD" },
  COMPUSD: { token: "comp", answeredAs: "COMPUSD" },
  USDCUSD: { token: "usdc", answeredAs: "USDCUSD" },
};

const answer = z.object({
  error: z.array(z.unknown()).length(0),
  result: z.record(z.string(), z.object({ c: z.tuple([z.string()], z.string()) })),
});
/** It has no result then, whatever else was asked. */
const refusal = z.object({ error: z.tuple([z.string().startsWith("EQuery:Unknown asset pair")]) });

/**
 * Kraken's ticker in US dollars: the price of the last trade. The answer has no time, so the time of the
 * fetch is used.
 */
export function kraken(baseUrl = "https://api.kraken.com"): PriceSource {
  return {
    name: "kraken",
    urls: [],
    pairs: {
      names: Object.keys(PAIRS),
      url: (names) => `${baseUrl}/0/public/Ticker?pair=${names.join(",")}`,
    },
    everyMs: 30_000,
    read(json, requestedAt) {
      if (refusal.safeParse(json).success) throw new UnknownPairError("Kraken does not know a pair");
      const { result } = answer.parse(json);
      return Object.entries(PAIRS).flatMap(([name, { token, answeredAs }]) => {
        const row = result[answeredAs] ?? result[name];
        return readSourcePrice("kraken", `${token}/usd`, row?.c[0], requestedAt);
      });
    },
  };
}
