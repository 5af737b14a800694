/** A transaction, by what it spends. */
interface Spending {
  readonly hash: string;
  readonly spends: readonly string[];
}

/**
 * The transactions that no block can ever contain, of those that are not settled: another one that is final spends what they spend, or they
 * spend an output of one that is dead. Only final transactions count, so that no reorganization can undo it.
 */
export function findDead<T extends Spending>(open: readonly T[], final: readonly T[]): readonly T[] {
  const dead: T[] = [];
  const spent = new Map(final.flatMap(({ hash, spends }) => spends.map((one) => [one, hash] as const)));
  // In the order in which they were signed: what spends an output comes after it.
  for (const one of open) {
    if (final.includes(one)) continue;
    const isExcluded = one.spends.some((outpoint) => spent.has(outpoint));
    const spendsDead = dead.some(({ hash }) =>
      one.spends.some((outpoint) => outpoint.startsWith(`${hash}:`)),
    );
    if (isExcluded || spendsDead) dead.push(one);
  }
  return dead;
}
