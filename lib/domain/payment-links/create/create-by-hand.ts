import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { isUniqueViolation, type Tx } from "#lib/platform/db/connection.ts";
import { findLink } from "../queries.ts";
import { newRefid } from "../refid.ts";
import type { LinkRow, NewPaymentLink, PaymentLinkDeps } from "../types.ts";
import { createPaymentLink } from "./create-payment-link.ts";

/** A link that a person of the merchant creates. The customer stays on its page. */
type HandMade = Pick<
  NewPaymentLink,
  "amount" | "currency" | "customer" | "paymentReference" | "expiresAt"
> & {
  /** Made with the form, so that the form sent again is the same link. */
  readonly refid: string;
};

interface ByPerson {
  readonly actor: string;
  readonly merchantId: number;
  readonly env: Env;
}

type Created =
  | { readonly ok: true; readonly refid: string }
  | { readonly ok: false; readonly reason: "link_refused" };

/**
 * Creates a link for a person, with an entry in the audit log. The same form again returns the link that it created. The answer of
 * a refusal is "link_refused".
 */
export async function createByHand(
  deps: PaymentLinkDeps,
  by: ByPerson,
  input: HandMade,
  now: Date,
): Promise<Created> {
  const earlier = await findLink(deps.db, input.refid, by);
  if (earlier !== null && isSame(earlier.link, input)) return { ok: true, refid: input.refid };
  // Somebody went back to the form and asks for something else.
  const own = earlier === null ? input : { ...input, refid: newRefid() };
  return deps.db
    .transaction((tx) => create(tx, deps, { by, input: own }, now))
    .catch((error: unknown) => {
      // The same form at the same time. With the refid of another merchant's link, the person's own pages do not have it.
      if (!isUniqueViolation(error)) throw error;
      return { ok: true, refid: input.refid } as const;
    });
}

function isSame(link: LinkRow["link"], { amount, currency, paymentReference, customer }: HandMade): boolean {
  return (
    link.amount === amount &&
    link.currency === currency &&
    link.paymentReference === paymentReference &&
    link.customerEmail === customer.email
  );
}

async function create(
  tx: Tx,
  deps: PaymentLinkDeps,
  { by, input }: { readonly by: ByPerson; readonly input: HandMade },
  now: Date,
): Promise<Created> {
  const { actor, merchantId, env } = by;
  const merchant = await findMerchant(tx, merchantId);
  if (merchant === null || merchant.status !== "active") return { ok: false, reason: "link_refused" };
  const whole = { ...input, successUrl: null, cancelUrl: null, metadata: null, wallets: [] };
  const created = await createPaymentLink(tx, deps, { owner: { merchant, env }, input: whole }, now);
  if (!created.ok) return { ok: false, reason: "link_refused" };
  const { refid } = created.link;
  const details = { env, reference: input.paymentReference };
  await recordDecision(
    tx,
    { actor, action: "link.create", subject: `link:${refid}`, merchantId, details },
    now,
  );
  return { ok: true, refid };
}
