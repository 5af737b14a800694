/**
 * How far two groups of times are apart: the z value of the Mann-Whitney U test, which asks only for the order of all times, so that
 * single slow answers do not count. Near 0: no difference that can be seen. Beyond ±4: less than 1 in 10,000 by chance.
 */
export function rankDifference(one: readonly number[], other: readonly number[]): number {
  const wins = one.reduce(
    (sum, a) => sum + other.reduce((of, b) => of + (a > b ? 1 : a === b ? 0.5 : 0), 0),
    0,
  );
  const [n, m] = [one.length, other.length];
  return (wins - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}
