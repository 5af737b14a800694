import type { NetworkRegistry } from "#lib/chains/network.ts";
import { type Env, findNetworkToken } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { nameActor } from "#lib/domain/authority/actor.ts";
import {
  type Barred,
  type Done,
  defineVerb,
  done,
  type Refusal,
  refuse,
} from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { largestBeforeFee } from "#lib/domain/ledger/fee-rules.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import type { LedgerAccount } from "#lib/domain/ledger/types.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { getTokenSettings } from "#lib/domain/settings/queries.ts";
import {
  attemptWithdrawal,
  type CreateWithdrawalRefusal,
} from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { findWithdrawalByKey } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import {
  assignDeposit,
  lockDecidable,
  type Resolution,
  type ResolveDepositRefusal,
} from "./resolve-deposit.ts";

export type RefundDepositRefusal = ResolveDepositRefusal | CreateWithdrawalRefusal | "deposit_not_in_books";

interface DepositRefund extends Resolution {
  /** The destination address as a person wrote it, on the network of the deposit. */
  readonly to: string;
  /** In ledger units of the deposit's token, at most the deposit. null: as much as the deposit pays, with the fee. */
  readonly amount: { readonly token: TokenCode; readonly units: bigint } | null;
  /** Why staff refund (readReason). Absent: they wrote nothing. */
  readonly reason?: string | null;
}

/**
 * Sends an unmatched deposit back: credits it to the act's merchant, as resolveDeposit does, and creates a withdrawal of it. If the
 * withdrawal is refused, the deposit stays unmatched. The same again returns the withdrawal that it created.
 */
export const refundDeposit = defineVerb("deposit.refund", (act, refund: DepositRefund) =>
  // The withdrawal spends the credit. A refusal after the credit undoes it.
  inTransaction(act.tx, (tx) => attemptRefund({ ...act, tx }, refund)),
);

async function attemptRefund(
  act: Act,
  refund: DepositRefund,
): Promise<Done<{ readonly withdrawal: WithdrawalRow }> | Refusal<RefundDepositRefusal>> {
  const { tx, actor } = act;
  const { networks, id, to } = refund;
  const assigned = await assignDeposit(act, refund);
  if (!assigned.ok && assigned.reason === "already_resolved") {
    const withdrawal = await findRefund(act, refund);
    return withdrawal === null ? assigned : done({ withdrawal }, null);
  }
  if (!assigned.ok) return assigned;
  const { deposit, merchant, details } = assigned;
  if (deposit === null) return refuse("deposit_not_in_books");
  const { network, token, txHash, position } = deposit;
  if (refund.amount !== null && refund.amount.token !== token) return refuse("refund_not_paid_so");
  const amount = refund.amount?.units ?? (await findLargestRefund(tx, networks, deposit, merchant));
  if (amount === null) return refuse("network_off");
  if (amount > deposit.amount) return refuse("refund_above_credited");
  const { reason = null } = refund;
  const none = { refundOf: null, paymentLink: null, toCustomer: true, reason };
  // A restored database gives the deposit another number, and the chain gives it the same place.
  const named = { idempotencyKey: keyOf(id), source: `deposit:${network}:${txHash}:${position}` };
  const request = { token, network, to, amount, ...none, ...named };
  const created = await attemptWithdrawal(act, { networks, request, requestedBy: nameActor(actor) });
  if (!created.ok) return created;
  const { withdrawal } = created;
  const entry = { subject: `deposit:${id}`, details: { ...details, withdrawal: withdrawal.refid } };
  return done({ withdrawal }, entry);
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

/**
 * The withdrawal that refundDeposit would create. Nothing of it is kept. `left` is the balance that the merchant would have after it, in
 * ledger units.
 */
export async function previewRefund(
  db: Db,
  act: Omit<Act, "tx">,
  refund: DepositRefund,
): Promise<
  | { readonly ok: true; readonly withdrawal: WithdrawalRow; readonly left: bigint }
  | Refusal<RefundDepositRefusal>
  | Barred
> {
  const result = await inTransaction(db, async (tx) => {
    const made = await refundDeposit({ ...act, tx }, refund);
    if (!made.ok) return made;
    const { withdrawal } = made;
    const accounts = await listLedgerAccounts(tx, withdrawal.env, withdrawal.merchantId);
    const isOwn = ({ code, token }: LedgerAccount) =>
      code === `merchant:${withdrawal.merchantId}` && token === withdrawal.token;
    // As a refusal, so that everything is rolled back.
    return { ok: false, seen: { withdrawal, left: accounts.find(isOwn)?.balance ?? 0n } } as const;
  });
  return "seen" in result ? { ok: true, ...result.seen } : result;
}

const keyOf = (id: number) => `deposit:${id}`;

/** The refund that the same request created before; null: none. */
async function findRefund(
  act: Act,
  { networks, id, to, amount, reason = null }: DepositRefund,
): Promise<WithdrawalRow | null> {
  const { tx, merchantId, env } = act;
  const deposit = await lockDecidable(act, id);
  if (deposit === null || deposit.merchantId !== merchantId) return null;
  const withdrawal = await findWithdrawalByKey(tx, { merchantId, env, idempotencyKey: keyOf(id) });
  const address = networks.find(env, deposit.network)?.addresses.canonicalize(to);
  const isSame =
    withdrawal?.toAddress === address &&
    withdrawal?.reason === reason &&
    (amount === null || (withdrawal?.amount === amount.units && withdrawal.token === amount.token));
  return isSame ? withdrawal : null;
}
