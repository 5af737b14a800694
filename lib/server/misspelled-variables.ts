import { type EnvironmentVariables, VARIABLE_NAMES } from "./config.ts";
import { NETWORK_VARIABLE_NAMES } from "./network-config.ts";

/** A short name is like many others: it must be closer. */
const SHORT = 6;

/**
 * Variables that have no effect, but whose names are almost those of variables that have, with the names that were probably meant.
 * Without a message, nobody would notice that a setting is not used.
 */
export function findMisspelled(env: EnvironmentVariables): readonly string[] {
  const known = [...VARIABLE_NAMES, ...NETWORK_VARIABLE_NAMES];
  const isKnown = new Set(known);
  return Object.keys(env).flatMap((name) => {
    if (isKnown.has(name) || !/^[A-Za-z][A-Za-z0-9_]{2,60}$/.test(name)) return [];
    const nearest = known.find((one) => distance(name.toUpperCase(), one) <= (one.length < SHORT ? 1 : 2));
    return nearest === undefined ? [] : [`${name} (${nearest}?)`];
  });
}

/** Changed, added and missing characters, and neighbors that are swapped. More than 2 may be any larger number. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (r: number, c: number) => rows[r]?.[c] ?? 3;
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          (row[j - 1] ?? 3) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 3;
}
