/** The verbs about merchants themselves, with what they need. */
import { openNetworks } from "#lib/chains/registry.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { changeMailSettings } from "#lib/domain/mail/change-mail-settings.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { setFee, setStatus, updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { archiveLink, updateLink } from "#lib/domain/payment-links/change-link.ts";
import { createLink } from "#lib/domain/payment-links/create/create-link.ts";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { quoteLink } from "#lib/domain/payment-links/settle/view-for-payer.ts";
import type { Tried } from "./tried.ts";

const sealer = { seal: (text: string) => Buffer.from(text) };

const services = {
  networks: openNetworks([]),
  rates: { current: () => null, refresh: async () => {}, start() {}, stop() {} },
  settings: { paymentUrl: "https://pay.example.com/pay", quoteMinutes: 20, confirmGraceHours: 24 },
};
export const LINK = {
  amount: 10_000n,
  currency: "usd",
  customer: { email: "ada@example.com", firstName: "Ada", lastName: "Obi", phone: null },
  paymentReference: "ORDER1",
  refid: newRefid(),
  expiresAt: null,
} as const;
export async function aLink(act: Act): Promise<number> {
  await createLink(act, { services, link: LINK });
  return 0;
}

export const TRIED_AT_MERCHANTS = {
  "merchant.create": {
    attempt: (act) =>
      createMerchant(act, { sealer, email: "new@example.com", name: "New", webhookUrl: null }),
    isOfInstallation: true,
  },
  "merchant.update": { attempt: (act) => updateMerchant(act, { latePolicy: "accept" }) },
  "merchant.status": { attempt: (act) => setStatus(act, { status: "disabled" }) },
  "merchant.fee": { attempt: (act) => setFee(act, { feePercentage: "0.5" }) },
  "link.create": { attempt: (act) => createLink(act, { services, link: LINK }) },
  "link.cancel": {
    attempt: (act) => cancelLink(act, { services, refid: LINK.refid }),
    prepare: aLink,
    notFound: "link_not_found",
  },
  "link.update": {
    attempt: (act) => updateLink(act, { refid: LINK.refid, metadata: null, paymentReference: "x" }),
    prepare: aLink,
    notFound: "link_not_found",
  },
  "link.archive": {
    attempt: (act) => archiveLink(act, { refid: LINK.refid, isArchived: true }),
    prepare: aLink,
    notFound: "link_not_found",
  },
  "link.quote": {
    attempt: ({ tx, ...act }) =>
      quoteLink({ ...act, db: tx }, { deps: { ...services, db: tx as never }, refid: LINK.refid }),
    prepare: aLink,
    notFound: "link_not_found",
    keepsOwnRecord: true,
  },
  "merchant.mail": { attempt: (act) => changeMailSettings(act, { on: ["digest"] }) },
} as const satisfies Readonly<Record<string, Tried>>;
