import { randomBytes } from "node:crypto";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { enqueueClaimMail } from "#lib/domain/mail/enqueue-claim.ts";
import { hashToken } from "#lib/domain/members/queries.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { listLinkWallets, lockOwnLink } from "#lib/domain/payment-links/queries.ts";
import type { PaymentLinkRow } from "#lib/domain/payment-links/types.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { checkSendable, type SendableRefusal } from "../check-request.ts";
import { findLimits } from "../limit-queries.ts";
import { type LimitRefusal, limitRefusal } from "../limit-rules.ts";
import { findWithdrawalByKey, listRefundables } from "../queries.ts";
import { resolveRefundAmount } from "../refund-amount.ts";
import { type RefundAmountRefusal, refundRefusal } from "../refund-rules.ts";
import { type ClaimRow, findClaim, findClaimByKey } from "./queries.ts";
import { CLAIM_LIFETIME_MS, claimState, claimUrl } from "./rules.ts";
import { insertClaim } from "./store.ts";
import type { ClaimRequest, RefundClaim } from "./types.ts";

export type CreateClaimRefusal =
  | "merchant_not_found"
  | "payment_link_not_found"
  | "send_amount_not_positive"
  | SendableRefusal
  | RefundAmountRefusal
  | LimitRefusal
  | "mail_not_possible"
  | "idempotency_key_reused";

export interface ClaimDeps {
  readonly db: Db | Tx;
  readonly networks: NetworkRegistry;
  readonly secrets: Pick<Secrets, "seal" | "open">;
  readonly settings: { readonly paymentUrl: string; readonly sendsMail?: boolean };
}

type Created =
  | { readonly ok: true; readonly claim: ClaimRow; readonly url: string | null }
  | { readonly ok: false; readonly reason: CreateClaimRefusal };

const refuse = (reason: CreateClaimRefusal): Created => ({ ok: false, reason });

/**
 * Creates a refund claim: a page on which the payer enters the address of a refund. From now on its amount counts as refunded
 * (listRefundables). The withdrawal, with its reservation of balance, is created when the payer enters the address.
 *
 * `url` is the page's address, which is the permission to enter it. The same request again, with its idempotency key, returns
 * the same claim; `url` is null once the claim was used or revoked, or no key opens the secret any more.
 */
export function createClaim(deps: ClaimDeps, request: ClaimRequest, now: Date): Promise<Created> {
  return inTransaction(deps.db, async (tx): Promise<Created> => {
    const { merchantId, env, network, token, note, actor, idempotencyKey } = request;
    const merchant = await findMerchant(tx, merchantId);
    if (merchant === null) return refuse("merchant_not_found");
    const locked = await lockOwnLink(tx, request.paymentLink, { merchantId, env });
    if (locked === null) return refuse("payment_link_not_found");
    const { link } = locked;
    const repeated = await findRepeated(tx, deps, request, link);
    if (repeated !== null) return repeated;
    const allowed = await findAmount(tx, request, link, now);
    if (!allowed.ok) return allowed;
    const { amount } = allowed;
    const sendable = await checkSendable(tx, deps.networks, merchant, { env, network, token, amount });
    if (!sendable.ok) return sendable;
    // What was withdrawn today counts when the address is entered.
    const aboveLimit = limitRefusal(await findLimits(tx, { merchantId, env, token }), { amount, recent: 0n });
    if (aboveLimit !== null) return refuse(aboveLimit);
    const secret = randomBytes(16).toString("hex");
    const values = {
      env,
      merchantId,
      paymentLinkId: link.id,
      network: sendable.adapter.network,
      token,
      amount,
      note,
      secretHash: hashToken(secret),
      sealedSecret: deps.secrets.seal(secret),
      idempotencyKey,
      mailed: request.mail,
      requestedBy: actor,
      expiresAt: new Date(now.getTime() + CLAIM_LIFETIME_MS),
    };
    const claim = await insertClaim(tx, values, now);
    // A request for another link has the key, and commits now.
    if (claim === null) return refuse("idempotency_key_reused");
    if (request.mail && !(deps.settings.sendsMail && (await mailClaim(tx, claim, link, now))))
      return refuse("mail_not_possible");
    await wakeLink(tx, link.id, now);
    await recordDecision(tx, entryOf(claim, request), now);
    const url = claimUrl(deps.settings.paymentUrl, secret);
    return { ok: true, claim: { ...claim, withdrawal: null }, url };
  });
}

