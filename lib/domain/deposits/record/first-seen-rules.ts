import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { firstSeenTime } from "../rules.ts";
import type { TransferObservation } from "../types.ts";

/** The payment of a recorded transaction to one address in one token. */
export interface RecordedPayment {
  readonly txHash: string;
  readonly addressId: number;
  readonly token: TokenCode;
  /** Ledger units of all its outputs to the address together. */
  readonly amount: bigint;
  /** When all of them had been seen. */
  readonly seenAt: Date;
}

/** When the amount of a deposit was first seen at its address. */
export interface FirstSeen {
  /** When the whole amount was. */
  readonly firstSeenAt: Date;
  /** Ledger units that were seen before the rest, less than the amount. 0n: none. */
  readonly earlyAmount: bigint;
  readonly earlySeenAt: Date | null;
}

const paymentKey = ({ addressId, token }: Pick<RecordedPayment, "addressId" | "token">) =>
  `${addressId} ${token}`;

/**
 * Decides when the amount of each observation was first seen. `recorded` are the payments of other transactions that spend
 * the same outpoints, `spends` all outpoints of each of them, by transaction hash.
 *
 * A transaction inherits from one that it replaces, at the same address and token, and up to the amount that this one paid
 * there: the rest is first seen now. It must spend every outpoint of the one that it replaces. So no two transactions that
 * can both be mined inherit from the same one. It inherits once, from the one that paid the most of its amount.
 */
export function decideFirstSeen(
  observations: readonly TransferObservation[],
  recorded: readonly RecordedPayment[],
  spends: ReadonlyMap<string, readonly string[]>,
  now: Date,
): ReadonlyMap<TransferObservation, FirstSeen> {
  const byAddress = Map.groupBy(recorded, paymentKey);
  const replacedBy = new Map<string, ReadonlySet<string>>();
  for (const one of observations) {
    if (!replacedBy.has(one.txHash)) replacedBy.set(one.txHash, findReplaced(one, spends));
  }
  const decided = new Map<TransferObservation, FirstSeen>();
  for (const outputs of Map.groupBy(observations, (one) => `${one.txHash} ${paymentKey(one)}`).values()) {
    const [first] = outputs;
    if (!first) continue;
    const replaced = (byAddress.get(paymentKey(first)) ?? []).filter(({ txHash }) =>
      replacedBy.get(first.txHash)?.has(txHash),
    );
    const amount = outputs.reduce((sum, output) => sum + output.amount, 0n);
    for (const [output, firstSeen] of inherit(outputs, findBest(replaced, amount), now))
      decided.set(output, firstSeen);
  }
  return decided;
}

/** The hashes of the transactions whose outpoints are all spent by this one too. */
function findReplaced(
  observation: TransferObservation,
  spends: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const own = new Set(observation.spends);
  const replaced = [...spends].filter(
    ([txHash, outpoints]) =>
      txHash !== observation.txHash && outpoints.length > 0 && outpoints.every((one) => own.has(one)),
  );
  return new Set(replaced.map(([txHash]) => txHash));
}

/** The payment that covers the most of `amount`; of several the earliest. */
function findBest(replaced: readonly RecordedPayment[], amount: bigint): RecordedPayment | null {
  const covered = (payment: RecordedPayment) => (payment.amount < amount ? payment.amount : amount);
  return replaced.reduce<RecordedPayment | null>((best, one) => {
    if (best === null || covered(one) > covered(best)) return one;
    return covered(one) === covered(best) && one.seenAt < best.seenAt ? one : best;
  }, null);
}

/** Distributes what was paid before over the outputs of one transaction to one address, by position. */
function inherit(outputs: readonly TransferObservation[], best: RecordedPayment | null, now: Date) {
  let left = best?.amount ?? 0n;
  return outputs
    .toSorted((a, b) => a.position - b.position)
    .map((output): [TransferObservation, FirstSeen] => {
      const own = firstSeenTime(now, output.block);
      const taken = left < output.amount ? left : output.amount;
      if (best === null || taken === 0n || best.seenAt >= own)
        return [output, { firstSeenAt: own, earlyAmount: 0n, earlySeenAt: null }];
      left -= taken;
      return taken === output.amount
        ? [output, { firstSeenAt: best.seenAt, earlyAmount: 0n, earlySeenAt: null }]
        : [output, { firstSeenAt: own, earlyAmount: taken, earlySeenAt: best.seenAt }];
    });
}
