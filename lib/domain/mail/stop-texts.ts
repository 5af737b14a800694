import { type LanguageCode, languageData } from "#lib/platform/languages/languages.ts";
import { KIND_NAMES } from "./merchant-mail.ts";
import { mailTextsOf } from "./texts.ts";
import type { LinkMailData, MailData, SwitchedKind } from "./types.ts";

/** The texts of the page that stops a mail: in the payer's language, or for a merchant in English. */
export function composeStopTexts(mail: {
  readonly kind: SwitchedKind;
  readonly data: MailData;
  readonly merchantName: string;
}): {
  readonly language: LanguageCode;
  readonly dir: "ltr" | "rtl";
  readonly stop: string;
  readonly stopped: string;
} {
  if (mail.kind !== "receipt") {
    const name = KIND_NAMES[mail.kind];
    const stopped = `Mails about ${name} are switched off.`;
    return { language: "en", dir: "ltr", stop: `No more mails about ${name}`, stopped };
  }
  const language = (mail.data as LinkMailData).language ?? "en";
  const texts = mailTextsOf(language);
  const merchant = mail.merchantName;
  return {
    language,
    dir: languageData(language).dir,
    stop: texts.stop({ merchant }),
    stopped: texts.stopped({ merchant }),
  };
}
