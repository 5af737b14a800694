import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode } from "#lib/platform/money/currencies.ts";
import { type Fraction, formatFraction } from "#lib/platform/money/fraction.ts";
import { isTokenCode, TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";

/** A token amount in the form that wallets accept: exact, with a point and without grouping. `units` are ledger units. */
export function tokenAmountText(units: bigint, token: TokenCode): string {
  return formatAmount(units, TOKENS[token].ledgerDecimals);
}

/**
 * The same amount for reading: "9,375" where the language has a decimal comma, because "9.375" is nine thousand there.
 * Without grouping, so that no separator can be mistaken for the other.
 */
export function readableAmount(amount: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Such as "12.5 USDT", for reading. */
export function tokenText(units: bigint, token: TokenCode, locale: string): string {
  return `${readableAmount(tokenAmountText(units, token), locale)} ${token.toUpperCase()}`;
}

/**
 * An amount in the merchant's currency, such as "₦25,000.00 NGN". Never goes through a float. The code is
 * shown next to the symbol because several currencies share a symbol.
 */
export function priceText(units: bigint, currency: CurrencyCode, locale: string): string {
  const decimals = CURRENCIES[currency];
  const code = currency.toUpperCase();
  const figure = formatAmount(units, decimals);
  return isTokenCode(currency)
    ? `${readableAmount(figure, locale)} ${code}`
    : moneyText(figure, code, { min: decimals, max: decimals }, locale);
}

/** A decimal rate in a currency, such as "₦1,612.5 NGN". */
export function rateText(price: string, currency: CurrencyCode, locale: string): string {
  const code = currency.toUpperCase();
  return isTokenCode(currency)
    ? `${readableAmount(price, locale)} ${code}`
    : moneyText(price, code, { min: 2, max: 12 }, locale);
}

/** An amount to compare by, with two digits that count, such as "$0.0041 USD". */
export function roughMoneyText(value: Fraction, currency: CurrencyCode, locale: string): string {
  const code = currency.toUpperCase();
  const figure = formatFraction(value, 18) as Intl.StringNumericLiteral;
  const rough = { maximumSignificantDigits: 2 };
  if (isTokenCode(currency)) return `${new Intl.NumberFormat(locale, rough).format(figure)} ${code}`;
  const style = { style: "currency", currency: code, currencyDisplay: "narrowSymbol" } as const;
  const text = new Intl.NumberFormat(locale, { ...style, ...rough }).format(figure);
  return text.includes(code) ? text : `${text} ${code}`;
}

function moneyText(
  figure: string,
  code: string,
  digits: { min: number; max: number },
  locale: string,
): string {
  const text = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: code,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: digits.min,
    maximumFractionDigits: digits.max,
  }).format(figure as Intl.StringNumericLiteral);
  return text.includes(code) ? text : `${text} ${code}`;
}
