/** A language of the payment page. */
export interface Language {
  /** What its speakers call it. */
  readonly name: string;
  readonly dir: "ltr" | "rtl";
  /** Ready for customers. Otherwise a draft that no speaker has reviewed, off unless the operator turns it on. */
  readonly reviewed: boolean;
}

/** By code (BCP 47, as in `lang` and `?lang=`), in the order of the switch. The first is everybody's fallback. */
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

/** Those nobody has reviewed yet. */
export const DRAFT_LANGUAGE_CODES = LANGUAGE_CODES.filter((code) => !languageData(code).reviewed);

/** True when `text` is the code of a language the page is written in, drafts included. */
export function isLanguageCode(text: string): text is LanguageCode {
  return Object.hasOwn(LANGUAGES, text);
}

export function languageData(code: LanguageCode): Language {
  return LANGUAGES[code];
}
