import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { emitDepositEvents, getNetworkDisplay } from "../deposit-record.ts";
import { resolutionCause } from "../rules.ts";
import { creditHeldDeposit, lockDeposit, lockUnlistedDeposit, markUnlistedDepositResolved } from "./store.ts";

export type ResolveDepositRefusal =
  | "deposit_not_found"
  | "deposit_not_confirmed"
  | "deposit_dropped"
  | "already_resolved"
  | "merchant_not_found";

export interface Resolution {
  readonly id: number;
  /** E-mail address of the merchant who gets the deposit. */
  readonly email: string;
  /** Who resolves it, for the audit log. */
  readonly actor: string;
  /** The merchant whose people resolve it: only what is at its own addresses, see isForOwner. Absent: the operator resolves it. */
  readonly owner?: { readonly merchantId: number; readonly env: Env };
}

/** A resolution with the merchant that it names. */
interface MerchantResolution extends Resolution {
  readonly merchant: Merchant;
}

/**
 * Assigns an unmatched deposit to a merchant, once. Moves the held money to the merchant's account, emits the webhook
 * event and writes the decision to the audit log. For an unlisted token, which the ledger does not contain, it only marks
 * the deposit as resolved: then `credited` is null.
 */
export async function resolveDeposit(
  tx: Tx,
  networks: NetworkRegistry,
  request: Resolution,
  now: Date,
): Promise<
  | { ok: true; merchant: Merchant; credited: { token: TokenCode; amount: bigint } | null }
  | { ok: false; reason: ResolveDepositRefusal }
> {
  const { id, email } = request;
  const merchant = await findMerchantByEmail(tx, email);
  if (merchant === null || merchant.status === "removed") return { ok: false, reason: "merchant_not_found" };
  const resolution = { ...request, merchant };
  const deposit = await lockDeposit(tx, id);
  if (deposit === null && request.owner === undefined) return resolveUnlisted(tx, resolution, now);
  if (deposit === null || !mayResolve(deposit, request.owner))
    return { ok: false, reason: "deposit_not_found" };
  const { status, unmatchedReason, env, network, token, amount, creditRound } = deposit;
  if (unmatchedReason === null) return { ok: false, reason: "deposit_not_found" };
  if (status !== 3) return { ok: false, reason: NOT_HELD_REASONS[status] };

  await creditHeldDeposit(tx, id, merchant.id, now);
  const cause = resolutionCause({ id, creditRound });
  const credit = {
    env,
    network,
    token,
    amount,
    merchantId: merchant.id,
    source: "unmatched",
    cause,
  } as const;
  await creditMerchants(tx, [credit], now);
  const display = getNetworkDisplay(networks, env, network);
  await emitDepositEvents(tx, display, { type: "deposit_credited", depositIds: [id] }, now);
  const details = {
    env,
    network,
    token,
    amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
    reason: unmatchedReason,
    tx_hash: deposit.txHash,
  };
  await recordResolution(tx, resolution, details, now);
  return { ok: true, merchant, credited: { token, amount } };
}

/**
 * Whether a merchant's people may decide about such a deposit at their own addresses. Older than the allocation, it may belong to
 * somebody else who had the address before.
 */
export function isForOwner(unmatchedReason: string | null): boolean {
  return unmatchedReason !== "before_allocation";
}

/** Whether these people may say whose a deposit is. */
function mayResolve(
  deposit: { readonly merchantId: number | null; readonly env: Env; readonly unmatchedReason: string | null },
  owner: Resolution["owner"],
): boolean {
  if (owner === undefined) return true;
  const { merchantId, env, unmatchedReason } = deposit;
  return merchantId === owner.merchantId && env === owner.env && isForOwner(unmatchedReason);
}

const NOT_HELD_REASONS = { 0: "deposit_not_confirmed", 1: "already_resolved", 2: "deposit_dropped" } as const;

async function resolveUnlisted(tx: Tx, resolution: MerchantResolution, now: Date) {
  const { id, merchant } = resolution;
  const deposit = await lockUnlistedDeposit(tx, id);
  if (deposit === null) return { ok: false, reason: "deposit_not_found" } as const;
  if (deposit.resolvedAt !== null) return { ok: false, reason: "already_resolved" } as const;
  await markUnlistedDepositResolved(tx, id, merchant.id, now);
  const { env, network, contract, rawAmount, txHash } = deposit;
  const details = {
    env,
    network,
    contract,
    raw_amount: rawAmount.toString(),
    tx_hash: txHash,
    reason: "unknown_token",
  };
  await recordResolution(tx, resolution, details, now);
  return { ok: true, merchant, credited: null } as const;
}

function recordResolution(
  tx: Tx,
  { id, merchant, actor }: MerchantResolution,
  details: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  const entry = { actor, action: "deposit.resolve", subject: `deposit:${id}`, merchantId: merchant.id };
  return recordDecision(tx, { ...entry, details: { to: merchant.email, ...details } }, now);
}
