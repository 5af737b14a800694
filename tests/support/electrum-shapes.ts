/** A call to a recorded Electrum server, and its answer. */
export interface Recorded {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: { readonly result?: unknown; readonly error?: { readonly code: number } };
}

/** The types of a value, and the form of its texts. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === "string")
    return /^[0-9a-f]{64}$/.test(value) ? "hash" : /^[0-9a-f]*$/.test(value) ? "hex" : "text";
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  // The fee of a waiting transaction is not read.
  const fields = Object.entries(value).filter(([name]) => name !== "fee");
  return Object.fromEntries(fields.toSorted().map(([name, one]) => [name, shapeOf(one)]));
}
