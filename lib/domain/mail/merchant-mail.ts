import { orderRows, paymentText, priceText, tokenText } from "./payer-mails.ts";
import { type MailDocument, oneLine } from "./render-mail.ts";
import type {
  ClaimedMail,
  DigestMailData,
  EndpointMailData,
  LinkMailData,
  SwitchedKind,
  UnmatchedMailData,
} from "./types.ts";

type Content = Pick<MailDocument, "subject" | "sentences" | "rows" | "link">;

/** The names of the kinds of mail, as a merchant reads them. */
export const KIND_NAMES: Readonly<Record<SwitchedKind, string>> = {
  receipt: "receipts",
  paid: "paid payment links",
  underpaid: "payment links that were not paid in full",
  late: "late and extra payments",
  unmatched: "unmatched deposits",
  endpoint_disabled: "disabled webhook endpoints",
  digest: "the daily digest",
};

/** A merchant's mail. It is in English. */
export function composeMerchantMail(
  mail: ClaimedMail & { readonly kind: SwitchedKind },
  stopUrl: string,
): MailDocument {
  const content = composeContent(mail);
  const name = KIND_NAMES[mail.kind];
  const isTest = mail.env === "test";
  const last = `This address has had many mails of this kind within an hour. Further ones are left out until the hour is over.`;
  return {
    ...content,
    language: "en",
    dir: "ltr",
    subject: `${isTest ? "[TEST] " : ""}${content.subject}`,
    sentences: [
      ...(isTest ? ["Test environment. No real money moved."] : []),
      ...content.sentences,
      ...(mail.data.last === true ? [last] : []),
    ],
    footer: [`You get this mail because ${oneLine(mail.merchantName)} has mails about ${name} switched on.`],
    stop: { label: `No more mails about ${name}`, url: stopUrl },
  };
}

function composeContent(mail: ClaimedMail): Content {
  switch (mail.kind) {
    case "unmatched":
      return composeUnmatched(mail.data as UnmatchedMailData);
    case "endpoint_disabled":
      return composeEndpoint(mail.data as EndpointMailData);
    case "digest":
      return composeDigest(mail.data as DigestMailData);
    default:
      return composeLink(mail.data as LinkMailData);
  }
}

/** Subject and first sentence by event. */
function titleOf({ event, reason }: LinkMailData): readonly [string, string] {
  switch (event) {
    case "payment_link_completed":
      return ["Paid", "The payment link is paid."];
    case "payment_link_completed_overpaid":
      return ["Paid with too much", "The payment link is paid with more than it asks for."];
    case "payment_link_reverted":
      return [
        "No longer paid",
        "The chain dropped a payment of this payment link. Deliver nothing until it is paid again.",
      ];
    case "payment_link_failed":
      return reason === "unconfirmed"
        ? ["Not confirmed", "The payment was seen, but the network did not confirm it in time."]
        : ["Not paid in full", "The time ended before the full amount arrived."];
    case "payment_link_late":
      return ["Late payment", "A payment arrived after the payment link had ended."];
    case "payment_link_extra":
      return ["Extra payment", "Another payment arrived after the payment link was paid."];
  }
}

function composeLink(data: LinkMailData): Content {
  const [title, sentence] = titleOf(data);
  const price = priceText(data.amount, data.currency);
  const sums = [
    ["Received", data.received],
    ["Missing", data.remaining],
    ["Too much", data.excess],
  ] as const;
  return {
    subject: `${title}: ${price}, ${oneLine(data.reference)}`,
    sentences: [sentence],
    rows: [
      ["Amount", price],
      ["Reference", oneLine(data.reference)],
      ["Number", data.refid],
      ...orderRows(data, { order: "Order", item: "Item" }),
      ["Time", data.at],
      ...sums.flatMap(([label, amounts]) =>
        amounts.length === 0 ? [] : [[label, amounts.map(paymentText).join(", ")] as const],
      ),
      ...data.payments.map(
        (payment) => ["Transaction", `${tokenText(payment)}, ${payment.tx_hash}`] as const,
      ),
    ],
    link: { label: "Show the payment", url: data.url },
  };
}

function composeUnmatched({ count, deposits }: UnmatchedMailData): Content {
  const [first] = deposits;
  const about = count === 1 && first !== undefined ? paymentText(first) : `${count} deposits`;
  return {
    subject: `Unmatched: ${about}`,
    sentences: [
      "Money arrived at your addresses that is not what they were made for. It is held until the operator decides.",
    ],
    rows: deposits.map(
      (deposit) =>
        [
          `Deposit ${deposit.id}`,
          `${paymentText(deposit)} (${deposit.reason.replaceAll("_", " ")})`,
        ] as const,
    ),
    link: null,
  };
}

function composeEndpoint({ endpoint, host, reason }: EndpointMailData): Content {
  const why = reason === "gone" ? "It answered 410." : "It accepted nothing for five days.";
  return {
    subject: `Webhook endpoint disabled: ${oneLine(host)}`,
    sentences: [`Your webhook endpoint is disabled and receives no more events. ${why}`],
    rows: [
      ["Endpoint", String(endpoint)],
      ["Host", oneLine(host)],
    ],
    link: null,
  };
}

function composeDigest({ day, events, credited }: DigestMailData): Content {
  return {
    subject: `Your day: ${day}`,
    sentences: [
      events.length === 0 ? "Nothing happened on this day (UTC)." : "What happened on this day (UTC):",
    ],
    rows: [
      ...events.map(({ type, count }) => [type.replaceAll("_", " "), String(count)] as const),
      ...credited.map((amount) => ["Credited", paymentText(amount)] as const),
    ],
    link: null,
  };
}
