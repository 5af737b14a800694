import type { NetworkRegistry } from "#lib/chains/network.ts";
import { type Env, findNetworkToken } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { largestBeforeFee } from "#lib/domain/ledger/fee-rules.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import type { LedgerAccount } from "#lib/domain/ledger/types.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { getTokenSettings } from "#lib/domain/settings/queries.ts";
import {
  attemptWithdrawal,
  type CreateWithdrawalRefusal,
} from "#lib/domain/withdrawals/create-withdrawal.ts";
import { findWithdrawalByKey } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type Resolution, type ResolveDepositRefusal, resolveDeposit } from "./resolve-deposit.ts";
import { lockDeposit } from "./store.ts";

export type RefundDepositRefusal = ResolveDepositRefusal | CreateWithdrawalRefusal | "deposit_not_in_books";

interface DepositRefund extends Resolution {
  /** The destination address as a person wrote it, on the network of the deposit. */
  readonly to: string;
  /** In ledger units of the deposit's token, at most the deposit. null: as much as the deposit pays, with the fee. */
  readonly amount: { readonly token: TokenCode; readonly units: bigint } | null;
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
    const { env, network, token, txHash, position } = deposit;
    if (request.amount !== null && request.amount.token !== token)
      return { ok: false, reason: "refund_not_paid_so" };
    const amount =
      request.amount?.units ?? (await findLargestRefund(tx, networks, deposit, resolved.merchant));
    if (amount === null) return { ok: false, reason: "network_off" };
    if (amount > deposit.amount) return { ok: false, reason: "refund_above_credited" };
    const none = { refundOf: null, paymentLink: null, toCustomer: true };
    // A restored database gives the deposit another number, and the chain gives it the same place.
    const named = { idempotencyKey: keyOf(id), source: `deposit:${network}:${txHash}:${position}` };
    const asked = { env, email, token, network, to, amount, ...none, ...named };
    return attemptWithdrawal({ db: tx, networks }, asked, actor, now);
  });
}

/** The most that a deposit pays back with its fee, in ledger units. null: its network is off. */
export async function findLargestRefund(
  db: Db | Tx,
  networks: NetworkRegistry,
  deposit: {
    readonly env: Env;
    readonly network: NetworkCode;
    readonly token: TokenCode;
    readonly amount: bigint;
  },
  { feePercentage: percentage }: Pick<Merchant, "feePercentage">,
): Promise<bigint | null> {
  const { env, network, token, amount } = deposit;
  const adapter = networks.find(env, network);
  const listed = adapter && findNetworkToken(adapter.data, env, token);
  if (listed === null) return null;
  const { sendFee: minimum } = await getTokenSettings(db, env, token);
  const step = 10n ** BigInt(TOKENS[token].ledgerDecimals - listed.decimals);
  return largestBeforeFee(amount, { percentage, minimum, step });
}

/** What refundDeposit would create, which nothing is kept of. `left`: what the merchant could spend after it, in ledger units. */
export async function previewRefund(
  { db, networks }: { readonly db: Db; readonly networks: NetworkRegistry },
  request: DepositRefund,
  now: Date,
): Promise<
  | { readonly ok: true; readonly withdrawal: WithdrawalRow; readonly left: bigint }
  | { readonly ok: false; readonly reason: RefundDepositRefusal }
> {
  const result = await inTransaction(db, async (tx) => {
    const made = await refundDeposit({ db: tx, networks }, request, now);
    if (!made.ok) return made;
    const { withdrawal } = made;
    const accounts = await listLedgerAccounts(tx, withdrawal.env, withdrawal.merchantId);
    const isOwn = ({ code, token }: LedgerAccount) =>
      code === `merchant:${withdrawal.merchantId}` && token === withdrawal.token;
    // As a refusal, so that everything is rolled back.
    return { ok: false, reason: null, withdrawal, left: accounts.find(isOwn)?.balance ?? 0n } as const;
  });
  return result.reason === null ? { ...result, ok: true } : result;
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
