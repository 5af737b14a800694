import { sumPayments } from "#lib/domain/withdrawals/observe/outcome-rules.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { InFlight, KnownDeposit, KnownOutgoing, KnownWithdrawal, ObservedPayment } from "./types.ts";

/** The height at which an address was read. */
export type HeightOf = (address: string | null) => number;

/** A deposit that only one side has: it is in a block and not credited, or credited and in a later block than the one that was read. */
export function depositInFlight(deposit: KnownDeposit, heightOf: HeightOf): InFlight | null {
  const { token, amount, txHash, address, blockHeight, isCredited } = deposit;
  const isOnChain = blockHeight <= heightOf(address);
  if (isOnChain === isCredited) return null;
  const shared = { token, txHash, subject: address };
  return isOnChain
    ? { ...shared, reason: "deposit_not_credited", amount }
    : { ...shared, reason: "read_before", amount: -amount };
}

/** Lists the payments of a withdrawal that its transactions in blocks show and its completion does not, or the other way round. */
export function withdrawalsInFlight(
  withdrawal: KnownWithdrawal,
  payments: readonly ObservedPayment[],
  height: number,
): InFlight[] {
  const { token, toAddress, amount, isCompleted, refid: subject } = withdrawal;
  if (isCompleted) {
    const late = payments.filter((one) => one.hash === withdrawal.txHash && one.blockHeight > height);
    return late.map(({ hash }) => ({ reason: "read_before", token, amount, txHash: hash, subject }));
  }
  return payments.flatMap(({ hash, blockHeight, paid }): InFlight[] => {
    const sum = blockHeight <= height ? sumPayments({ token, toAddress }, paid) : 0n;
    if (sum === 0n) return [];
    return [{ reason: "withdrawal_not_completed", token, amount: -sum, txHash: hash, subject }];
  });
}

/** The fee of a transaction of the signer that only one side has. */
export function feeInFlight(outgoing: KnownOutgoing, coin: TokenCode, height: number): InFlight | null {
  const { hash: txHash, fee, blockHeight, isBooked } = outgoing;
  const isOnChain = blockHeight !== null && blockHeight <= height;
  if (fee === null || fee === 0n || isOnChain === isBooked) return null;
  const shared = { token: coin, txHash, subject: null };
  return isOnChain
    ? { ...shared, reason: "fee_not_booked", amount: -fee }
    : { ...shared, reason: "read_before", amount: fee };
}

/** Lists the moves of a transaction between two addresses of which only one was read after its block. */
export function movesInFlight(
  { hash: txHash, blockHeight, moves }: KnownOutgoing,
  heightOf: HeightOf,
): InFlight[] {
  if (blockHeight === null) return [];
  return moves.flatMap(({ token, amount, from, to }): InFlight[] => {
    const [left, arrived] = [blockHeight <= heightOf(from), blockHeight <= heightOf(to)];
    if (left === arrived) return [];
    return [{ reason: "moved_while_read", token, amount: arrived ? amount : -amount, txHash, subject: from }];
  });
}

/** Computes the excess of the chain over custody and the money in flight, in ledger units. */
export function proofDifference(onChain: bigint, custody: bigint, inFlight: readonly InFlight[]): bigint {
  return onChain - custody - inFlight.reduce((sum, { amount }) => sum + amount, 0n);
}
