import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Rates, UsdPriceLookup } from "./types.ts";

/** What tokens cost in USD at `now`; each is looked up once. */
export function createUsdPriceLookup(rates: Rates, now: Date): UsdPriceLookup {
  const known = new Map<TokenCode, string | null>();
  return (token) => {
    const found = known.get(token);
    if (found !== undefined) return found;
    const price = rates.current(token, "usd", now)?.price ?? null;
    known.set(token, price);
    return price;
  };
}
