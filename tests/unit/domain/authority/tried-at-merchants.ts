/** The verbs about merchants themselves, with what they need. */
import { changeMailSettings } from "#lib/domain/mail/change-mail-settings.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { setFee, setStatus, updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import type { Tried } from "./tried.ts";

const sealer = { seal: (text: string) => Buffer.from(text) };

export const TRIED_AT_MERCHANTS = {
  "merchant.create": {
    attempt: (act) =>
      createMerchant(act, { sealer, email: "new@example.com", name: "New", webhookUrl: null }),
    isOfInstallation: true,
  },
  "merchant.update": { attempt: (act) => updateMerchant(act, { latePolicy: "accept" }) },
  "merchant.status": { attempt: (act) => setStatus(act, { status: "disabled" }) },
  "merchant.fee": { attempt: (act) => setFee(act, { feePercentage: "0.5" }) },
  "merchant.mail": { attempt: (act) => changeMailSettings(act, { on: ["digest"] }) },
} as const satisfies Readonly<Record<string, Tried>>;
