import { divCeil, parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { AccountCode } from "./types.ts";

/** Totals and values are integers of 10^-8 USD. */
export const USD_DECIMALS = 8;
/** The most decimals that a price has. */
export const PRICE_DECIMALS = 12;

/** Parses a price (decimal text, at most 12 decimals, above 0) as an integer of 10^-12 USD. Throws if it is invalid. */
export function parsePriceUnits(price: string): bigint {
  const parsed = parseAmount(price, PRICE_DECIMALS);
  if (!parsed.ok || parsed.units <= 0n) throw new Error(`not a price: ${price}`);
  return parsed.units;
}

/** The value of ledger units of a token at a price in USD. In 10^-8 USD, half rounded up. */
export function usdValue(token: TokenCode, amount: bigint, price: string): bigint {
  const divisor = 10n ** BigInt(TOKENS[token].ledgerDecimals + PRICE_DECIMALS - USD_DECIMALS);
  return (2n * amount * parsePriceUnits(price) + divisor) / (2n * divisor);
}

/** The same in cents, rounded up. null without a price. */
export function usdCents(token: TokenCode, amount: bigint, price: string | null): bigint | null {
  return price === null ? null : divCeil(usdValue(token, amount, price), 10n ** BigInt(USD_DECIMALS - 2));
}

/**
 * The merchant volume of a transfer. A transfer to a merchant's account is a credit, a transfer from it a debit.
 * Transfers from and to a receivable account are not volume.
 */
export function transferVolume(transfer: {
  readonly from: AccountCode;
  readonly to: AccountCode;
}): { readonly merchantId: number; readonly direction: "credit" | "debit" } | null {
  const { from, to } = transfer;
  if (from.startsWith("receivable:") || to.startsWith("receivable:")) return null;
  if (to.startsWith("merchant:")) return { merchantId: merchantIdIn(to), direction: "credit" };
  if (from.startsWith("merchant:")) return { merchantId: merchantIdIn(from), direction: "debit" };
  return null;
}

const merchantIdIn = (code: AccountCode) => Number(code.slice(code.indexOf(":") + 1));
