import { z } from "zod";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { readSourcePrice, readTime } from "../rules.ts";
import type { PriceKeys, PriceSource } from "../types.ts";

const IDS: Readonly<Record<string, TokenCode>> = {
  bitcoin: "btc",
  ethereum: "eth",
  tether: "usdt",
  tron: "trx",
  solana: "sol",
  binancecoin: "bnb",
  litecoin: "ltc",
  dogecoin: "doge",
  "bitcoin-cash": "bch",
  ripple: "xrp",
  "shiba-inu": "shib",
  cardano: "ada",
  "trust-wallet-token": "twt",
  "binance-usd": "busd",
  "compound-governance-token": "comp",
  "usd-coin": "usdc",
};

const answer = z.record(
  z.string(),
  z.object({ usd: z.string().nullish(), last_updated_at: z.string().nullish() }),
);

type Keys = Pick<PriceKeys, "coingecko" | "coingeckoPro">;

/**
 * CoinGecko's /simple/price, which has the time of each price. Its own cache lasts a minute. Without a key it refuses many
 * addresses most of the time (status 429).
 */
export function coingecko(
  { coingecko: demo, coingeckoPro: pro }: Keys = { coingecko: null, coingeckoPro: null },
  baseUrl = pro === null ? "https://api.coingecko.com" : "https://pro-api.coingecko.com",
): PriceSource {
  const query = `ids=${Object.keys(IDS).join(",")}&vs_currencies=usd&include_last_updated_at=true&precision=full`;
  return {
    name: "coingecko",
    urls: [`${baseUrl}/api/v3/simple/price?${query}`],
    everyMs: 60_000,
    headers: {
      ...(pro === null ? demo !== null && { "x-cg-demo-api-key": demo } : { "x-cg-pro-api-key": pro }),
    },
    read: (json) =>
      Object.entries(answer.parse(json)).flatMap(([id, row]) => {
        const token = IDS[id];
        return token
          ? readSourcePrice("coingecko", `${token}/usd`, row.usd, readTime(row.last_updated_at, 1_000))
          : [];
      }),
  };
}
