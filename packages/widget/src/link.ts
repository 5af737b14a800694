const REFID = /\/([1-9A-HJ-NP-Za-km-z]{22})\/?$/;

export interface LinkOptions {
  /** BCP 47, such as `fr`. By default the page uses the language of the visitor's browser. */
  locale?: string | undefined;
  /** By default the page uses the theme of the visitor's system. */
  theme?: "light" | "dark" | "auto" | undefined;
}

/** A payment link, or a form that will create one, with the addresses that the widget needs. */
export interface WidgetLink {
  /** The form's identifier if it is a form. */
  refid: string;
  isForm: boolean;
  /** Exact origin of the payment page, and so of the frame. */
  origin: string;
  /** URL of the page in a window of its own. */
  url: string;
  /** URL of the page in a frame within a page of origin `parent`. */
  frameUrl: string;
}

/**
 * Parses a `payment_link`, a `form_url`, or the bare refid of a link on the host `home`. Throws a TypeError for anything else, because
 * showing a wrong payment page is worse than showing none.
 */
export function readLink(
  refidOrUrl: string,
  home: string,
  parent: string,
  { locale, theme }: LinkOptions = {},
): WidgetLink {
  const url = new URL(/^\w+$/.test(refidOrUrl) ? `/pay/${refidOrUrl}` : refidOrUrl, home);
  const refid = REFID.exec(url.pathname)?.[1];
  if (!refid || !/^https?:$/.test(url.protocol)) throw new TypeError(`not a payment link: ${refidOrUrl}`);
  const { origin, searchParams } = url;
  if (locale) searchParams.set("lang", locale);
  if (theme) searchParams.set("theme", theme);
  const page = url.href;
  searchParams.set("parent", parent);
  return { refid, isForm: /^\/buy\//.test(url.pathname), origin, url: page, frameUrl: url.href };
}
