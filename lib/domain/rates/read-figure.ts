import { parsePrice } from "./rules.ts";
import type { PricePair, SourcePrice } from "./types.ts";

/** One figure out of an answer, or none when the price or its time is absent or absurd: the others still count. */
export function readSourcePrice(
  source: string,
  pair: PricePair,
  priceText: string | null | undefined,
  at: Date | null,
): SourcePrice[] {
  const price = priceText ? parsePrice(priceText) : null;
  return price && at ? [{ pair, price, at, source }] : [];
}

/** A time from whole units since 1970, `unitMs` milliseconds each; null when it is none. */
export function readTime(text: string | null | undefined, unitMs: number): Date | null {
  return text && /^[0-9]{1,13}$/.test(text) ? new Date(Number(text) * unitMs) : null;
}
