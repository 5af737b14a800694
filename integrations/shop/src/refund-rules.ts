import { addDecimals, compareDecimals, scaleDecimal } from "./decimal.ts";

interface TokenPair {
  readonly network: string;
  readonly token: string;
}

/** A payment of the link, as far as a refund needs it. */
export interface PaidPart extends TokenPair {
  readonly amount: string;
  /** The fraction of the link that it pays. Null while no rate is available. */
  readonly worth: string | null;
  /** 1: credited. */
  readonly status: number;
}

export interface TokenRefund extends TokenPair {
  /** Whole tokens. */
  readonly amount: string;
}

/** Tokens with six places on some network. The others have eight or more. */
const SIX_PLACES = new Set(["usdt", "usdc", "busd", "trx", "xrp", "ada"]);

/**
 * Converts a refund in the currency of the link to tokens, at the rates of its payments, rounded down. A link that was paid in several
 * tokens is refunded in the one that paid most of it. Null: nothing is credited, or the amount is too small for the token.
 */
export function refundInTokens(
  payments: readonly PaidPart[],
  { amount, of: whole }: { readonly amount: string; readonly of: string },
): TokenRefund | null {
  const credited = payments.flatMap(({ worth, ...part }) =>
    part.status === 1 && worth !== null && compareDecimals(worth, "0") > 0 ? [{ ...part, worth }] : [],
  );
  const pairOf = ({ network, token }: TokenPair) => `${network} ${token}`;
  const [most] = [...new Set(credited.map(pairOf))]
    .map((pair) => credited.filter((part) => pairOf(part) === pair))
    .map((parts) => ({ parts, worth: addDecimals(parts.map((part) => part.worth)) }))
    .sort((a, b) => compareDecimals(b.worth, a.worth));
  const [first] = most?.parts ?? [];
  if (most === undefined || first === undefined) return null;
  const paid = addDecimals(most.parts.map((part) => part.amount));
  const divisor = scaleDecimal(whole, most.worth, { by: "1", places: 36 });
  const places = SIX_PLACES.has(first.token) ? 6 : 8;
  const tokens = scaleDecimal(paid, amount, { by: divisor, places });
  if (compareDecimals(tokens, "0") === 0) return null;
  return { network: first.network, token: first.token, amount: tokens };
}
