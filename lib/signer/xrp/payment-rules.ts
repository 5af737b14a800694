import type { XrpSendState } from "#lib/chains/xrp/types.ts";
import type { HoldReason, JournalEntry } from "../types.ts";

/** Ledgers, of about four seconds, in which a transaction can be. After them it is signed again, for the fee of then. */
const LIFE = 20;

/** A payment of XRP, before it is signed. */
export interface XrpPayment {
  /** Classic address. */
  readonly destination: string;
  readonly tag: number | null;
  readonly drops: bigint;
}

/** Returns the sequence that only one transaction of the account can use, in the form of TransactionPayments.spends. */
export const spendOf = (account: string, sequence: number): string => `${account}:${sequence}`;

export const sequenceOf = ({ spends }: Pick<JournalEntry, "spends">): number =>
  Number(spends[0]?.split(":")[1]);

/** The last ledger that may contain a transaction that is signed now. */
export const lastLedger = (ledger: number): number => ledger + LIFE;

/** The lowest sequence that no ledger has used and no own transaction of `own` can use. */
export function nextSequence(sequence: number, own: readonly Pick<JournalEntry, "spends">[]): number {
  const used = new Set(own.map(sequenceOf));
  let next = sequence;
  while (used.has(next)) next += 1;
  return next;
}

/** Why the ledger or the account would not let a payment through now. `waiting`: drops that waiting transactions will use. */
export function findHold(
  { destination, balance, reserve, baseReserve, fee }: XrpSendState,
  payment: XrpPayment,
  { waiting, maxFee }: { readonly waiting: bigint; readonly maxFee: bigint },
): HoldReason | null {
  if (destination === null && payment.drops < baseReserve) return "below_minimum";
  if (destination?.refuses || (destination?.requiresTag && payment.tag === null)) return "would_fail";
  if (fee > maxFee) return "network_fee_too_high";
  return balance < payment.drops + fee + waiting + reserve ? "hot_balance_too_low" : null;
}

/**
 * The fee of a transaction that replaces another: a quarter more, or what the ledger asks for now (xrpl.org, Transaction Queue). Null if
 * that is more than the cap.
 */
export function replacementFee(former: bigint, asked: bigint, cap: bigint): bigint | null {
  const least = (former * 5n + 3n) / 4n;
  const fee = asked > least ? asked : least;
  return fee > cap ? null : fee;
}
