import type { ChainHead, TransactionPayments } from "#lib/chains/network.ts";
import type { Env, Finality } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { withdrawals } from "./tables.ts";

/** A withdrawal as it is kept; amounts in ledger units. */
export type Withdrawal = typeof withdrawals.$inferSelect;
/** With its merchant's address, which every record shows. */
export type WithdrawalRow = Withdrawal & { readonly email: string };

/** docs/service-interface.md: 0 pending, 1 processing, 2 failed, 3 completed, 5 refund queued. */
export type WithdrawalStatus = Withdrawal["status"];
export const WITHDRAWAL_STATUSES = [0, 1, 2, 3, 5] as const satisfies readonly WithdrawalStatus[];

/** A transaction that was named for a withdrawal. `namedAt`: ISO 8601; whoever named it had broadcast it by then. */
export type SubmittedTransaction = Withdrawal["transactions"][number];

/** What the chain says of it now; null: no such transaction. */
export type TransactionObservation = SubmittedTransaction & {
  readonly onChain: TransactionPayments | null;
  readonly expired: boolean;
};

/** The chain as one node had it, asked about everything named for one withdrawal. */
export interface WithdrawalObservation {
  readonly head: ChainHead;
  readonly finality: Finality;
  readonly transactions: readonly TransactionObservation[];
}

/** What it comes to, see judge(). */
export type WithdrawalOutcome =
  | { readonly kind: "paid"; readonly hash: string }
  | { readonly kind: "amount_mismatch" }
  | { readonly kind: "inconclusive" }
  | { readonly kind: "unpayable" }
  | { readonly kind: "open" };

/** What a withdrawal is asked for with; `amount` in ledger units. */
export interface WithdrawalRequest {
  readonly env: Env;
  /** The merchant's. */
  readonly email: string;
  readonly token: TokenCode;
  /** Any code of the service; one without an adapter is refused. */
  readonly network: string;
  /** As written by a person. */
  readonly to: string;
  readonly amount: bigint;
  /** The refid of the failed withdrawal that this one makes good; null: none. */
  readonly refundOf: string | null;
}

/** Which withdrawals a list holds. */
export interface WithdrawalFilter {
  readonly env: Env;
  readonly merchantId: number | null;
  readonly status: WithdrawalStatus | null;
}

/** Withdrawals of one network that one node is asked about. */
export interface WithdrawalQueue {
  readonly env: Env;
  readonly network: NetworkCode;
}
