import { NETWORKS } from "#lib/chains/networks.ts";
import { dateFormat } from "#lib/platform/formats.ts";
import { languageData, languageOrEnglish } from "#lib/platform/languages/languages.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { type MailDocument, oneLine } from "./render-mail.ts";
import { mailTextsOf } from "./texts.ts";
import type { ClaimedMail, ClaimMailData, LinkMailData, MailAmount } from "./types.ts";

/** "25.50 USD": the decimal text with the decimals that its currency is written with. */
export function priceText(decimal: string, currency: string): string {
  const isCurrency = Object.hasOwn(CURRENCIES, currency);
  const usual = isCurrency ? Math.min(CURRENCIES[currency as keyof typeof CURRENCIES], 2) : 0;
  const [whole = "0", fraction = ""] = decimal.split(".");
  const padded = fraction.padEnd(usual, "0");
  return `${padded === "" ? whole : `${whole}.${padded}`} ${oneLine(currency).toUpperCase()}`;
}

export function tokenText({ amount, token }: MailAmount): string {
  return `${amount} ${token.toUpperCase()}`;
}

/** "25.5 USDT · BNB Smart Chain". */
export function paymentText(payment: MailAmount): string {
  const name = Object.hasOwn(NETWORKS, payment.network)
    ? NETWORKS[payment.network as keyof typeof NETWORKS].name
    : payment.network;
  return `${tokenText(payment)} · ${name}`;
}

/** The description of a link and its items, a line each. */
export function orderRows(
  { description, items = [], currency }: Pick<LinkMailData, "description" | "items" | "currency">,
  labels: { readonly order: string; readonly item: string },
): (readonly [label: string, value: string])[] {
  return [
    ...(description ? [[labels.order, oneLine(description)] as const] : []),
    ...items.map(({ name, quantity, amount }) => {
      const what = quantity === 1 ? oneLine(name) : `${quantity} × ${oneLine(name)}`;
      return [labels.item, `${what}: ${priceText(amount, currency)}`] as const;
    }),
  ];
}

/** A payer's receipt, in the language of the page that the payer used. */
export function composeReceipt(mail: ClaimedMail, data: LinkMailData, stopUrl: string): MailDocument {
  const language = languageOrEnglish(data.language);
  const texts = mailTextsOf(language);
  const merchant = oneLine(mail.merchantName);
  const price = priceText(data.amount, data.currency);
  const excess = data.excess.map(tokenText).join(", ");
  const completed = dateFormat(texts.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(new Date(data.at));
  return {
    language,
    dir: languageData(language).dir,
    subject: `${mail.env === "test" ? "[TEST] " : ""}${texts.subject({ merchant, price })}`,
    sentences: [
      ...(mail.env === "test" ? [texts.testBanner] : []),
      texts.paid({ merchant, price }),
      ...(excess === "" ? [] : [texts.overpaid({ merchant, excess })]),
    ],
    rows: [
      [texts.merchant, merchant],
      [texts.reference, oneLine(data.reference)],
      [texts.number, data.refid],
      [texts.amount, price],
      ...orderRows(data, texts),
      [texts.completed, `${completed} UTC`],
      ...data.payments.flatMap((payment) => [
        [texts.payment, paymentText(payment)] as const,
        [texts.transaction, payment.tx_hash] as const,
      ]),
    ],
    link: { label: texts.view, url: data.url },
    footer: [texts.why({ merchant })],
    stop: { label: texts.stop({ merchant }), url: stopUrl },
  };
}

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
  const date = dateFormat(texts.locale, { dateStyle: "long", timeZone: "UTC" });
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
