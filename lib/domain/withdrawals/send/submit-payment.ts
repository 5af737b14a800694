import { recordDecisions } from "#lib/domain/audit/record-decision.ts";
import { nameActor } from "#lib/domain/authority/actor.ts";
import type { OperatorActor, SignerActor } from "#lib/domain/authority/types.ts";
import type { VerbName } from "#lib/domain/authority/verb-rules.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { waitsForApproval } from "../approve/approval-rules.ts";
import { newSubmittedTransaction } from "../observe/observe-transactions.ts";
import { nextWithdrawalStatus } from "../rules.ts";
import { insertOutgoingTransaction } from "../signer/outgoing-store.ts";
import { appendTransaction, lockForPayment } from "../store.ts";
import type { OutgoingTransaction, PayableRow, WithdrawalRow } from "../types.ts";

/** The withdrawals that a new transaction pays, and the transactions that it excludes or follows. */
export interface PaymentRequest {
  readonly withdrawalIds: readonly number[];
  readonly actor: OperatorActor | SignerActor;
  /** Outpoints or nonces that the transaction uses. Only one transaction of a chain can use each. */
  readonly spends: readonly string[];
  /** Whether no block can ever contain a transaction. The caller has proven it. */
  readonly isDead: (hash: string) => boolean;
}

/**
 * Lets `sign` pay withdrawals with one transaction, and stores it with each of them, in one database transaction with the rows locked: none
 * can be canceled, changed or paid by another signer meanwhile. A pending withdrawal becomes processing. A processing withdrawal gets
 * another transaction, if each of its earlier ones is dead or excludes the new one, so that only one can pay. `sign` remembers what it
 * signs before it returns, and returns null to pay nothing: so it does for a merchant that is disabled. A payment that was signed before is
 * stored for it all the same, because later payments of the account wait for it. Returns false if any of the withdrawals cannot be paid: then
 * nothing is stored. Only a stored transaction may be broadcast.
 */
export function submitPayment(
  db: Db,
  request: PaymentRequest,
  sign: (rows: readonly PayableRow[]) => Promise<OutgoingTransaction | null>,
  now: Date,
): Promise<boolean> {
  const { withdrawalIds, actor } = request;
  return db.transaction(async (tx) => {
    const rows = await lockForPayment(tx, withdrawalIds);
    if (rows.length < withdrawalIds.length || !rows.every((row) => mayPay(row, request))) return false;
    const signed = await sign(rows);
    if (signed === null) return false;
    await insertOutgoingTransaction(tx, signed, now);
    const unstored = rows.filter((row) => row.transactions.every((one) => one.hash !== signed.hash));
    await submit(tx, unstored, { hash: signed.hash, spends: request.spends, actor: nameActor(actor) }, now);
    failpoint("payout-stored");
    return true;
  });
}

/** Stores a transaction that pays no withdrawal, for the books. A transaction that is stored already is left as it is. */
export function storeOutgoing(db: Db, signed: OutgoingTransaction, now: Date): Promise<void> {
  return insertOutgoingTransaction(db, signed, now);
}

function mayPay(row: WithdrawalRow, { spends, isDead }: PaymentRequest): boolean {
  if (row.status === "pending") return !waitsForApproval(row);
  if (!nextWithdrawalStatus(row.status, "replaced").ok) return false;
  return row.transactions.every(
    (one) => isDead(one.hash) || one.spends.some((spent) => spends.includes(spent)),
  );
}

async function submit(
  tx: Tx,
  rows: readonly WithdrawalRow[],
  {
    hash,
    spends,
    actor,
  }: { readonly hash: string; readonly spends: readonly string[]; readonly actor: string },
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const moved = rows.map(({ id, status }) => {
    const next = nextWithdrawalStatus(status, status === "pending" ? "sent" : "replaced");
    if (!next.ok) throw new Error(`a locked withdrawal changed: ${next.reason}`);
    return { id, status: next.status };
  });
  await appendTransaction(tx, moved, { ...newSubmittedTransaction(hash, now), spends }, now);
  const entries = rows.map(({ merchantId, env, refid, status }) => ({
    actor,
    action: (status === "pending" ? "withdrawal.sent" : "withdrawal.replace") satisfies VerbName,
    subject: `withdrawal:${refid}`,
    merchantId,
    details: { env, tx_hash: hash },
  }));
  await recordDecisions(tx, entries, now);
}
