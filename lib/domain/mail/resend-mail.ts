import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { updateMailDue } from "./store.ts";

/** Makes a failed mail due again, with the same Message-ID. */
export const resendMail = defineVerb(
  "mail.resend",
  async ({ tx, now, merchantId, env }, { id }: { readonly id: number }) => {
    const isDue = await updateMailDue(tx, { id, merchantId, env }, now);
    return isDue ? done({}, { subject: `mail:${id}`, details: { env } }) : refuse("mail_not_failed");
  },
);
