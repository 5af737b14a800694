import type { WithdrawalLimits } from "../types.ts";

/** A new entry of an address book can be used after this time: its owner has a day to see what a thief has added. */
export const BOOK_WAIT_MS = 86_400_000;

export type LimitRefusal = "above_transfer_limit" | "above_day_limit";
export type BookRefusal = "destination_not_in_book" | "destination_too_new";

/**
 * Why a merchant's own limits do not let it ask for this much; null: they do. `recent`: what it asked for in the token within the 24 hours
 * before, without what failed. All in ledger units.
 */
export function limitRefusal(
  { perTransfer, perDay }: WithdrawalLimits,
  { amount, recent }: { readonly amount: bigint; readonly recent: bigint },
): LimitRefusal | null {
  if (perTransfer !== null && amount > perTransfer) return "above_transfer_limit";
  return perDay !== null && recent + amount > perDay ? "above_day_limit" : null;
}

/** Why an address book does not let money go to an address; null: it does. `addedAt` null: the book does not have it. */
export function bookRefusal(addedAt: Date | null, now: Date): BookRefusal | null {
  if (addedAt === null) return "destination_not_in_book";
  return now.getTime() - addedAt.getTime() < BOOK_WAIT_MS ? "destination_too_new" : null;
}

/** Whether new limits allow something that the old ones do not. */
export function loosensLimits(old: WithdrawalLimits, given: WithdrawalLimits): boolean {
  const isLooser = (before: bigint | null, after: bigint | null) =>
    before !== null && (after === null || after > before);
  return isLooser(old.perTransfer, given.perTransfer) || isLooser(old.perDay, given.perDay);
}
