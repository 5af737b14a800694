/** A moment to the second in UTC, its zone named: what a receipt needs that is read anywhere. */
export function timestampText(moment: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "long",
    timeZone: "UTC",
  }).format(moment);
}

/** "3 minutes ago"; null for less than a minute. Worded on the server: browsers lack some of our languages. */
export function ageText(seconds: number, locale: string): string | null {
  const format = new Intl.RelativeTimeFormat(locale);
  if (seconds < 60) return null;
  if (seconds < 3_600) return format.format(-Math.floor(seconds / 60), "minute");
  return format.format(-Math.floor(seconds / 3_600), "hour");
}
