/** A link's address below the payment address, and what may follow it. */
const LINK_PATH = /^\/[1-9A-HJ-NP-Za-km-z]{22}(?:\/|\?|$)/;
/** The page itself, not what it fetches below it. */
const PAGE_PATH = /^\/pay\/([1-9A-HJ-NP-Za-km-z]{22})\/?(?:\?|$)/;

/**
 * The page lives at /pay/<refid> inside the program; PAYMENT_URL says where the world sees it, a host's root included.
 * Answers the function that turns an incoming path into the inner one. The inner one is answered too: the widget
 * knows the host its script came from, and no more.
 */
export function pageRoute(paymentUrl: string): (path: string) => string {
  const base = new URL(paymentUrl).pathname.replace(/\/$/, "");
  if (base === "/pay") return (path) => path;
  return (path) => {
    if (!path.startsWith(`${base}/`)) return path;
    const rest = path.slice(base.length);
    return LINK_PATH.test(rest) ? `/pay${rest}` : path;
  };
}

/** The link whose page an inner path is, or null. */
export function linkOfPage(path: string): string | null {
  return PAGE_PATH.exec(path)?.[1] ?? null;
}
