import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { arabic } from "./texts/ar.ts";
import { english } from "./texts/en.ts";
import { spanish } from "./texts/es.ts";
import { french } from "./texts/fr.ts";
import { hausa } from "./texts/ha.ts";
import { igbo } from "./texts/ig.ts";
import { pidgin } from "./texts/pcm.ts";
import { portuguese } from "./texts/pt.ts";
import { swahili } from "./texts/sw.ts";
import { yoruba } from "./texts/yo.ts";

/** Codes in `?notice=` that say why the last choice of a network failed. */
export const NOTICE_CODES = ["too_many_addresses", "no_rate", "not_offered"] as const;
export type NoticeCode = (typeof NOTICE_CODES)[number];

/** Codes in `?notice=` of a form's page that say why its last submission failed. */
export const FORM_NOTICE_CODES = [
  "amount_not_possible",
  "answers_malformed",
  "too_few_left",
  "too_many_submissions",
] as const;
export type FormNoticeCode = (typeof FORM_NOTICE_CODES)[number];

/** Codes in `?notice=` of a point of sale. */
export const POS_NOTICE_CODES = [
  "wrong_code",
  "too_many_tries",
  "too_many_sales",
  "amount_not_possible",
  "answers_malformed",
  "too_few_left",
] as const;
export type PosNoticeCode = (typeof POS_NOTICE_CODES)[number];

/** Codes in `?notice=` of a refund's page that say why its address was not accepted. */
export const REFUND_NOTICE_CODES = ["malformed", "unusable", "not_compared", "not_now"] as const;
export type RefundNoticeCode = (typeof REFUND_NOTICE_CODES)[number];

/** All texts of the payment page. English defines the shape; `texts/` has one file per language. */
export type Texts = typeof english;

const TEXTS: Readonly<Record<LanguageCode, Texts>> = {
  en: english,
  fr: french,
  pt: portuguese,
  es: spanish,
  sw: swahili,
  ar: arabic,
  ha: hausa,
  yo: yoruba,
  ig: igbo,
  pcm: pidgin,
};

/** The payment page's texts in a language. Only for the server: browsers must not download all languages. */
export function textsOf(language: LanguageCode): Texts {
  return TEXTS[language];
}
