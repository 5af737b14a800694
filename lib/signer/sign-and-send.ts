import type { Logger } from "pino";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { listByRefids } from "#lib/domain/withdrawals/queries.ts";
import { submitPayment } from "#lib/domain/withdrawals/send/submit-payment.ts";
import type { PayableRow, WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { type Db, isUniqueViolation } from "#lib/platform/db/connection.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import type { Alarms } from "./alarms.ts";
import type { ChainSigner, Draft } from "./chain-signer.ts";
import { canNeverPay, isSamePayout } from "./entry-rules.ts";
import type { FeeRefusal } from "./fee-limits.ts";
import type { Journal } from "./journal.ts";
import { toPayout } from "./payout-rules.ts";
import { policyName } from "./policy-rules.ts";
import { isStored } from "./send-rules.ts";
import { signEntry } from "./sign-entry.ts";
import type { JournalEntry, Policy } from "./types.ts";

/** The means of one network of the signer. */
export interface SendDeps {
  readonly db: Db;
  readonly adapter: TransactionNetwork;
  readonly chain: ChainSigner;
  readonly journal: Journal;
  readonly policy: () => Policy;
  readonly log: Logger;
  readonly now: () => Date;
  readonly alarms: Alarms;
}

/** A transaction that is to be signed. `headTime`: of the newest block. */
interface Signing extends Pick<JournalEntry, "kind" | "payouts" | "moves"> {
  readonly draft: Omit<Draft, "payouts">;
  readonly headTime: Date;
  /** The withdrawals that get it. */
  readonly rows: readonly WithdrawalRow[];
}

/**
 * Signs a transaction, stores it with its withdrawals, and broadcasts it. The journal has it before the database, and both before a node. A
 * text: why its fee may not be spent. Null: a withdrawal of it is locked, ended, or (`mayPay`) not what the draft may pay.
 */
export async function signAndSend(
  deps: SendDeps,
  { draft, headTime, rows, ...what }: Signing,
  mayPay: (locked: readonly PayableRow[]) => boolean = () => true,
): Promise<JournalEntry | FeeRefusal | null> {
  const networkPolicy = deps.policy().networks.get(policyName(deps.adapter)) ?? null;
  const made: { result: JournalEntry | FeeRefusal | null } = { result: null };
  const sign = async (locked: readonly PayableRow[]) => {
    if (mayPay(locked)) made.result = await signEntry({ ...deps, networkPolicy }, draft, what, headTime);
    return typeof made.result === "string" ? null : made.result;
  };
  const isStored = await submitPayment(deps.db, requestOf(deps, draft.spends, rows), sign, deps.now());
  const { result } = made;
  if (result === null || typeof result === "string") return result;
  if (!isStored) return null;
  failpoint("payout-committed");
  await broadcast(deps, result);
  failpoint("payout-broadcast");
  return result;
}

const requestOf = ({ journal }: SendDeps, spends: readonly string[], rows: readonly WithdrawalRow[]) => ({
  withdrawalIds: rows.map(({ id }) => id),
  actor: { kind: "signer" } as const,
  spends,
  // A cancellation pays no one, whatever becomes of it.
  isDead: (hash: string) => journal.kindOf(hash) === "cancel" || canNeverPay(journal.outcomeOf(hash)),
});

/** Lists the withdrawals of a journaled payment, as far as the database has them. */
export const listRows = ({ db }: SendDeps, { env, payouts }: JournalEntry): Promise<WithdrawalRow[]> =>
  listByRefids(
    db,
    env,
    payouts.map(({ refid }) => refid),
  );

/** changed: a withdrawal is not what was signed. taken: another one has the transaction, as one that a person entered again after a restore. */
export type Stored = "stored" | "changed" | "taken";

/**
 * Stores a journaled payment with those withdrawals that lack it: the database did not store it, or was restored since. With none of them, if
 * one cannot have it.
 */
export async function storePayment(
  deps: SendDeps,
  entry: JournalEntry,
  rows: readonly WithdrawalRow[],
): Promise<Stored> {
  const paid = new Map(entry.payouts.map((payout) => [payout.refid, payout]));
  const isSame = (row: WithdrawalRow) => isSamePayout(paid.get(row.refid), toPayout(row));
  const lacking = rows.filter((row) => !isStored(entry, row));
  const sign = async (locked: readonly WithdrawalRow[]) => (locked.every(isSame) ? entry : null);
  try {
    const isStoredNow = await submitPayment(
      deps.db,
      requestOf(deps, entry.spends, lacking),
      sign,
      deps.now(),
    );
    return isStoredNow ? "stored" : "changed";
  } catch (error) {
    if (isUniqueViolation(error, "withdrawals_hash")) return "taken";
    throw error;
  }
}

/** A node that refuses it now is asked again at the next step. */
export async function broadcast({ chain, log }: SendDeps, entry: JournalEntry): Promise<void> {
  try {
    await chain.broadcast(entry);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    log.warn({ txHash: entry.hash, err: error }, "transaction not broadcast");
  }
}
