import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { findNetworkToken } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { feeWithMinimum } from "#lib/domain/ledger/fee-rules.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { recordRefusedAttempt } from "#lib/domain/ledger/record-refused-attempt.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { findNetworkSettings, getTokenSettings } from "#lib/domain/settings/queries.ts";
import { listKnownAddresses } from "#lib/domain/wallets/queries.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { makeRefid } from "./refid.ts";
import { type SendAmountRefusal, sendAmountRefusal, withdrawalCauses } from "./rules.ts";
import { findWithdrawalByRefid, insertWithdrawal, isRefunded, lockWithdrawal } from "./store.ts";
import type { WithdrawalRequest, WithdrawalRow } from "./types.ts";

export type CreateWithdrawalRefusal =
  | "merchant_not_found"
  | "merchant_disabled"
  | "send_amount_not_positive"
  | "network_off"
  | "token_not_on_network"
  | "sends_disabled_for_network"
  | "sends_disabled_for_token"
  | "destination_malformed"
  | "destination_is_ours"
  | SendAmountRefusal
  | "refunded_not_found"
  | "refunded_not_failed"
  | "refunded_already"
  | "insufficient_balance";

export interface WithdrawalDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
}

/** Everything a withdrawal is made of once it was found to be allowed. */
interface CheckedWithdrawal {
  readonly merchant: Merchant;
  readonly network: NetworkCode;
  readonly to: string;
  readonly fee: bigint;
}

/** Rolls the transaction back; leaves this file as the refusal that it carries. */
class Refused extends Error {
  readonly reason: CreateWithdrawalRefusal;
  constructor(reason: CreateWithdrawalRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Puts a send into the queue: checks address, limits and settings, and reserves amount and fee out of the merchant's
 * balance, all in one transaction (docs/decisions.md, Withdrawals). `actor`: who asked, for the audit log. What a rule
 * refuses of a merchant's stays in their history.
 */
export async function createWithdrawal(
  { db, networks }: WithdrawalDeps,
  request: WithdrawalRequest,
  actor: string,
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | { ok: false; reason: CreateWithdrawalRefusal }> {
  const { env, email, token, amount } = request;
  const merchant = await findMerchantByEmail(db, email);
  if (merchant === null || merchant.status === "removed") return { ok: false, reason: "merchant_not_found" };
  if (amount <= 0n) return { ok: false, reason: "send_amount_not_positive" };
  try {
    const order = await checkRequest(db, networks, merchant, request);
    const withdrawal = await db.transaction((tx) => reserve(tx, order, request, actor, now));
    return { ok: true, withdrawal };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { reason } = error;
    const accounts = await listLedgerAccounts(db, env, merchant.id);
    const code = `merchant:${merchant.id}`;
    const balance = accounts.find((a) => a.code === code && a.token === token)?.balance ?? 0n;
    const attempt = { env, merchantId: merchant.id, token, amount, balance, reason };
    await recordRefusedAttempt(db, { ...attempt, direction: "debit" }, now);
    return { ok: false, reason };
  }
}

/** All that needs no lock. Throws Refused. */
async function checkRequest(
  db: Db,
  networks: NetworkRegistry,
  merchant: Merchant,
  { env, token, network, to, amount }: WithdrawalRequest,
): Promise<CheckedWithdrawal> {
  if (merchant.status !== "active") throw new Refused("merchant_disabled");
  const adapter = networks.find(env, network);
  if (adapter === null) throw new Refused("network_off");
  const listed = findNetworkToken(adapter.data, env, token);
  if (listed === null) throw new Refused("token_not_on_network");
  const ofNetwork = await findNetworkSettings(db, env, network);
  if (!ofNetwork?.status || !ofNetwork.send) throw new Refused("sends_disabled_for_network");
  const ofToken = await getTokenSettings(db, env, token);
  if (!ofToken.status || !ofToken.send) throw new Refused("sends_disabled_for_token");
  const address = await checkDestination(db, adapter, to);
  const { minimumSend: minimum, maximumSend: maximum, sendFee: tokenFee } = ofToken;
  const step = 10n ** BigInt(TOKENS[token].ledgerDecimals - listed.decimals);
  const refusal = sendAmountRefusal(amount, { minimum, maximum, step });
  if (refusal !== null) throw new Refused(refusal);
  const fee = feeWithMinimum(amount, merchant.feePercentage, tokenFee);
  return { merchant, network: adapter.network, to: address, fee };
}

/** Ours on any network: an address of one EVM network is the same on its sisters. */
async function checkDestination(db: Db, adapter: NetworkAdapter, to: string): Promise<string> {
  const address = adapter.canonicalizeAddress(to);
  if (address === null) throw new Refused("destination_malformed");
  const all = Object.keys(NETWORKS) as NetworkCode[];
  const ours = await listKnownAddresses(db, adapter.env, all, [address]);
  if (ours.length > 0) throw new Refused("destination_is_ours");
  return address;
}

async function reserve(
  tx: Tx,
  { merchant, network, to, fee }: CheckedWithdrawal,
  request: WithdrawalRequest,
  actor: string,
  now: Date,
): Promise<WithdrawalRow> {
  const { env, token, amount } = request;
  const refundOf = await lockRefunded(tx, merchant, request);
  const refid = makeRefid();
  const values = {
    refid,
    env,
    merchantId: merchant.id,
    token,
    network,
    toAddress: to,
    amount,
    fee,
    refundOf,
  };
  const row = await insertWithdrawal(tx, { ...values, checked: true }, now);
  const from = `merchant:${merchant.id}` as const;
  const transfer = { env, token, from, to: `reserved:${row.id}`, amount: amount + fee } as const;
  const posted = await postTransfer(tx, { ...transfer, cause: withdrawalCauses(row).reserve }, now);
  if (!posted.posted) throw new Refused("insufficient_balance");
  const shown = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
  const details = {
    env,
    merchant: merchant.email,
    network,
    token,
    to,
    amount: shown(amount),
    fee: shown(fee),
  };
  const entry = { actor, action: "withdrawal.create", subject: `withdrawal:${refid}` };
  await recordDecision(tx, { ...entry, details: { ...details, refund_of: request.refundOf } }, now);
  return { ...row, email: merchant.email };
}

/** The failed withdrawal to make good, locked so that one alone makes it good; null: none was named. */
async function lockRefunded(
  tx: Tx,
  merchant: Merchant,
  { env, token, refundOf }: WithdrawalRequest,
): Promise<number | null> {
  if (refundOf === null) return null;
  const found = await findWithdrawalByRefid(tx, env, refundOf, merchant.id);
  const failed = found && (await lockWithdrawal(tx, found.id));
  if (!failed || failed.token !== token) throw new Refused("refunded_not_found");
  if (failed.status !== 2) throw new Refused("refunded_not_failed");
  if (await isRefunded(tx, failed.id)) throw new Refused("refunded_already");
  return failed.id;
}
