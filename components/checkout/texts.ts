import type { LanguageCode } from "#lib/languages/languages.ts";
import { english } from "./texts/en.ts";

/** Why the last choice of a network changed nothing: the code in `?notice=`. */
export const NOTICES = ["too_many_addresses", "no_rate", "not_offered"] as const;
export type Notice = (typeof NOTICES)[number];

/** Every word of the payment page; English has the shape, `texts/` one file per language. */
export type Texts = typeof english;

const TEXTS: Readonly<Partial<Record<LanguageCode, Texts>>> = { en: english };

/** The payment page's words in a language. For the server alone: no browser is to carry all of them. */
export function textsOf(language: LanguageCode): Texts {
  return TEXTS[language] ?? english;
}
