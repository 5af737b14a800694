/** "2026-11" as its first and the next month's first instant in UTC. null for any other text. */
export function readMonth(text: unknown): { readonly from: Date; readonly to: Date } | null {
  const match = typeof text === "string" ? /^(20[0-9]{2})-(0[1-9]|1[0-2])$/.exec(text) : null;
  if (match === null) return null;
  const [year, month] = [Number(match[1]), Number(match[2])];
  return { from: new Date(Date.UTC(year, month - 1, 1)), to: new Date(Date.UTC(year, month, 1)) };
}
