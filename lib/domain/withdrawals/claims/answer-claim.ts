import type { NetworkRegistry } from "#lib/chains/network.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { hashToken } from "#lib/domain/members/queries.ts";
import { lockOwnLink } from "#lib/domain/payment-links/queries.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { checkDestination, type DestinationRefusal } from "../check-request.ts";
import { attemptWithdrawal, type CreateWithdrawalRefusal } from "../create-withdrawal.ts";
import { type ClaimView, findClaimBySecret } from "./queries.ts";
import { claimState } from "./rules.ts";
import { updateClaim } from "./store.ts";

interface Deps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
}

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
  { db, networks }: Deps,
  { claim }: Pick<ClaimView, "claim">,
  to: string,
): Promise<
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly reason: "network_off" | DestinationRefusal }
> {
  const adapter = networks.find(claim.env, claim.network);
  if (adapter === null) return { ok: false, reason: "network_off" };
  const checked = await checkDestination(db, adapter, to);
  return checked.ok ? { ok: true, address: adapter.displayAddress(checked.address) } : checked;
}

/**
 * Turns a claim into the withdrawal of its amount to an address, once. A claim that was used already stays as it is. What the payer
 * cannot correct is stored for the merchant, and the claim stays open.
 */
export async function answerClaim(
  deps: Deps,
  { secret, to }: { readonly secret: string; readonly to: string },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: AnswerClaimRefusal }> {
  const found = await findClaimBySecret(deps.db, secret);
  if (found === null) return { ok: false, reason: "claim_not_found" };
  const answered = await inTransaction(deps.db, (tx) => useClaim(tx, deps.networks, { secret, to }, now));
  if (answered.ok || OF_THE_PAYER.has(answered.reason)) return answered;
  await deps.db.transaction(async (tx) => {
    await lockOwnLink(tx, found.paymentLink, found.claim);
    const view = await findClaimBySecret(tx, secret);
    if (view !== null && claimState(view.claim, now) === "open")
      await updateClaim(tx, view.claim.id, { problem: answered.reason, problemAt: now }, now);
  });
  return answered;
}

async function useClaim(
  tx: Tx,
  networks: NetworkRegistry,
  { secret, to }: { readonly secret: string; readonly to: string },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: AnswerClaimRefusal }> {
  const before = await findClaimBySecret(tx, secret);
  if (before === null) return { ok: false, reason: "claim_not_found" };
  await lockOwnLink(tx, before.paymentLink, before.claim);
  const view = await findClaimBySecret(tx, secret);
  if (view === null) return { ok: false, reason: "claim_not_found" };
  const { claim, paymentLink, merchant } = view;
  if (claimState(claim, now) !== "open") return { ok: false, reason: "claim_not_open" };
  const { id, env, network, token, amount, merchantId, requestedBy } = claim;
  const request = {
    env,
    email: merchant.email,
    network,
    token,
    amount,
    to,
    paymentLink,
    refundOf: null,
    claim: id,
    idempotencyKey: `claim:${id}`,
    source: `claim:${hashToken(secret).toString("hex")}`,
  };
  // Who created the claim counts as who asked: they may have had its address, so they may not approve the withdrawal.
  const made = await attemptWithdrawal({ db: tx, networks }, request, requestedBy, now);
  if (!made.ok) return made;
  const { id: withdrawalId, refid } = made.withdrawal;
  const used = { withdrawalId, sealedSecret: null, problem: null, problemAt: null };
  await updateClaim(tx, id, used, now);
  const entry = { actor: `refund_claim:${id}`, action: "refund_claim.use", subject: `withdrawal:${refid}` };
  await recordDecision(tx, { ...entry, merchantId, details: { env, payment_link: paymentLink } }, now);
  return { ok: true };
}
