import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { lockOwnLink } from "#lib/domain/payment-links/queries.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { type ClaimRow, findClaim } from "./queries.ts";
import { claimState } from "./rules.ts";
import { updateClaim } from "./store.ts";

export type RevokeClaimRefusal = "claim_not_found" | "claim_not_open";

/**
 * Revokes an open claim, whose page then says so. Its amount can be refunded again. If `owner` is null, the operator revokes it. `paymentLink`:
 * only a claim of this link.
 */
export async function revokeClaim(
  tx: Tx,
  {
    id,
    owner,
    paymentLink,
    actor,
  }: {
    readonly id: number;
    readonly owner: { readonly merchantId: number; readonly env: Env } | null;
    readonly paymentLink?: string;
    readonly actor: string;
  },
  now: Date,
): Promise<
  | { readonly ok: true; readonly claim: ClaimRow }
  | { readonly ok: false; readonly reason: RevokeClaimRefusal }
> {
  const found = await findClaim(tx, id, owner);
  if (found === null || (paymentLink !== undefined && found.paymentLink !== paymentLink))
    return { ok: false, reason: "claim_not_found" };
  await lockOwnLink(tx, found.paymentLink, found);
  const claim = await findClaim(tx, id, owner);
  if (claim === null || claimState(claim, now) !== "open") return { ok: false, reason: "claim_not_open" };
  await updateClaim(tx, id, { revokedAt: now, sealedSecret: null }, now);
  await wakeLink(tx, claim.paymentLinkId, now);
  const { env, merchantId } = claim;
  const details = { env, payment_link: found.paymentLink };
  const entry = { actor, action: "refund_claim.revoke", subject: `refund_claim:${id}` };
  await recordDecision(tx, { ...entry, merchantId, details }, now);
  return { ok: true, claim: { ...claim, revokedAt: now, updatedAt: now, withdrawal: null } };
}
