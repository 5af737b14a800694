import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { DECLARED, readSourcePrice } from "./rules.ts";
import type { SourcePrice } from "./types.ts";

/**
 * USD prices of tokens that the exchanges no longer trade, as decimal text. BUSD: its issuer must redeem
 * one for one US dollar (https://www.dfs.ny.gov/consumers/alerts/Paxos_and_Binance).
 */
const DECLARED_USD: Partial<Record<TokenCode, string>> = { busd: "1" };

/** The declared prices at `now`. They never become old, because they are not from a market. */
export function declaredPrices(now: Date): SourcePrice[] {
  return Object.entries(DECLARED_USD).flatMap(([token, price]) =>
    readSourcePrice(DECLARED, `${token as TokenCode}/usd`, price, now),
  );
}
