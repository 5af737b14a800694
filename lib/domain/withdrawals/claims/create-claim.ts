import { randomBytes } from "node:crypto";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { nameActor } from "#lib/domain/authority/actor.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { enqueueClaimMail } from "#lib/domain/mail/enqueue-secret-mails.ts";
import { hashToken } from "#lib/domain/members/queries.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { listLinkWallets, lockOwnLink } from "#lib/domain/payment-links/queries.ts";
import type { PaymentLinkRow } from "#lib/domain/payment-links/types.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { checkSendable, type SendableRefusal } from "../create/check-request.ts";
import { resolveRefundAmount } from "../create/refund-amount.ts";
import { type RefundAmountRefusal, refundRefusal } from "../create/refund-rules.ts";
import { findLimits } from "../limits/limit-queries.ts";
import { type LimitRefusal, limitRefusal } from "../limits/limit-rules.ts";
import { findWithdrawalByKey, listRefundables } from "../queries.ts";
import { type ClaimRow, findClaim, findClaimByKey, findFingerprintKey } from "./queries.ts";
import { CLAIM_LIFETIME_MS, claimState, claimUrl, REPEAT_MS } from "./rules.ts";
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

interface ClaimDeps {
  readonly networks: NetworkRegistry;
  readonly secrets: Pick<Secrets, "seal" | "open">;
  readonly settings: { readonly paymentUrl: string; readonly sendsMail?: boolean };
}

interface Created {
  readonly claim: ClaimRow;
  readonly url: string | null;
}
type Refused = { readonly ok: false; readonly reason: CreateClaimRefusal };

const refused = (reason: CreateClaimRefusal): Refused => ({ ok: false, reason });

/**
 * Creates a refund claim: a page on which the payer enters the address of a refund. From now on its amount counts as refunded
 * (listRefundables). The withdrawal, with its reservation of balance, is created when the payer enters the address.
 *
 * `url` is the page's address, which is the permission to enter it. The same request again, with its idempotency key or its fingerprint,
 * returns the same claim; `url` is null once the claim was used or revoked, or no key opens the secret any more. It is also null for another
 * actor than the claim's creator: the audit log would not say that they have the address, too.
 */
export const createClaim = defineVerb(
  "refund_claim.create",
  async (act, { networks, secrets, settings, ...asked }: ClaimDeps & ClaimRequest) => {
    const { tx, now, merchantId, env } = act;
    const merchant = await findMerchant(tx, merchantId);
    if (merchant === null) return refuse("merchant_not_found");
    const locked = await lockOwnLink(tx, asked.paymentLink, { merchantId, env });
    if (locked === null) return refuse("payment_link_not_found");
    const { link } = locked;
    const request = { ...asked, idempotencyKey: await findKey(act, asked, link) };
    const repeated = await findRepeated(act, { secrets, settings }, request, link);
    if (repeated !== null) return repeated.ok ? done<Created>(repeated, null) : refuse(repeated.reason);
    const allowed = await findAmount(act, request, link);
    if (!allowed.ok) return refuse(allowed.reason);
    const { amount } = allowed;
    const { network, token, note, reason = null, mail: mailed, idempotencyKey } = request;
    const sendable = await checkSendable(tx, networks, merchant, { env, network, token, amount });
    if (!sendable.ok) return refuse(sendable.reason);
    // Today's withdrawals count when the address is entered.
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
      reason,
      secretHash: hashToken(secret),
      sealedSecret: secrets.seal(secret),
      idempotencyKey,
      mailed,
      requestedBy: nameActor(act.actor),
      expiresAt: new Date(now.getTime() + CLAIM_LIFETIME_MS),
    };
    const claim = await insertClaim(tx, values, now);
    // A request for another link has the key, and commits now.
    if (claim === null) return refuse("idempotency_key_reused");
    if (mailed && !(settings.sendsMail && (await mailClaim(tx, claim, link, now))))
      return refuse("mail_not_possible");
    await wakeLink(tx, link.id, now);
    const created: Created = {
      claim: { ...claim, withdrawal: null },
      url: claimUrl(settings.paymentUrl, secret),
    };
    return done(created, entryOf(claim, request));
  },
);

function entryOf(
  { id, env, amount, mailed, reason }: RefundClaim,
  { network, token, paymentLink }: ClaimRequest,
) {
  const details = {
    env,
    payment_link: paymentLink,
    network,
    token,
    amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
    mailed,
    ...(reason !== null && { reason }),
  };
  return { subject: `refund_claim:${id}`, details };
}

/** The amount in ledger units, if the link's payments leave as much. The link is locked. */
async function findAmount(
  { tx, now, merchantId, env }: Act,
  { network, token, amount: asked, paymentLink }: ClaimRequest,
  { id }: Pick<PaymentLinkRow, "id">,
): Promise<{ readonly ok: true; readonly amount: bigint } | Refused> {
  const resolved = await resolveRefundAmount(
    tx,
    { amount: asked, paymentLink, owner: { merchantId, env }, network, token },
    now,
  );
  if (!resolved.ok) return resolved;
  const { amount } = resolved;
  if (amount <= 0n) return refused("send_amount_not_positive");
  const refusal = refundRefusal(await listRefundables(tx, id, now), { network, token, amount });
  return refusal === null ? resolved : refused(refusal);
}

/** The idempotency key of a request. null: it has none, and is not compared with others. */
async function findKey(
  { tx, now }: Act,
  { fingerprint, idempotencyKey }: ClaimRequest,
  { id }: Pick<PaymentLinkRow, "id">,
): Promise<string | null> {
  if (fingerprint === undefined) return idempotencyKey;
  const since = new Date(now.getTime() - REPEAT_MS);
  return findFingerprintKey(tx, { paymentLinkId: id, fingerprint }, { since, now });
}

/** The claim that this request created before. Null if it is new. Refused if another request had its idempotency key. */
async function findRepeated(
  { tx, actor, merchantId, env }: Act,
  { secrets, settings }: Pick<ClaimDeps, "secrets" | "settings">,
  request: ClaimRequest,
  { id }: Pick<PaymentLinkRow, "id">,
): Promise<({ readonly ok: true } & Created) | Refused | null> {
  const key = { merchantId, env, idempotencyKey: request.idempotencyKey };
  if ((await findWithdrawalByKey(tx, key)) !== null) return refused("idempotency_key_reused");
  const claim = await findClaimByKey(tx, key);
  if (claim === null) return null;
  const isSame =
    claim.paymentLinkId === id &&
    claim.network === request.network &&
    claim.token === request.token &&
    claim.note === request.note &&
    claim.reason === (request.reason ?? null) &&
    claim.mailed === request.mail &&
    (typeof request.amount !== "bigint" || claim.amount === request.amount);
  if (!isSame) return refused("idempotency_key_reused");
  const secret = claim.requestedBy === nameActor(actor) ? openClaimSecret(claim, secrets) : null;
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
