import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { findLink } from "../queries.ts";
import { newRefid } from "../refid.ts";
import type { LinkRow, LinkServices, NewPaymentLink } from "../types.ts";
import { createPaymentLink } from "./create-payment-link.ts";

/** A link whose customer stays on its page. */
type RecordedLink = Pick<
  NewPaymentLink,
  "amount" | "currency" | "customer" | "paymentReference" | "expiresAt" | "description"
> & {
  /** Made with the form, so that the form sent again is the same link. */
  readonly refid: string;
};

/**
 * Creates a link, with an entry in the audit log. The same form again returns the link that it created. Programs create theirs without
 * an entry (createPaymentLink): docs/adr/0030-acts.md.
 */
export const createLink = defineVerb(
  "link.create",
  async (act, given: { readonly services: LinkServices; readonly link: RecordedLink }) => {
    const { tx, now, merchantId, env } = act;
    const { services, link } = given;
    // The same form at the same time waits here, and then finds the link.
    await lockMerchant(tx, merchantId);
    const earlier = await findLink(tx, link.refid);
    if (earlier !== null && isSame(act, earlier.link, link)) return done({ refid: link.refid }, null);
    const merchant = await findMerchant(tx, merchantId);
    if (merchant === null || merchant.status !== "active") return refuse("link_refused");
    // Somebody went back to the form and asks for something else.
    const refid = earlier === null ? link.refid : newRefid();
    const input = { ...link, refid, successUrl: null, cancelUrl: null, metadata: null, wallets: [] };
    const created = await createPaymentLink(tx, services, { owner: { merchant, env }, input }, now);
    if (!created.ok) return refuse("link_refused");
    const details = { env, reference: link.paymentReference };
    return done({ refid }, { subject: `link:${refid}`, details });
  },
);

function isSame({ merchantId, env }: Act, link: LinkRow["link"], asked: RecordedLink): boolean {
  return (
    link.merchantId === merchantId &&
    link.env === env &&
    link.amount === asked.amount &&
    link.currency === asked.currency &&
    link.paymentReference === asked.paymentReference &&
    link.description === (asked.description ?? null) &&
    link.customerEmail === asked.customer.email
  );
}
