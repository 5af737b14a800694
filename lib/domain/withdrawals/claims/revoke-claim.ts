import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { lockOwnLink } from "#lib/domain/payment-links/queries.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import { type ClaimRow, findClaim } from "./queries.ts";
import { claimState } from "./rules.ts";
import { updateClaim } from "./store.ts";

/**
 * Revokes an open claim, whose page then says so. Its amount can be refunded again. `paymentLink`: the refid of its link; null: of any link.
 */
export const revokeClaim = defineVerb(
  "refund_claim.revoke",
  async (
    { tx, now, merchantId, env },
    { id, paymentLink }: { readonly id: number; readonly paymentLink: string | null },
  ) => {
    const owner = { merchantId, env };
    const found = await findClaim(tx, id, owner);
    if (found === null || (paymentLink !== null && found.paymentLink !== paymentLink))
      return refuse("claim_not_found");
    await lockOwnLink(tx, found.paymentLink, owner);
    const claim = await findClaim(tx, id, owner);
    if (claim === null || claimState(claim, now) !== "open") return refuse("claim_not_open");
    await updateClaim(tx, id, { revokedAt: now, sealedSecret: null }, now);
    await wakeLink(tx, claim.paymentLinkId, now);
    const revoked: ClaimRow = { ...claim, revokedAt: now, updatedAt: now, withdrawal: null };
    const details = { env, payment_link: found.paymentLink };
    return done({ claim: revoked }, { subject: `refund_claim:${id}`, details });
  },
);
