import { numberFormat } from "#lib/platform/formats.ts";
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
function readableAmount(amount: string, locale: string): string {
  const format = numberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Such as "12.5 USDT", for reading: exact. */
export function tokenText(units: bigint, token: TokenCode, locale: string): string {
  return `${readableAmount(tokenAmountText(units, token), locale)} ${token.toUpperCase()}`;
}

/** The figure as payers type it: a stablecoin has at least two decimals, "10.00". Other tokens have as many as they need. */
export function typedFigure(units: bigint, token: TokenCode, locale: string): string {
  const format = numberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: TOKENS[token].isStable ? 2 : 0,
    maximumFractionDigits: 20,
  });
  return format.format(tokenAmountText(units, token) as Intl.StringNumericLiteral);
}

/** Such as "10.00 USDT" or "0.0002584 BTC". */
export function typedText(units: bigint, token: TokenCode, locale: string): string {
  return `${typedFigure(units, token, locale)} ${token.toUpperCase()}`;
}

/**
 * An amount in the merchant's currency, such as "₦25,000.00" or "$10.00 USD": the code follows where another currency has the
 * same symbol in this language. Never goes through a float.
 */
export function priceText(units: bigint, currency: CurrencyCode, locale: string): string {
  const decimals = CURRENCIES[currency];
  const code = currency.toUpperCase();
  const figure = formatAmount(units, decimals);
  return isTokenCode(currency)
    ? `${readableAmount(figure, locale)} ${code}`
    : moneyText(figure, code, { min: decimals, max: decimals }, locale);
}

/** A decimal rate in a currency, such as "₦1,612.50". */
export function rateText(price: string, currency: CurrencyCode, locale: string): string {
  const code = currency.toUpperCase();
  return isTokenCode(currency)
    ? `${readableAmount(price, locale)} ${code}`
    : moneyText(price, code, { min: 2, max: 12 }, locale);
}

/** An amount to compare by, with two digits that count, such as "₦6.40". */
export function roughMoneyText(value: Fraction, currency: CurrencyCode, locale: string): string {
  const code = currency.toUpperCase();
  const figure = formatFraction(value, 18) as Intl.StringNumericLiteral;
  const rough = { maximumSignificantDigits: 2 };
  if (isTokenCode(currency)) return `${numberFormat(locale, rough).format(figure)} ${code}`;
  return currencyText(figure, code, rough, locale);
}

function moneyText(
  figure: string,
  code: string,
  digits: { min: number; max: number },
  locale: string,
): string {
  const fraction = { minimumFractionDigits: digits.min, maximumFractionDigits: digits.max };
  return currencyText(figure as Intl.StringNumericLiteral, code, fraction, locale);
}

const NARROW = { style: "currency", currencyDisplay: "narrowSymbol" } as const;

function currencyText(
  figure: Intl.StringNumericLiteral,
  code: string,
  digits: Intl.NumberFormatOptions,
  locale: string,
): string {
  const text = numberFormat(locale, { ...NARROW, currency: code, ...digits }).format(figure);
  const isClear = text.includes(code) || !sharedSymbolCodes(locale).has(code);
  return isClear ? text : `${text} ${code}`;
}

function symbolOf(code: string, locale: string): string {
  const parts = new Intl.NumberFormat(locale, { ...NARROW, currency: code }).formatToParts(0);
  // "F CFA" and "FCFA" are two currencies with one name for every reader.
  return parts.find(({ type }) => type === "currency")?.value.replace(/\s/g, "") ?? code;
}

/** By locale: the currencies whose symbol another one has too, such as "$". */
const shared = new Map<string, ReadonlySet<string>>();

function sharedSymbolCodes(locale: string): ReadonlySet<string> {
  const known = shared.get(locale);
  if (known !== undefined) return known;
  const currencies = Object.keys(CURRENCIES).filter((code) => !isTokenCode(code));
  const bySymbol = Map.groupBy(
    currencies.map((code) => code.toUpperCase()),
    (code) => symbolOf(code, locale),
  );
  const found = new Set([...bySymbol.values()].filter((codes) => codes.length > 1).flat());
  shared.set(locale, found);
  return found;
}
