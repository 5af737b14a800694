import { nameNumbers } from "#lib/platform/db/named-numbers.ts";
import { DEPOSIT_STATUS_NUMBERS } from "./types.ts";

/** Statuses of deposits in the database and in the API's fields (docs/service-interface.md). */
export const {
  names: DEPOSIT_STATUSES,
  toNumber: toDepositNumber,
  fromNumber: fromDepositNumber,
  literal: depositLiteral,
  literals: depositLiterals,
  column: depositStatus,
} = nameNumbers(DEPOSIT_STATUS_NUMBERS, "the status of a deposit");
