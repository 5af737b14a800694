/** "2026-11-24" if it is a day of the calendar. null for any other text. */
export function readDay(text: unknown): string | null {
  if (typeof text !== "string" || !/^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : null;
}
