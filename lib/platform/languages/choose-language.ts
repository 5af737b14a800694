import Negotiator from "negotiator";
import { isLanguageCode, LANGUAGE_CODES, type LanguageCode, languageData } from "./languages.ts";

/**
 * The languages available to visitors: all reviewed ones and the drafts that the operator enabled, in
 * display order.
 */
export function listEnabledLanguages(drafts: readonly LanguageCode[]): LanguageCode[] {
  return LANGUAGE_CODES.filter((code) => languageData(code).reviewed || drafts.includes(code));
}

/** The language that `?lang=` requests ("fr", "pt-BR"). Null if it is absent, unknown or not enabled. */
export function readRequestedLanguage(
  lang: string | null | undefined,
  on: readonly LanguageCode[],
): LanguageCode | null {
  const [code = ""] = (lang ?? "").toLowerCase().split("-");
  return isLanguageCode(code) && on.includes(code) ? code : null;
}

/**
 * The language of a response: the requested one, otherwise the first enabled one of the visitor's browser,
 * otherwise English. A browser's "fr-CA" gives French (RFC 4647, lookup).
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
