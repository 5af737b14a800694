import { sumWaiting } from "../pay-from-account.ts";
import type { JournalEntry } from "../types.ts";
import type { Reserved } from "./fee-rules.ts";
import { readSigned } from "./transaction.ts";

const TRX = { token: "trx", decimals: 6 } as const;

/** Adds up the resources that the waiting transactions of the hot account can still use. */
export function reserve(waiting: readonly JournalEntry[], sender: string, energyPrice: bigint): Reserved {
  const own = waiting.filter(({ payouts, moves }) => {
    const isFromDeposit = payouts.length === 0 && moves.some(({ from }) => from !== sender);
    return !isFromDeposit;
  });
  const signed = own.map(({ raw }) => readSigned(raw));
  return {
    coin: sumWaiting(waiting, sender, TRX),
    bandwidth: signed.reduce((sum, { bandwidth }) => sum + bandwidth, 0n),
    energy: signed.reduce((sum, { feeLimit }) => sum + feeLimit / energyPrice, 0n),
  };
}
