import { z } from "zod";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { readSourcePrice, readTime } from "../rules.ts";
import type { PriceSource } from "../types.ts";

const answer = z.object({
  code: z.literal("0"),
  data: z.array(z.object({ instId: z.string(), last: z.string(), ts: z.string() })),
});

/** OKX's tickers of all spot pairs, in USDT, with the time of each. */
export function okx(baseUrl = "https://www.okx.com"): PriceSource {
  return {
    name: "okx",
    urls: [`${baseUrl}/api/v5/market/tickers?instType=SPOT`],
    everyMs: 30_000,
    read(json) {
      const rows = new Map(answer.parse(json).data.map((row) => [row.instId, row]));
      return (Object.keys(TOKENS) as TokenCode[]).flatMap((token) => {
        const row = rows.get(`${token.toUpperCase()}-USDT`);
        return readSourcePrice("okx", `${token}/usdt`, row?.last, readTime(row?.ts, 1));
      });
    },
  };
}
