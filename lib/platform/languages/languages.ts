/** A language of the payment page. */
export interface Language {
  /** Its name in the language itself. */
  readonly name: string;
  readonly dir: "ltr" | "rtl";
}

/** Languages by code (BCP 47, as in `lang` and `?lang=`), in display order. The first one is the fallback. */
export const LANGUAGES = {
  en: { name: "English", dir: "ltr" },
  fr: { name: "Français", dir: "ltr" },
  pt: { name: "Português", dir: "ltr" },
  es: { name: "Español", dir: "ltr" },
  sw: { name: "Kiswahili", dir: "ltr" },
  ar: { name: "العربية", dir: "rtl" },
} as const satisfies Record<string, Language>;

export type LanguageCode = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as LanguageCode[];

/** True if `text` is the code of a language of the page. */
export function isLanguageCode(text: string): text is LanguageCode {
  return Object.hasOwn(LANGUAGES, text);
}

/** The language of a stored code. English where none is stored, or one that is no longer offered. */
export function languageOrEnglish(code: string | null): LanguageCode {
  return code !== null && isLanguageCode(code) ? code : "en";
}

export function languageData(code: LanguageCode): Language {
  return LANGUAGES[code];
}
