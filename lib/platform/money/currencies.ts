/** The currencies of payment links, with the decimals of their amounts (docs/decisions.md, Payment links). */
export const CURRENCIES = {
  ngn: 2,
  usd: 2,
  eur: 2,
  gbp: 2,
  ghs: 2,
  kes: 2,
  zar: 2,
  xof: 0,
  cad: 2,
  aed: 2,
  inr: 2,
  btc: 8,
  usdt: 6,
} as const satisfies Record<string, number>;

export type CurrencyCode = keyof typeof CURRENCIES;

/** True if `text` is a supported lowercase currency code. */
export function isCurrencyCode(text: string): text is CurrencyCode {
  return Object.hasOwn(CURRENCIES, text);
}
