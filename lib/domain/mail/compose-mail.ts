import type { SendMailOptions } from "nodemailer";
import { composeMerchantMail } from "./merchant-mail.ts";
import { composeClaimMail, composeReceipt } from "./payer-mails.ts";
import { type MailDocument, oneLine, renderHtml, renderText } from "./render-mail.ts";
import { isMailAddress } from "./rules.ts";
import type { ClaimedMail, InvitationMailData, LinkMailData, MailConfig, MailFile } from "./types.ts";

/** The path below the public URL that stops mails. The page with the button is there too (lib/web/page/mail-stop.ts). */
export const STOP_PATH = "/mail/";

/**
 * The whole message. Every attempt has the same Message-ID and Date, so that a receiver recognizes a repeated one. Nothing in
 * it is fetched or tracked. Texts of merchants and payers are one line each, and reach headers and HTML escaped.
 * `secretUrl`: the link of an invitation or a refund claim. Null if it cannot be read, or is no longer valid.
 */
export function composeMail(
  mail: ClaimedMail,
  config: Pick<MailConfig, "from" | "publicUrl">,
  files: readonly MailFile[],
  secretUrl: string | null = null,
): SendMailOptions {
  const stopUrl = `${config.publicUrl}${STOP_PATH}${mail.token}`;
  const document = composeDocument(mail, { stopUrl, secretUrl });
  const { support } = mail;
  const isForPayer = mail.kind === "receipt" || mail.kind === "refund_claim";
  const answersTo = isForPayer && support !== null && isMailAddress(support) ? support : null;
  return {
    // Objects, because a text would be read as a list of addresses.
    from: config.from,
    to: { name: "", address: mail.recipient },
    envelope: { from: config.from.address, to: [mail.recipient] },
    ...(answersTo !== null && { replyTo: { name: "", address: answersTo } }),
    messageId: `<${mail.token}@${mail.senderDomain}>`,
    date: mail.createdAt,
    subject: document.subject,
    text: renderText(document),
    html: renderHtml(document),
    attachments: files.map((file) => ({ ...file })),
    ...(document.stop !== null && { list: { unsubscribe: { url: stopUrl, comment: "" } } }),
    headers: {
      // One click in the mail program (RFC 8058), and no answers of absent people (RFC 3834).
      ...(document.stop !== null && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
      "Auto-Submitted": "auto-generated",
    },
    // Content never names a file or a URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function composeDocument(
  mail: ClaimedMail,
  { stopUrl, secretUrl }: { readonly stopUrl: string; readonly secretUrl: string | null },
): MailDocument {
  const { kind } = mail;
  if (kind === "invitation") return composeInvitation(mail, secretUrl);
  if (kind === "refund_claim") return composeClaimMail(mail, secretUrl);
  return kind === "receipt"
    ? composeReceipt(mail, mail.data as LinkMailData, stopUrl)
    : composeMerchantMail({ ...mail, kind }, stopUrl);
}

/** A mail that invites a person to a merchant's console. `url` null: its link cannot be read any more. */
function composeInvitation(mail: ClaimedMail, url: string | null): MailDocument {
  const { role, expiresAt } = mail.data as InvitationMailData;
  const merchant = oneLine(mail.merchantName);
  return {
    language: "en",
    dir: "ltr",
    subject: `Invitation to the payments of ${merchant}`,
    sentences: [
      `You are invited to work with the payments of ${merchant}, as ${role}.`,
      url === null
        ? "The link of this invitation cannot be read any more. Ask for another invitation."
        : "The link works once. Give it to nobody.",
    ],
    rows: [["Valid until", expiresAt]],
    link: url === null ? null : { label: "Accept the invitation", url },
    footer: ["If you do not know what this is, ignore this mail. Nothing happens without the link."],
    stop: null,
  };
}
