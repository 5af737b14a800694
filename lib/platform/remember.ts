/** Secrets that are no longer used leave the memory after this time. */
const LONGEST_MS = 3_600_000;

/**
 * Returns `make` with the results for the last `limit` new keys kept. An error is not kept. The first call an hour after the oldest result
 * was made forgets all of them. `now` is in milliseconds.
 */
export function rememberLast<Value>(
  limit: number,
  make: (key: string) => Value,
  now: () => number = () => performance.now(),
): (key: string) => Value {
  const kept = new Map<string, Value>();
  let oldestAt = now();
  return (key) => {
    if (kept.size > 0 && now() - oldestAt >= LONGEST_MS) kept.clear();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (kept.size === 0) oldestAt = now();
    kept.set(key, value);
    const [oldest] = kept.size > limit ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return value;
  };
}