function entryOf({ id, merchantId, amount, mailed }: RefundClaim, request: ClaimRequest) {
  const { actor, env, network, token, paymentLink } = request;
  const details = {
    env,
    payment_link: paymentLink,
    network,
    token,
    amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
    mailed,
  };
  return { actor, action: "refund_claim.create", subject: `refund_claim:${id}`, merchantId, details };
}

/** The amount in ledger units, if the link's payments leave as much. The link is locked. */
async function findAmount(
  tx: Tx,
  { merchantId, env, network, token, amount: asked, paymentLink }: ClaimRequest,
  { id }: Pick<PaymentLinkRow, "id">,
  now: Date,
): Promise<
  { readonly ok: true; readonly amount: bigint } | { readonly ok: false; readonly reason: CreateClaimRefusal }
> {
  const resolved = await resolveRefundAmount(
    tx,
    { amount: asked, paymentLink, owner: { merchantId, env }, network, token },
    now,
  );
  if (!resolved.ok) return resolved;
  const { amount } = resolved;
  if (amount <= 0n) return { ok: false, reason: "send_amount_not_positive" };
  const refusal = refundRefusal(await listRefundables(tx, id, now), { network, token, amount });
  return refusal === null ? resolved : { ok: false, reason: refusal };
}

/** The claim that this request created before. Null if it is new. Refused if another request had its idempotency key. */
async function findRepeated(
  tx: Tx,
  { secrets, settings }: ClaimDeps,
  request: ClaimRequest,
  { id }: Pick<PaymentLinkRow, "id">,
): Promise<Created | null> {
  if ((await findWithdrawalByKey(tx, request)) !== null) return refuse("idempotency_key_reused");
  const claim = await findClaimByKey(tx, request);
  if (claim === null) return null;
  const isSame =
    claim.paymentLinkId === id &&
    claim.network === request.network &&
    claim.token === request.token &&
    claim.note === request.note &&
    claim.mailed === request.mail &&
    (typeof request.amount !== "bigint" || claim.amount === request.amount);
  if (!isSame) return refuse("idempotency_key_reused");
  const secret = openClaimSecret(claim, secrets);
  return { ok: true, claim, url: secret === null ? null : claimUrl(settings.paymentUrl, secret) };
}

/** Null if the claim was used or revoked, or no key opens the secret any more. */
function openClaimSecret(
  { sealedSecret }: Pick<RefundClaim, "sealedSecret">,
  secrets: Pick<Secrets, "open">,
): string | null {
  if (sealedSecret === null) return null;
  try {
    return secrets.open(sealedSecret);
  } catch {
    return null;
  }
}

/** The address of an open claim's page, for its mail. Null if it is no longer open, or no key opens the secret. */
export async function findClaimUrl(
  db: Db,
  secrets: Pick<Secrets, "open">,
  { claim: id, paymentUrl }: { readonly claim: number; readonly paymentUrl: string },
  now: Date,
): Promise<string | null> {
  const claim = await findClaim(db, id, null);
  if (claim === null || claimState(claim, now) !== "open") return null;
  const secret = openClaimSecret(claim, secrets);
  return secret === null ? null : claimUrl(paymentUrl, secret);
}

/** False if the customer's address cannot receive it now. */
async function mailClaim(tx: Tx, claim: RefundClaim, link: PaymentLinkRow, now: Date): Promise<boolean> {
  const wallets = await listLinkWallets(tx, [link.id]);
  const { id, merchantId, env, network, token, amount, note, expiresAt } = claim;
  const data = {
    claim: id,
    refid: link.refid,
    reference: link.paymentReference,
    network,
    token,
    amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
    note,
    expiresAt: expiresAt.toISOString(),
    language: wallets.findLast((wallet) => wallet.language !== null)?.language ?? null,
  };
  return enqueueClaimMail(tx, { merchantId, env, recipient: link.customerEmail, data }, now);
}
