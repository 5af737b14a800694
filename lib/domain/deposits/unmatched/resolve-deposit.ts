import type { NetworkRegistry } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/load-merchant.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { emitDepositEvents } from "../emit-deposit-events.ts";
import { resolutionCause } from "../rules.ts";
import { creditHeldDeposit, lockDeposit, lockUnlistedDeposit, markUnlistedDepositResolved } from "./store.ts";

export type ResolveDepositRefusal =
  | "deposit_not_found"
  | "deposit_not_confirmed"
  | "deposit_dropped"
  | "already_resolved"
  | "merchant_not_found";

interface Resolution {
  readonly id: number;
  /** The merchant it is found to be for. */
  readonly email: string;
  /** Who says so, for the audit log. */
  readonly actor: string;
}

/**
 * Decides whose an unmatched deposit is, once: credits the merchant out of what is held, tells them, and keeps the
 * decision on record. Money in a token that we keep no books of is only taken off the list: `credited` is null.
 */
export async function resolveDeposit(
  tx: Tx,
  networks: NetworkRegistry,
  { id, email, actor }: Resolution,
  now: Date,
): Promise<
  | { ok: true; merchant: Merchant; credited: { token: TokenCode; amount: bigint } | null }
  | { ok: false; reason: ResolveDepositRefusal }
> {
  const merchant = await findMerchantByEmail(tx, email);
  if (merchant === null || merchant.status === "removed") return { ok: false, reason: "merchant_not_found" };
  const deposit = await lockDeposit(tx, id);
  if (deposit === null) return resolveUnknownToken(tx, id, merchant, actor, now);
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
  // A network that is switched off where the operator sits still has its data.
  const known = networks.find(env, network);
  const shown = known ?? { data: NETWORKS[network], displayAddress: (canonical: string) => canonical };
  await emitDepositEvents(tx, shown, "deposit_credited", [id], now);
  const value = formatAmount(amount, TOKENS[token].ledgerDecimals);
  const details = { env, network, token, amount: value, reason: unmatchedReason };
  await recordResolution(tx, id, merchant, actor, { ...details, tx_hash: deposit.txHash }, now);
  return { ok: true, merchant, credited: { token, amount } };
}

const NOT_HELD_REASONS = { 0: "deposit_not_confirmed", 1: "already_resolved", 2: "deposit_dropped" } as const;

async function resolveUnknownToken(tx: Tx, id: number, merchant: Merchant, actor: string, now: Date) {
  const deposit = await lockUnlistedDeposit(tx, id);
  if (deposit === null) return { ok: false, reason: "deposit_not_found" } as const;
  if (deposit.resolvedAt !== null) return { ok: false, reason: "already_resolved" } as const;
  await markUnlistedDepositResolved(tx, id, merchant.id, now);
  const { env, network, contract, rawAmount, txHash } = deposit;
  const details = { env, network, contract, raw_amount: rawAmount.toString(), tx_hash: txHash };
  await recordResolution(tx, id, merchant, actor, { ...details, reason: "unknown_token" }, now);
  return { ok: true, merchant, credited: null } as const;
}

function recordResolution(
  tx: Tx,
  id: number,
  merchant: Merchant,
  actor: string,
  details: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  const entry = { actor, action: "deposit.resolve", subject: `deposit:${id}` };
  return recordDecision(tx, { ...entry, details: { to: merchant.email, ...details } }, now);
}
