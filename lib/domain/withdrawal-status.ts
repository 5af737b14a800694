import { type SQL, sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";

/** The statuses of a withdrawal, with their numbers in the database and in the API's fields (docs/service-interface.md). */
const NUMBERS = { pending: 0, processing: 1, failed: 2, completed: 3, refund_queued: 5 } as const;

type WithdrawalStatus = keyof typeof NUMBERS;
export const WITHDRAWAL_STATUSES = Object.keys(NUMBERS) as readonly WithdrawalStatus[];
export const WITHDRAWAL_STATUS_NUMBERS = [
  NUMBERS.pending,
  NUMBERS.processing,
  NUMBERS.failed,
  NUMBERS.completed,
  NUMBERS.refund_queued,
] as const;

/** Statuses of withdrawals that have not ended. */
export const OPEN_STATUSES = ["pending", "processing", "refund_queued"] as const;

/** The number of a status in the API's fields. */
export const toStatusNumber = (status: WithdrawalStatus): (typeof NUMBERS)[WithdrawalStatus] =>
  NUMBERS[status];

/** The status with a number. Throws for any other number. */
export function fromStatusNumber(number: number): WithdrawalStatus {
  const status = WITHDRAWAL_STATUSES.find((one) => NUMBERS[one] === number);
  if (status === undefined) throw new Error(`${number} is not the status of a withdrawal`);
  return status;
}

/** A status as a literal of SQL. Partial indexes need literals: their conditions are compared as texts. */
export const statusLiteral = (status: WithdrawalStatus): SQL => sql.raw(String(NUMBERS[status]));

/** Statuses as a list of literals: "(0, 1, 5)". */
export const statusLiterals = (statuses: readonly WithdrawalStatus[]): SQL =>
  sql.raw(`(${statuses.map((status) => NUMBERS[status]).join(", ")})`);

/** A column whose numbers are statuses. */
export const withdrawalStatus = customType<{ data: WithdrawalStatus; driverData: number }>({
  dataType: () => "integer",
  toDriver: toStatusNumber,
  fromDriver: fromStatusNumber,
});
