import { parseAmount } from "./amount.ts";

const SPACES = /[\s\u00a0\u202f'’]/g;
/** 1,000 is a thousand to some people and one to others. */
const AMBIGUOUS = /^[1-9][0-9]{0,2},[0-9]{3}$/;
/** So is 1.000 to others, unless amounts have three decimals. */
const AMBIGUOUS_POINT = /^[1-9][0-9]{0,2}\.[0-9]{3}$/;
/** With more than three decimals, nobody who means a fraction ends it with a needless zero. */
const AMBIGUOUS_ZERO = /^[1-9][0-9]{0,2}\.[0-9]{2}0$/;
const COMMA_DECIMALS = /^[0-9]+,[0-9]+$/;
/** Groups of three with commas, like 1,000.50 and 1,000,000. */
const COMMA_GROUPS = /^[0-9]{1,3}(?:(?:,[0-9]{3})+\.[0-9]+|(?:,[0-9]{3}){2,})$/;
/** Groups of three with points, like 1.000,50 and 1.000.000. */
const POINT_GROUPS = /^[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,})$/;

/**
 * An amount as people type it, as decimal text with a point: "25,50" and "1.000,50" are 25.50 and 1000.50. Text that may mean two amounts,
 * like "1,000", has a comma, and text that is no amount stays as it is: parseAmount refuses both. `decimals`: how many the amount may have.
 * With two, "1.000" may mean two amounts too, and with six "1.500".
 */
export function readTypedAmount(typed: string, decimals: number): string {
  const text = typed.trim();
  const compact = text.replace(SPACES, "");
  if (COMMA_GROUPS.test(compact)) return compact.replaceAll(",", "");
  if (POINT_GROUPS.test(compact)) return compact.replaceAll(".", "").replace(",", ".");
  if (COMMA_DECIMALS.test(compact) && !AMBIGUOUS.test(compact)) return compact.replace(",", ".");
  const ambiguous = decimals < 3 ? AMBIGUOUS_POINT : AMBIGUOUS_ZERO;
  if (decimals !== 3 && ambiguous.test(compact)) return compact.replace(".", ",");
  return /^[0-9.]+$/.test(compact) ? compact : text;
}

/** Parses an amount as people type it, like parseAmount. `largest` is in the unit of the result. */
export function parseTypedAmount(typed: string, decimals: number, largest: bigint) {
  return parseAmount(readTypedAmount(typed, decimals), decimals, largest);
}
