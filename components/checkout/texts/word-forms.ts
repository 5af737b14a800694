import type { WaitEstimate } from "../time-text.ts";

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Picks the form of a counted word by a language's own rules. */
export function pluralOf(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}

/** Names in a row, joined as a language joins them: "A et B". */
export function listOf(locale: string): (names: readonly string[]) => string {
  const format = new Intl.ListFormat(locale, { type: "conjunction" });
  return (names) => format.format(names);
}

/** English: "about 10 minutes", "a few seconds". */
export const aboutText = ({ unit, count }: WaitEstimate) =>
  unit === "seconds" ? "a few seconds" : `about ${count} ${unit}${count === 1 ? "" : "s"}`;

/** The same in few characters, for a line of facts: "about 10 min", or "10 min" before "or more". */
export const shortText = ({ unit, count }: WaitEstimate, about = "about ") =>
  unit === "seconds" ? "a few seconds" : `${about}${count} ${unit === "minute" ? "min" : "h"}`;
