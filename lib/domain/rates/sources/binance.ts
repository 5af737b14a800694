import { z } from "zod";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { readSourcePrice, readTime } from "../rules.ts";
import type { PriceSource } from "../types.ts";

/** One unlisted symbol makes Binance refuse the whole request (status 400). It is left out then. */
const SYMBOLS: Readonly<Record<string, TokenCode>> = {
  BTCUSDT: "btc",
  ETHUSDT: "eth",
  TRXUSDT: "trx",
  SOLUSDT: "sol",
  BNBUSDT: "bnb",
  LTCUSDT: "ltc",
  DOGEUSDT: "doge",
  BCHUSDT: "bch",
  XRPUSDT: "xrp",
  SHIBUSDT: "shib",
  ADAUSDT: "ada",
  TWTUSDT: "twt",
  COMPUSDT: "comp",
  USDCUSDT: "usdc",
};

const answer = z.array(z.object({ symbol: z.string(), lastPrice: z.string(), closeTime: z.string() }));

/**
 * Binance's 24-hour ticker in USDT, because it has no US dollar pairs. The default host serves public market
 * data only.
 */
export function binance(baseUrl = "https://data-api.binance.vision"): PriceSource {
  return {
    name: "binance",
    urls: [],
    pairs: {
      names: Object.keys(SYMBOLS),
      url: (names) =>
        `${baseUrl}/api/v3/ticker/24hr?type=MINI&symbols=${encodeURIComponent(JSON.stringify(names))}`,
    },
    everyMs: 30_000,
    read: (json) =>
      answer.parse(json).flatMap((row) => {
        const token = SYMBOLS[row.symbol];
        return token
          ? readSourcePrice("binance", `${token}/usdt`, row.lastPrice, readTime(row.closeTime, 1))
          : [];
      }),
  };
}
