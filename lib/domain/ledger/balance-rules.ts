import type { Rate } from "#lib/domain/rates/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { valueAtRate } from "#lib/platform/money/value-at-rate.ts";

/** A balance of a token, for reading. */
export interface ValuedBalance {
  readonly token: TokenCode;
  /** Ledger units. */
  readonly amount: bigint;
  /** Its value, and the rate that makes it. Null: no two sources agree on a rate now. */
  readonly worth: { readonly value: bigint; readonly rate: Rate } | null;
}

/**
 * Values balances in a currency, for people to read: nothing may be decided by these values. Asks for the rate of each token once. `total` is
 * in the smallest units of the currency, without the tokens that have no rate: `unvalued`.
 */
export function valueBalances(
  units: ReadonlyMap<TokenCode, bigint>,
  currency: CurrencyCode,
  findRate: (token: TokenCode) => Rate | null,
): {
  readonly balances: readonly ValuedBalance[];
  readonly total: bigint;
  readonly unvalued: readonly TokenCode[];
} {
  const balances = [...units]
    .filter(([, amount]) => amount > 0n)
    .map(([token, amount]) => {
      const rate = findRate(token);
      const worth = rate && { rate, value: valueAtRate({ token, amount }, rate.price, currency) };
      return { token, amount, worth };
    });
  return {
    balances,
    total: balances.reduce((sum, { worth }) => sum + (worth?.value ?? 0n), 0n),
    unvalued: balances.flatMap(({ token, worth }) => (worth === null ? [token] : [])),
  };
}
