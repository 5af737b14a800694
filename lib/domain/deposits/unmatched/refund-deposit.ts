import type { NetworkRegistry } from "#lib/chains/network.ts";
import { findNetworkToken } from "#lib/chains/network-data.ts";
import { largestBeforeFee } from "#lib/domain/ledger/fee-rules.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { getTokenSettings } from "#lib/domain/settings/queries.ts";
import {
  attemptWithdrawal,
  type CreateWithdrawalRefusal,
} from "#lib/domain/withdrawals/create-withdrawal.ts";
import { findWithdrawalByKey } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { type Resolution, type ResolveDepositRefusal, resolveDeposit } from "./resolve-deposit.ts";
import { lockDeposit } from "./store.ts";

export type RefundDepositRefusal = ResolveDepositRefusal | CreateWithdrawalRefusal | "deposit_not_in_books";

interface DepositRefund extends Resolution {
  /** The destination address as a person wrote it, on the network of the deposit. */
  readonly to: string;
  /** Ledger units, at most the deposit. null: as much as the deposit pays, with the fee. */
  readonly amount: bigint | null;
}

type Refunded =
  | { readonly ok: true; readonly withdrawal: WithdrawalRow }
  | { readonly ok: false; readonly reason: RefundDepositRefusal };

/**
 * Sends an unmatched deposit back: credits it to the merchant and creates a withdrawal of it, in one transaction. If the withdrawal
 * is refused, the deposit stays unmatched. The same again returns the withdrawal that it created.
 */
export async function refundDeposit(
  { db, networks }: { readonly db: Db | Tx; readonly networks: NetworkRegistry },
  request: DepositRefund,
  now: Date,
): Promise<Refunded> {
  return inTransaction(db, async (tx): Promise<Refunded> => {
    const { id, email, to, actor } = request;
    const resolved = await resolveDeposit(tx, networks, request, now);
    if (!resolved.ok && resolved.reason === "already_resolved")
      return (await findRefund(tx, networks, request)) ?? resolved;
    if (!resolved.ok) return resolved;
    const deposit = await lockDeposit(tx, id);
    if (deposit === null) return { ok: false, reason: "deposit_not_in_books" };
    const { env, network, token } = deposit;
    const listed = networks.find(env, network)?.data;
    const decimals = listed === undefined ? undefined : findNetworkToken(listed, env, token)?.decimals;
    if (decimals === undefined) return { ok: false, reason: "network_off" };
    const { sendFee: minimum } = await getTokenSettings(tx, env, token);
    const step = 10n ** BigInt(TOKENS[token].ledgerDecimals - decimals);
    const percentage = resolved.merchant.feePercentage;
    const amount = request.amount ?? largestBeforeFee(deposit.amount, { percentage, minimum, step });
    if (amount > deposit.amount) return { ok: false, reason: "refund_above_credited" };
    const none = { refundOf: null, paymentLink: null };
    const asked = { env, email, token, network, to, amount, ...none, idempotencyKey: keyOf(id) };
    return attemptWithdrawal({ db: tx, networks }, asked, actor, now);
  });
}

const keyOf = (id: number) => `deposit:${id}`;

/** The refund that the same request created before; null: none. */
async function findRefund(
  tx: Tx,
  networks: NetworkRegistry,
  { id, email, to }: DepositRefund,
): Promise<Refunded | null> {
  const [deposit, merchant] = [await lockDeposit(tx, id), await findMerchantByEmail(tx, email)];
  if (deposit === null || merchant === null || deposit.merchantId !== merchant.id) return null;
  const { env, network } = deposit;
  const key = { merchantId: merchant.id, env, idempotencyKey: keyOf(id) };
  const withdrawal = await findWithdrawalByKey(tx, key);
  const isSame = withdrawal?.toAddress === networks.find(env, network)?.canonicalizeAddress(to);
  return withdrawal !== null && isSame ? { ok: true, withdrawal } : null;
}
