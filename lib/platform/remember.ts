/** Returns `make` with the results for the last `limit` new keys kept. An error is not kept. */
export function rememberLast<Value>(limit: number, make: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    kept.set(key, value);
    const [oldest] = kept.size > limit ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return value;
  };
}
