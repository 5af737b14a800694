const DAY_MS = 86_400_000;
const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Formatters cost more to make than to use. There are as many as time zones. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const kept = FORMATS.get(zone);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  FORMATS.set(zone, made);
  return made;
}

/** Node lists these by former names. */
const RENAMED: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Godthab": "America/Nuuk",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
};

/** The IANA name of the time zone that a text names, as listTimeZones has it: one spelling each. Null: it names no time zone. */
export function findTimeZone(text: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(text)) return null;
  try {
    const zone = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
    return RENAMED[zone] ?? zone;
  } catch {
    return null;
  }
}

/** The time zones that people choose from, UTC first. */
export function listTimeZones(): readonly string[] {
  const zones = Intl.supportedValuesOf("timeZone").map((zone) => RENAMED[zone] ?? zone);
  return ["UTC", ...[...new Set(zones)].filter((zone) => zone !== "UTC").sort()];
}

/** The clock of a zone at an instant, as if it were in UTC. Whole seconds. */
function wallClock(at: Date, zone: string): Date {
  const parts = formatOf(zone).formatToParts(at);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? "00";
  const [day, time] = [["year", "month", "day"].map(read), ["hour", "minute", "second"].map(read)];
  return new Date(`${day.join("-")}T${time.join(":")}Z`);
}

/** The day of an instant in a time zone, "2026-11-24". */
export function dayIn(zone: string, at: Date): string {
  return wallClock(at, zone).toISOString().slice(0, 10);
}

/** The time of day of an instant in a time zone, "14:15". */
export function timeOfDay(zone: string, at: Date): string {
  return wallClock(at, zone).toISOString().slice(11, 16);
}

/** The day after a day. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** The first instant of a day in a time zone, also if its clocks change at midnight. */
export function startOfDay(zone: string, day: string): Date {
  const midnight = Date.parse(day);
  // The clock is the same distance from UTC before and after midnight, or one of the two holds then.
  const [before, after] = [midnight - DAY_MS, midnight + DAY_MS].map((near) => {
    const distance = wallClock(new Date(near), zone).getTime() - near;
    return new Date(midnight - distance);
  }) as [Date, Date];
  const earliest = before < after ? [before, after] : [after, before];
  return earliest.find((at) => dayIn(zone, at) === day) ?? after;
}
