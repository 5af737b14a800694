import { type MailDocument, oneLine } from "./render-mail.ts";
import type { ClaimedMail, InvitationMailData } from "./types.ts";

/** A mail that invites a person to a merchant's console. `url` null: its link cannot be read any more. */
export function composeInvitation(mail: ClaimedMail, url: string | null): MailDocument {
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
