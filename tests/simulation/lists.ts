/** Returns the entries that the first list has more often than the second. */
export function subtract(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(one, (left.get(one) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}
