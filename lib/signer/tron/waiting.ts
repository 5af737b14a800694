import type { TronSending } from "#lib/chains/tron/sending.ts";
import { toChainUnits } from "#lib/chains/units.ts";
import type { JournalEntry } from "../types.ts";
import type { Reserved } from "./fee-rules.ts";
import { readSigned } from "./transaction.ts";

/** The account that pays, canonical. */
export interface HotAccount {
  readonly sending: TronSending;
  readonly sender: string;
}

/** What waiting transactions move away of a contract's token, in its unit on the chain. null: of the coin. */
export function sumWaiting(
  waiting: readonly JournalEntry[],
  contract: string | null,
  hot: HotAccount,
): bigint {
  return waiting
    .flatMap(({ payouts, moves }) => [...payouts, ...moves.filter(({ from }) => from === hot.sender)])
    .filter(({ token }) => hot.sending.findToken(token)?.contract === contract)
    .reduce((sum, { token, amount }) => {
      const { decimals = 0 } = hot.sending.findToken(token) ?? {};
      return sum + toChainUnits(amount, { token, decimals });
    }, 0n);
}

/** What the waiting transactions of the hot account can still use. */
export function reserve(waiting: readonly JournalEntry[], hot: HotAccount, energyPrice: bigint): Reserved {
  const own = waiting.filter(({ payouts, moves }) => {
    const isFromDeposit = payouts.length === 0 && moves.some(({ from }) => from !== hot.sender);
    return !isFromDeposit;
  });
  const signed = own.map(({ raw }) => readSigned(raw));
  return {
    coin: sumWaiting(waiting, null, hot),
    bandwidth: signed.reduce((sum, { bandwidth }) => sum + bandwidth, 0n),
    energy: signed.reduce((sum, { feeLimit }) => sum + feeLimit / energyPrice, 0n),
  };
}
