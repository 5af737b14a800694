import { NETWORKS } from "#lib/chains/networks.ts";
import { languageData, languageOrEnglish } from "#lib/platform/languages/languages.ts";
import { tokenText } from "./receipt-mail.ts";
import { type MailDocument, oneLine } from "./render-mail.ts";
import { mailTextsOf } from "./texts.ts";
import type { ClaimedMail, ClaimMailData } from "./types.ts";

/** The mail that asks a payer for the address of a refund, in the payer's language. `url` is null if the claim is no longer open. */
export function composeClaimMail(mail: ClaimedMail, url: string | null): MailDocument {
  const data = mail.data as ClaimMailData;
  const language = languageOrEnglish(data.language);
  const texts = mailTextsOf(language);
  const { subject, text, secret, ended, message, until, open } = texts.claim;
  const merchant = oneLine(mail.merchantName);
  const amount = tokenText(data);
  const network = Object.hasOwn(NETWORKS, data.network)
    ? NETWORKS[data.network as keyof typeof NETWORKS].name
    : data.network;
  const date = new Intl.DateTimeFormat(texts.locale, { dateStyle: "long", timeZone: "UTC" });
  return {
    language,
    dir: languageData(language).dir,
    subject: `${mail.env === "test" ? "[TEST] " : ""}${subject({ merchant, amount })}`,
    sentences: [
      ...(mail.env === "test" ? [texts.testBanner] : []),
      ...(url === null ? [ended({ merchant })] : [text({ merchant, amount, network }), secret]),
    ],
    rows: [
      [texts.reference, oneLine(data.reference)],
      ...(data.note === null ? [] : [[message, oneLine(data.note)] as const]),
      [until, `${date.format(new Date(data.expiresAt))} UTC`],
    ],
    link: url === null ? null : { label: open, url },
    footer: [texts.why({ merchant })],
    stop: null,
  };
}
