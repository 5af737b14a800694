/** The verbs about merchants themselves, with what they need. */
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import type { Tried } from "./tried.ts";

const sealer = { seal: (text: string) => Buffer.from(text) };

export const TRIED_AT_MERCHANTS = {
  "merchant.create": {
    attempt: (act) =>
      createMerchant(act, { sealer, email: "new@example.com", name: "New", webhookUrl: null }),
    isOfInstallation: true,
  },
} as const satisfies Readonly<Record<string, Tried>>;
