import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { arabic } from "./texts/ar.ts";
import { english, type Texts } from "./texts/en.ts";
import { spanish } from "./texts/es.ts";
import { french } from "./texts/fr.ts";
import { portuguese } from "./texts/pt.ts";
import { swahili } from "./texts/sw.ts";

export type { Texts };

const TEXTS: Readonly<Record<LanguageCode, Texts>> = {
  en: english,
  fr: french,
  pt: portuguese,
  es: spanish,
  sw: swahili,
  ar: arabic,
};

/** The payment page's texts in a language. Only for the server: browsers must not download all languages. */
export function textsOf(language: LanguageCode): Texts {
  return TEXTS[language];
}
