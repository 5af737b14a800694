import Negotiator from "negotiator";
import { isLanguageCode, type LanguageCode } from "./languages.ts";

/** The language that `?lang=` requests ("fr", "pt-BR"). Null if it is absent or unknown. */
export function readRequestedLanguage(lang: string | null | undefined): LanguageCode | null {
  const [code = ""] = (lang ?? "").toLowerCase().split("-");
  return isLanguageCode(code) ? code : null;
}

/**
 * The language of a response: the requested one, otherwise the first known one of the visitor's browser,
 * otherwise English. A browser's "fr-CA" gives French (RFC 4647, lookup).
 */
export function chooseLanguage(visitor: {
  readonly lang: string | null;
  readonly acceptLanguage: string | undefined;
}): LanguageCode {
  const browser = new Negotiator({ headers: { "accept-language": visitor.acceptLanguage } }).languages();
  for (const lang of [visitor.lang, ...browser]) {
    const code = readRequestedLanguage(lang);
    if (code !== null) return code;
  }
  return "en";
}
