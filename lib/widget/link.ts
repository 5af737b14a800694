const REFID = /\/([1-9A-HJ-NP-Za-km-z]{22})\/?$/;

export interface LinkOptions {
  /** BCP 47, e.g. `fr`; by default the page follows the visitor's browser. */
  locale?: string | undefined;
  /** By default the page follows the visitor's system. */
  theme?: "light" | "dark" | "auto" | undefined;
}

/** One payment link, as the script needs it. */
export interface WidgetLink {
  refid: string;
  /** Where the page lives: exact origin of the frame. */
  origin: string;
  /** For the customer's window. */
  url: string;
  /** For a frame in a page of origin `parent`. */
  frameUrl: string;
}

/**
 * Reads a `payment_link`, or the bare refid of one on the host `home`. Throws a TypeError on anything else: a payment
 * page that nobody meant is worse than none.
 */
export function readLink(
  refidOrUrl: string,
  home: string,
  parent: string,
  { locale, theme }: LinkOptions = {},
): WidgetLink {
  const url = new URL(/^\w+$/.test(refidOrUrl) ? `/pay/${refidOrUrl}` : refidOrUrl, home);
  const refid = REFID.exec(url.pathname)?.[1];
  if (!refid || !/^https?:$/.test(url.protocol)) throw new TypeError(`no payment link: ${refidOrUrl}`);
  if (locale) url.searchParams.set("lang", locale);
  if (theme) url.searchParams.set("theme", theme);
  const page = url.href;
  url.searchParams.set("parent", parent);
  return { refid, origin: url.origin, url: page, frameUrl: url.href };
}
