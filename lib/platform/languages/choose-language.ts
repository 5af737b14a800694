import Negotiator from "negotiator";
import { isLanguageCode, LANGUAGE_CODES, type LanguageCode, languageData } from "./languages.ts";

/** The languages visitors can have: those reviewed, and the drafts the operator turned on. In the switch's order. */
export function listEnabledLanguages(drafts: readonly LanguageCode[]): LanguageCode[] {
  return LANGUAGE_CODES.filter((code) => languageData(code).reviewed || drafts.includes(code));
}

/** What `?lang=` asks for ("fr", "pt-BR"), or null when it is absent, unknown or off. */
export function readRequestedLanguage(
  lang: string | null | undefined,
  on: readonly LanguageCode[],
): LanguageCode | null {
  const [code = ""] = (lang ?? "").toLowerCase().split("-");
  return isLanguageCode(code) && on.includes(code) ? code : null;
}

/**
 * The language of an answer: the one asked for, else the first of the visitor's browser that is on, else English.
 * A browser's "fr-CA" is answered in French (RFC 4647, lookup).
 */
export function chooseLanguage(visitor: {
  readonly lang: string | null;
  readonly acceptLanguage: string | undefined;
  readonly on: readonly LanguageCode[];
}): LanguageCode {
  const browser = new Negotiator({ headers: { "accept-language": visitor.acceptLanguage } }).languages();
  for (const lang of [visitor.lang, ...browser]) {
    const code = readRequestedLanguage(lang, visitor.on);
    if (code !== null) return code;
  }
  return "en";
}
