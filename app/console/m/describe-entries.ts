import { listDepositReferences } from "#lib/domain/deposits/recorded-queries.ts";
import { type EntryCause, type EntryKind, entryKind } from "#lib/domain/ledger/entry-rules.ts";
import { listWithdrawalReferences } from "#lib/domain/withdrawals/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";

/** An entry of a balance, as people read it. */
export interface EntryDescription {
  readonly kind: EntryKind;
  readonly isReversal: boolean;
  /** The merchant's reference of the payment, or that of the withdrawal. Null: the entry has none. */
  readonly reference: string | null;
  /** The identifier of the payment link or withdrawal. */
  readonly refid: string | null;
  readonly txHash: string | null;
  /** The fee in ledger units that a withdrawal's entry includes. */
  readonly fee: bigint | null;
  /** The path of its page below the merchant's pages. */
  readonly page: string | null;
}

const NOTHING = { reference: null, refid: null, txHash: null, fee: null, page: null } as const;

/** Describes a merchant's entries by their causes, in the same order. Two queries for any number of them. */
export async function describeEntries(
  db: Db,
  merchantId: number,
  causes: readonly EntryCause[],
): Promise<EntryDescription[]> {
  const idsOf = (wanted: EntryCause["subject"]) =>
    causes.flatMap(({ subject, id }) => (subject === wanted && id !== null ? [id] : []));
  const [deposits, withdrawals] = await Promise.all([
    listDepositReferences(db, merchantId, idsOf("deposit")),
    listWithdrawalReferences(db, idsOf("withdrawal")),
  ]);
  return causes.map((cause) => {
    const { id, subject, part, isReversal } = cause;
    const deposit = subject === "deposit" ? deposits.get(id ?? 0) : undefined;
    const withdrawal = subject === "withdrawal" ? withdrawals.get(id ?? 0) : undefined;
    const kind = entryKind(cause, {
      isOfLink: (deposit?.refid ?? null) !== null,
      isRefund: withdrawal?.isRefund ?? false,
    });
    const described = { ...NOTHING, kind, isReversal };
    if (deposit !== undefined) return { ...described, ...describeDeposit(deposit) };
    if (withdrawal === undefined) return described;
    const { refid, txHash } = withdrawal;
    const fee = part === "main" && withdrawal.fee > 0n ? withdrawal.fee : null;
    return { ...described, refid, txHash, fee, reference: refid, page: `money/withdrawals/${refid}` };
  });
}

type Deposit =
  Awaited<ReturnType<typeof listDepositReferences>> extends ReadonlyMap<number, infer Found> ? Found : never;

function describeDeposit({ refid, paymentReference, customerId, txHash }: Deposit) {
  const customer = customerId === null ? null : `customers/${customerId}`;
  return {
    refid,
    txHash,
    reference: paymentReference,
    page: refid === null ? customer : `payments/${refid}`,
  };
}
