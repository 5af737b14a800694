import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { arabic } from "./texts/ar.ts";
import { english, type MailTexts } from "./texts/en.ts";
import { spanish } from "./texts/es.ts";
import { french } from "./texts/fr.ts";
import { portuguese } from "./texts/pt.ts";
import { swahili } from "./texts/sw.ts";

const TEXTS: Readonly<Record<LanguageCode, MailTexts>> = {
  en: english,
  fr: french,
  pt: portuguese,
  es: spanish,
  sw: swahili,
  ar: arabic,
};

/** The texts of a payer's mail in a language. */
export function mailTextsOf(language: LanguageCode): MailTexts {
  return TEXTS[language];
}
