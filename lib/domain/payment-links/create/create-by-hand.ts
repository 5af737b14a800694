import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import type { NewPaymentLink, PaymentLinkDeps } from "../types.ts";
import { createPaymentLink } from "./create-payment-link.ts";

/** A link that a person of the merchant creates. The customer stays on its page. */
type HandMade = Pick<NewPaymentLink, "amount" | "currency" | "customer" | "paymentReference" | "expiresAt">;

/** Creates a link for a person, with an entry in the audit log. The answer of a refusal is "link_refused". */
export async function createByHand(
  deps: PaymentLinkDeps,
  by: { readonly actor: string; readonly merchantId: number; readonly env: Env },
  input: HandMade,
  now: Date,
): Promise<
  { readonly ok: true; readonly refid: string } | { readonly ok: false; readonly reason: "link_refused" }
> {
  const { actor, merchantId, env } = by;
  return deps.db.transaction(async (tx) => {
    const merchant = await findMerchant(tx, merchantId);
    if (merchant === null || merchant.status !== "active")
      return { ok: false, reason: "link_refused" } as const;
    const whole = { ...input, successUrl: null, cancelUrl: null, metadata: null, wallets: [] };
    const created = await createPaymentLink(tx, deps, { owner: { merchant, env }, input: whole }, now);
    if (!created.ok) return { ok: false, reason: "link_refused" } as const;
    const { refid } = created.link;
    const details = { env, reference: input.paymentReference };
    await recordDecision(
      tx,
      { actor, action: "link.create", subject: `link:${refid}`, merchantId, details },
      now,
    );
    return { ok: true, refid } as const;
  });
}
