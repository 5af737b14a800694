/** What lies below the payment address: a link and what may follow it, a merchant's colour, a merchant's logo. */
const BELOW = /^\/(?:[1-9A-HJ-NP-Za-km-z]{22}(?:\/|\?|$)|face\/[0-9a-f-]+\.css$|logo\/[0-9a-f]+\.webp$)/;
/** The page itself, not what it fetches below it. */
const PAGE_PATH = /^\/pay\/([^/?]+)\/?(?:\?|$)/;
/** Below these inner paths Next has something to answer with; /bare is in the benches' build alone. */
const PAGES = /^\/(?:pay\/|_next\/static\/|(?:icon\.svg|apple-icon\.png|checkout[\w.-]*\.js|bare)(?:\?|$))/;
/** Where no page is: Next answers it with the page that says so. */
export const NOT_FOUND_PATH = "/nowhere";

/**
 * The page lives at /pay/<refid> inside the program; PAYMENT_URL says where the world sees it, a host's root included.
 * Answers the function that turns an incoming path into the inner one. The inner one is answered too: the widget
 * knows the host its script came from, and no more.
 */
export function pagePathMapper(paymentUrl: string): (path: string) => string {
  const base = new URL(paymentUrl).pathname.replace(/\/$/, "");
  if (base === "/pay") return (path) => path;
  return (path) => {
    if (!path.startsWith(`${base}/`)) return path;
    const rest = path.slice(base.length);
    return BELOW.test(rest) ? `/pay${rest}` : path;
  };
}

/** The refid in the inner path of a link's page, however it is written; null on any other path. */
export function parsePageRefid(path: string): string | null {
  return PAGE_PATH.exec(path)?.[1] ?? null;
}

/** Is there anything at this inner path? Next's own doors (its image optimiser, its error pages) are not opened. */
export function hasPage(path: string): boolean {
  return PAGES.test(path);
}
