import { rememberLast } from "#lib/platform/remember.ts";

/**
 * Formatters of each kind that are kept. Locales and digits are the program's own, and there is a fixed number of currencies and time zones.
 * Merchants choose among these: all combinations together are thousands.
 */
const KEPT = 300;

/** Making a formatter takes far longer than its use. They are kept by locale and options, and several callers share one. */
function keep<Options, Format>(make: (locale: string, options: Options) => Format) {
  const kept = rememberLast(KEPT, (key) => make(...(JSON.parse(key) as [string, Options])));
  return (locale: string, options: Options): Format => kept(JSON.stringify([locale, options]));
}

/** `new Intl.NumberFormat`, kept. */
export const numberFormat = keep(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

/** `new Intl.DateTimeFormat`, kept. */
export const dateFormat = keep(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** `new Intl.RelativeTimeFormat`, kept. */
export const relativeFormat = keep(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
);

/** `new Intl.ListFormat`, kept. */
export const listFormat = keep(
  (locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options),
);
