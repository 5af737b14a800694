/** A language of the payment page. */
export interface Language {
  /** Its name in the language itself. */
  readonly name: string;
  readonly dir: "ltr" | "rtl";
  /**
   * Ready for customers. Otherwise a draft that no native speaker has reviewed, off unless the operator
   * enables it.
   */
  readonly reviewed: boolean;
}

/** Languages by code (BCP 47, as in `lang` and `?lang=`), in display order. The first one is the fallback. */
export const LANGUAGES = {
  en: { name: "English", dir: "ltr", reviewed: true },
  fr: { name: "Français", dir: "ltr", reviewed: true },
  pt: { name: "Português", dir: "ltr", reviewed: true },
  es: { name: "Español", dir: "ltr", reviewed: true },
  sw: { name: "Kiswahili", dir: "ltr", reviewed: true },
  ar: { name: "العربية", dir: "rtl", reviewed: true },
  ha: { name: "Hausa", dir: "ltr", reviewed: false },
  yo: { name: "Yorùbá", dir: "ltr", reviewed: false },
  ig: { name: "Igbo", dir: "ltr", reviewed: false },
  pcm: { name: "Naijá (Pidgin)", dir: "ltr", reviewed: false },
} as const satisfies Record<string, Language>;

export type LanguageCode = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as LanguageCode[];

/** Languages that no native speaker has reviewed yet. */
export const DRAFT_LANGUAGE_CODES = LANGUAGE_CODES.filter((code) => !languageData(code).reviewed);

/** True if `text` is the code of a language of the page, including drafts. */
export function isLanguageCode(text: string): text is LanguageCode {
  return Object.hasOwn(LANGUAGES, text);
}

export function languageData(code: LanguageCode): Language {
  return LANGUAGES[code];
}
