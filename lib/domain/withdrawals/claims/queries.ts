import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { hashToken } from "#lib/domain/members/queries.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import type { MerchantBranding } from "#lib/domain/payment-links/types.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { Withdrawal } from "#lib/domain/withdrawals/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { isClaimSecret } from "./rules.ts";
import { refundClaims } from "./tables.ts";
import type { RefundClaim } from "./types.ts";

const MOST_OPEN = 100;

/** As claimState says it. */
const isOpen = (now: Date) =>
  and(isNull(refundClaims.withdrawalId), isNull(refundClaims.revokedAt), gt(refundClaims.expiresAt, now));

/** Sums the amounts that open claims of a payment link promise, per network and token. `except`: the id of a claim that does not count. */
export function sumOpenClaims(
  db: Db | Tx,
  paymentLinkId: number,
  now: Date,
  except: number | null,
): Promise<{ network: string; token: string; amount: string }[]> {
  const { id, network, token, amount } = refundClaims;
  return db
    .select({ network, token, amount: sql<string>`sum(${amount})` })
    .from(refundClaims)
    .where(
      and(
        eq(refundClaims.paymentLinkId, paymentLinkId),
        isOpen(now),
        except === null ? undefined : ne(id, except),
      ),
    )
    .groupBy(network, token);
}

/** A claim with the reference of its withdrawal, for its merchant. */
export type ClaimRow = RefundClaim & { readonly withdrawal: string | null };

const selectClaims = (db: Db | Tx) =>
  db
    .select({ claim: refundClaims, withdrawal: withdrawals.refid })
    .from(refundClaims)
    .leftJoin(withdrawals, eq(withdrawals.id, refundClaims.withdrawalId));

const toRow = ({ claim, withdrawal }: { claim: RefundClaim; withdrawal: string | null }): ClaimRow => ({
  ...claim,
  withdrawal,
});

/** The newest claims of a payment link. */
export async function listClaims(db: Db | Tx, paymentLinkId: number, limit: number): Promise<ClaimRow[]> {
  const rows = await selectClaims(db)
    .where(eq(refundClaims.paymentLinkId, paymentLinkId))
    .orderBy(desc(refundClaims.id))
    .limit(limit);
  return rows.map(toRow);
}

/** The claims of a payment link that wait for an address, newest first. Each has at least a minimum amount, so that they are few. */
export async function listOpenClaims(db: Db, paymentLinkId: number, now: Date): Promise<ClaimRow[]> {
  const rows = await selectClaims(db)
    .where(and(eq(refundClaims.paymentLinkId, paymentLinkId), isOpen(now)))
    .orderBy(desc(refundClaims.id))
    .limit(MOST_OPEN);
  return rows.map(toRow);
}

/** Finds a claim of a merchant by its number, with the refid of its payment link. If `owner` is null, it may be any merchant's. */
export async function findClaim(
  db: Db | Tx,
  id: number,
  owner: { readonly merchantId: number; readonly env: Env } | null,
): Promise<(RefundClaim & { readonly paymentLink: string }) | null> {
  const isOwn = owner && and(eq(refundClaims.merchantId, owner.merchantId), eq(refundClaims.env, owner.env));
  const [row] = await db
    .select({ claim: refundClaims, paymentLink: paymentLinks.refid })
    .from(refundClaims)
    .innerJoin(paymentLinks, eq(paymentLinks.id, refundClaims.paymentLinkId))
    .where(and(eq(refundClaims.id, id), isOwn ?? undefined));
  return row === undefined ? null : { ...row.claim, paymentLink: row.paymentLink };
}

/** Finds the claim of a merchant that was created with this idempotency key, or null. */
export async function findClaimByKey(
  db: Db | Tx,
  { merchantId, env, idempotencyKey }: Pick<RefundClaim, "merchantId" | "env" | "idempotencyKey">,
): Promise<ClaimRow | null> {
  if (idempotencyKey === null) return null;
  const [row] = await selectClaims(db).where(
    and(
      eq(refundClaims.merchantId, merchantId),
      eq(refundClaims.env, env),
      eq(refundClaims.idempotencyKey, idempotencyKey),
    ),
  );
  return row === undefined ? null : toRow(row);
}

/**
 * The idempotency key of a request that has a fingerprint and no key: that of the newest open claim of its link with this fingerprint, made after
 * `since`, else a new one. The link is locked.
 */
export async function findFingerprintKey(
  tx: Tx,
  { paymentLinkId, fingerprint }: { readonly paymentLinkId: number; readonly fingerprint: string },
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<string> {
  const { idempotencyKey, createdAt, id } = refundClaims;
  const [row] = await tx
    .select({ idempotencyKey })
    .from(refundClaims)
    .where(
      and(
        eq(refundClaims.paymentLinkId, paymentLinkId),
        sql`starts_with(${idempotencyKey}, ${`${fingerprint}:`})`,
        gt(createdAt, since),
        isOpen(now),
      ),
    )
    .orderBy(desc(id))
    .limit(1);
  return row?.idempotencyKey ?? `${fingerprint}:${randomUUID()}`;
}

/** A claim as its page needs it. Nothing in it is for the payer alone but the claim itself. */
export interface ClaimView {
  readonly claim: RefundClaim;
  readonly paymentLink: string;
  readonly reference: string;
  readonly merchant: MerchantBranding & { readonly name: string; readonly email: string };
  /** Null if no address was entered yet. */
  readonly withdrawal: Pick<Withdrawal, "status" | "toAddress" | "txHash" | "updatedAt"> | null;
}

/** Finds a claim by the secret of its page. Compares hashes. Null if it is not the secret of a claim. */
export async function findClaimBySecret(db: Db | Tx, secret: string): Promise<ClaimView | null> {
  if (!isClaimSecret(secret)) return null;
  const { name, email, logo, accent, support } = merchants;
  const { status, toAddress, txHash, updatedAt } = withdrawals;
  const [row] = await db
    .select({
      claim: refundClaims,
      paymentLink: paymentLinks.refid,
      reference: paymentLinks.paymentReference,
      merchant: { name, email, logo, accent, support },
      withdrawal: { status, toAddress, txHash, updatedAt },
    })
    .from(refundClaims)
    .innerJoin(paymentLinks, eq(paymentLinks.id, refundClaims.paymentLinkId))
    .innerJoin(merchants, eq(merchants.id, refundClaims.merchantId))
    .leftJoin(withdrawals, eq(withdrawals.id, refundClaims.withdrawalId))
    .where(eq(refundClaims.secretHash, hashToken(secret)));
  return row ?? null;
}

/** The payment that a refund gives back, for the people who approve it. */
export interface RefundSource {
  readonly refid: string;
  readonly reference: string;
  /** The payer entered the address on the page of a claim. */
  readonly isClaimed: boolean;
  /** The message of the claim to the payer. */
  readonly note: string | null;
}

/** Finds the payment of a refund. Null for a withdrawal that refunds no payment. */
export async function findRefundSource(
  db: Db | Tx,
  { id, paymentLinkId }: Pick<Withdrawal, "id" | "paymentLinkId">,
): Promise<RefundSource | null> {
  if (paymentLinkId === null) return null;
  const { refid, paymentReference } = paymentLinks;
  const [row] = await db
    .select({ refid, reference: paymentReference, claim: refundClaims.id, note: refundClaims.note })
    .from(paymentLinks)
    .leftJoin(refundClaims, eq(refundClaims.withdrawalId, id))
    .where(eq(paymentLinks.id, paymentLinkId));
  if (row === undefined) return null;
  const { claim, ...source } = row;
  return { ...source, isClaimed: claim !== null };
}
