import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { isEnded, type SignedBefore } from "./entry-rules.ts";
import type { JournalEntry } from "./types.ts";

/** After this time, and three blocks, without a block, the fee is raised if the network asks for more. */
const STUCK_MS = 180_000;

/** The database's knowledge about a signed transaction. */
export interface Stored {
  /** Its bytes. Null if the database lacks it. */
  readonly raw: string | null;
  /** The withdrawals that it pays, as far as the database has them. */
  readonly rows: readonly WithdrawalRow[];
}

/**
 * An action for a signed transaction in no block. cancel: what it spends is used for nothing instead. store: stores it alone.
 * store_payment: stores it with its withdrawals; if one of them is not what was signed, no action follows. raise: signs it again if the
 * network asks for a higher fee. broadcast: sends it, or what replaced it.
 */
export type SendAction =
  | { readonly kind: "alarm"; readonly reason: "transaction_missing" | "transaction_changed" }
  | { readonly kind: "cancel"; readonly ended: readonly WithdrawalRow[] }
  | { readonly kind: "store" | "store_payment" | "raise" | "broadcast" };

/** Decides what is done with a signed transaction in no block, in this order. */
export function decideSending(
  journal: SignedBefore,
  entry: JournalEntry,
  { raw, rows }: Stored,
  { now, blockSeconds }: { readonly now: Date; readonly blockSeconds: number },
): readonly SendAction[] {
  const alarms = findAlarm(entry, raw);
  const isPayout = entry.kind === "payout";
  const ended = isPayout ? rows.filter((row) => isEnded(journal, entry, row)) : [];
  if (ended.length > 0) return [...alarms, { kind: "cancel", ended }];
  if (isPayout && !rows.every((row) => isStored(entry, row)))
    return [...alarms, { kind: "store_payment" }, { kind: "broadcast" }];
  const stores = !isPayout || raw === null ? [{ kind: "store" } as const] : [];
  const raises = mayRaise(entry, rows, { now, blockSeconds }) ? [{ kind: "raise" } as const] : [];
  return [...alarms, ...stores, ...raises, { kind: "broadcast" }];
}

/** Returns whether a withdrawal has the transaction. */
export const isStored = ({ hash }: JournalEntry, { transactions }: WithdrawalRow): boolean =>
  transactions.some((one) => one.hash === hash);

function findAlarm(entry: JournalEntry, raw: string | null): readonly SendAction[] {
  if (raw === entry.raw) return [];
  return [{ kind: "alarm", reason: raw === null ? "transaction_missing" : "transaction_changed" }];
}

/** Returns whether a transaction waits for long, and all its withdrawals still wait for it. */
function mayRaise(
  { kind, at, payouts }: JournalEntry,
  rows: readonly WithdrawalRow[],
  { now, blockSeconds }: { readonly now: Date; readonly blockSeconds: number },
): boolean {
  const isStuck = now.getTime() - at.getTime() >= Math.max(STUCK_MS, 3_000 * blockSeconds);
  const isWhole = rows.length >= (kind === "payout" ? payouts.length : 0);
  return isStuck && isWhole && rows.every(({ status }) => status === "processing");
}
