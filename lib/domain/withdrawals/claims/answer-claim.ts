import type { NetworkRegistry } from "#lib/chains/network.ts";
import { defineVerb, done, refuse, refuseAndKeep } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { hashToken } from "#lib/domain/members/queries.ts";
import { lockOwnLink } from "#lib/domain/payment-links/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { checkDestination, type DestinationRefusal } from "../create/check-request.ts";
import { attemptWithdrawal, type CreateWithdrawalRefusal } from "../create/create-withdrawal.ts";
import type { WithdrawalDeps } from "../types.ts";
import { type ClaimView, findClaimBySecret } from "./queries.ts";
import { claimState } from "./rules.ts";
import { updateClaim } from "./store.ts";

export type AnswerClaimRefusal = "claim_not_found" | "claim_not_open" | CreateWithdrawalRefusal;

/** Refusals that the payer can correct. All others are for the merchant. */
const OF_THE_PAYER: ReadonlySet<AnswerClaimRefusal> = new Set([
  "claim_not_found",
  "claim_not_open",
  "destination_malformed",
  "destination_is_ours",
  "destination_unsafe",
]);

/** Checks an address for the refund of a claim. Returns it as people read it. */
export async function checkClaimAddress(
  { db, networks }: WithdrawalDeps,
  { claim }: Pick<ClaimView, "claim">,
  to: string,
): Promise<
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly reason: "network_off" | DestinationRefusal }
> {
  const adapter = networks.find(claim.env, claim.network);
  if (adapter === null) return { ok: false, reason: "network_off" };
  const checked = await checkDestination(db, adapter, to);
  return checked.ok ? { ok: true, address: adapter.addresses.display(checked.address) } : checked;
}

interface Answer {
  readonly networks: NetworkRegistry;
  readonly secret: string;
  readonly to: string;
}

/**
 * Turns a claim into the withdrawal of its amount to an address, once. A claim that was used already stays as it is. A refusal that the
 * payer cannot correct is kept for the merchant, and the claim stays open.
 */
export const answerClaim = defineVerb("refund_claim.use", async (act, given: Answer) => {
  const refused = (reason: AnswerClaimRefusal) =>
    OF_THE_PAYER.has(reason)
      ? refuse(reason)
      : refuseAndKeep(reason, (db) => keepProblem(db, act, given, reason));
  const { networks, secret, to } = given;
  const { tx, now, merchantId, env } = act;
  const before = await findOwn(act, secret);
  if (before === null) return refused("claim_not_found");
  await lockOwnLink(tx, before.paymentLink, before.claim);
  const view = await findOwn(act, secret);
  if (view === null) return refused("claim_not_found");
  const { claim, paymentLink } = view;
  if (claimState(claim, now) !== "open") return refused("claim_not_open");
  const { id, network, token, amount, reason, requestedBy } = claim;
  const request = {
    network,
    token,
    amount,
    to,
    paymentLink,
    refundOf: null,
    claim: id,
    reason,
    idempotencyKey: `claim:${id}`,
    source: `claim:${hashToken(secret).toString("hex")}`,
  };
  // The actor that created the claim counts as the asker. That actor may have had its address, so it may not approve the withdrawal.
  const made = await attemptWithdrawal({ tx, now, merchantId, env }, { networks, request, requestedBy });
  if (!made.ok) return refused(made.reason);
  const { id: withdrawalId, refid } = made.withdrawal;
  await updateClaim(tx, id, { withdrawalId, sealedSecret: null, problem: null, problemAt: null }, now);
  return done({}, { subject: `withdrawal:${refid}`, details: { env, payment_link: paymentLink } });
});

/** The claim of a secret, if the act is at its merchant and its payer is the actor. */
async function findOwn({ tx, actor, merchantId, env }: Act, secret: string): Promise<ClaimView | null> {
  const view = await findClaimBySecret(tx, secret);
  if (view === null || view.claim.merchantId !== merchantId || view.claim.env !== env) return null;
  return actor.kind === "payer" && actor.claimId !== view.claim.id ? null : view;
}

async function keepProblem(
  db: Db,
  { now }: Pick<Act, "now">,
  { secret }: Answer,
  problem: AnswerClaimRefusal,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await findClaimBySecret(tx, secret);
    if (before === null) return;
    await lockOwnLink(tx, before.paymentLink, before.claim);
    const view = await findClaimBySecret(tx, secret);
    if (view !== null && claimState(view.claim, now) === "open")
      await updateClaim(tx, view.claim.id, { problem, problemAt: now }, now);
  });
}
