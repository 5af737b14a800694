import type { NetworkRegistry } from "#lib/chains/network.ts";
import { defineVerb, done, type Refusal, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { isOperator } from "#lib/domain/authority/verb-rules.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { emitDepositEvents, getNetworkDisplay } from "../deposit-record.ts";
import { isForOwner, resolutionCause } from "../rules.ts";
import {
  creditHeldDeposit,
  type Deposit,
  lockDeposit,
  lockUnlistedDeposit,
  markUnlistedDepositResolved,
} from "./store.ts";

export type ResolveDepositRefusal =
  | "deposit_not_found"
  | "deposit_not_confirmed"
  | "deposit_dropped"
  | "already_resolved"
  | "merchant_not_found";

/** An unmatched deposit of the act's environment. */
export interface Resolution {
  readonly networks: NetworkRegistry;
  readonly id: number;
}

/** A deposit that has its merchant now, with the details of the audit entry. */
interface Resolved {
  readonly ok: true;
  /** The deposit in the ledger. Null: the ledger does not contain its token. */
  readonly deposit: Deposit | null;
  readonly merchant: Merchant;
  readonly details: Readonly<Record<string, string>>;
}

/**
 * Assigns an unmatched deposit to the act's merchant, once. Moves the held money to the merchant's account and emits the webhook event.
 * The operator decides about every deposit, a merchant's people about those at their own addresses. For an unlisted token, which the
 * ledger does not contain, it only marks the deposit as resolved: then `credited` is null.
 */
export const resolveDeposit = defineVerb("deposit.resolve", async (act, resolution: Resolution) => {
  const resolved = await assignDeposit(act, resolution);
  if (!resolved.ok) return resolved;
  const { deposit, details } = resolved;
  const credited = deposit && { token: deposit.token, amount: deposit.amount };
  return done({ credited }, { subject: `deposit:${resolution.id}`, details });
});

/** The merchant who gets what an act assigns. null: it was removed. */
export async function findReceiver({ tx, merchantId }: Act): Promise<Merchant | null> {
  const merchant = await findMerchant(tx, merchantId);
  return merchant?.status === "removed" ? null : merchant;
}

/** Assigns the deposit without an audit entry, for verbs that do more with it. */
export async function assignDeposit(
  act: Act,
  { networks, id }: Resolution,
): Promise<Resolved | Refusal<ResolveDepositRefusal>> {
  const { tx, now, merchantId, env } = act;
  const merchant = await findReceiver(act);
  if (merchant === null) return refuse("merchant_not_found");
  const deposit = await lockDecidable(act, id);
  if (deposit === null) return isOperator(act.actor) ? resolveUnlisted(act, merchant, id) : NOT_FOUND;
  const { status, unmatchedReason, network, token, amount, creditRound } = deposit;
  if (unmatchedReason === null) return NOT_FOUND;
  if (status !== "held") return refuse(NOT_HELD_REASONS[status]);
  await creditHeldDeposit(tx, id, merchantId, now);
  const cause = resolutionCause({ id, creditRound });
  const credit = { env, network, token, amount, merchantId, source: "unmatched", cause } as const;
  await creditMerchants(tx, [credit], now);
  const display = getNetworkDisplay(networks, env, network);
  await emitDepositEvents(tx, display, { type: "deposit_credited", depositIds: [id] }, now);
  const value = { token, amount: formatAmount(amount, TOKENS[token].ledgerDecimals) };
  const found = { reason: unmatchedReason, tx_hash: deposit.txHash };
  return { ok: true, deposit, merchant, details: { to: merchant.email, env, network, ...value, ...found } };
}

const NOT_FOUND = refuse("deposit_not_found");
const NOT_HELD_REASONS = {
  seen: "deposit_not_confirmed",
  credited: "already_resolved",
  dropped: "deposit_dropped",
} as const;

/** Locks a deposit about which the actor may decide. null: there is none, or it is another merchant's. */
export async function lockDecidable(
  { tx, actor, merchantId, env }: Act,
  id: number,
): Promise<Deposit | null> {
  if (isOperator(actor)) return lockDeposit(tx, { id, env, merchantId: null });
  const deposit = await lockDeposit(tx, { id, env, merchantId });
  return deposit !== null && isForOwner(deposit.unmatchedReason) ? deposit : null;
}

async function resolveUnlisted({ tx, now, env }: Act, merchant: Merchant, id: number) {
  const deposit = await lockUnlistedDeposit(tx, { id, env });
  if (deposit === null) return NOT_FOUND;
  if (deposit.resolvedAt !== null) return refuse("already_resolved");
  await markUnlistedDepositResolved(tx, id, merchant.id, now);
  const { network, contract, rawAmount, txHash } = deposit;
  const value = { contract, raw_amount: rawAmount.toString(), tx_hash: txHash };
  const details = { to: merchant.email, env, network, ...value, reason: "unknown_token" };
  return { ok: true, deposit: null, merchant, details } as const;
}
