import { nameNumbers } from "#lib/platform/db/named-numbers.ts";

const NUMBERS = { pending: 0, processing: 1, failed: 2, completed: 3, refund_queued: 5 } as const;

/** Statuses of withdrawals in the database and in the API's fields (docs/service-interface.md). */
export const {
  names: WITHDRAWAL_STATUSES,
  toNumber: toStatusNumber,
  fromNumber: fromStatusNumber,
  literal: statusLiteral,
  literals: statusLiterals,
  column: withdrawalStatus,
} = nameNumbers(NUMBERS, "the status of a withdrawal");

export const WITHDRAWAL_STATUS_NUMBERS = [
  NUMBERS.pending,
  NUMBERS.processing,
  NUMBERS.failed,
  NUMBERS.completed,
  NUMBERS.refund_queued,
] as const;

/** Statuses of withdrawals that have not ended. */
export const OPEN_STATUSES = ["pending", "processing", "refund_queued"] as const;
