import { findWebOrigin } from "#lib/domain/payment-links/framing-rules.ts";
import { REFID_PATTERN } from "#lib/domain/payment-links/refid.ts";

/** Paths below the payment address: a link's page, a merchant's accent color, a merchant's logo. */
const PUBLIC_PATH = new RegExp(
  `^/(?:${REFID_PATTERN}(?:/|\\?|$)|accent/[0-9a-f-]+\\.css$|logo/[0-9a-f]+\\.webp$)`,
);
/** The page itself, without the paths below it. */
const PAGE_PATH = /^\/pay\/([^/?]+)\/?(?:\?|$)/;
/** The notice of a link's page that a wallet has sent the payment. Only for POST. */
const SENT_PATH = /^\/pay\/([^/?]+)\/sent\/?(?:\?|$)/;
/** The page of a form. */
const FORM_PATH = /^\/buy\/([^/?]+)\/?(?:\?|$)/;
/** The point of sale of a form. */
const POS_PATH = /^\/pos\/([^/?]+)\/?(?:\?|$)/;
/** The page of a refund claim, and the version below it. */
const CLAIM_PATH = /^\/refund\/([^/?]+)(\/version)?\/?(?:\?|$)/;
/** The pages of the console, which check themselves who may see them. */
const CONSOLE_PATH = new RegExp(
  "^/console(?:/(?:sign-in|confirm|account|authorize|invoice/[0-9A-Za-z]{1,64}|join/[\\w-]{43}" +
    "|(?:operator|m/[0-9a-f-]{36}/(?:live|test))(?:/\\w[\\w.-]{0,79}){0,3}))?/?(?:\\?|$)",
);
/** Paths that pages of the console need besides their own: scripts, styles, pictures of merchants, and versions of links. */
const SHARED = [
  "^/pay/[^/?]+/version/?(?:\\?|$)",
  "^/pay/(?:accent|logo)/[^/?]+$",
  "^/buy/picture/[^/?]+$",
  "^/_next/static/",
  "^/(?:icon\\.svg|apple-icon\\.png)(?:\\?|$)",
];
/** Inner paths that Next may answer, besides its public files. */
const PAGES = new RegExp(
  [
    ...SHARED,
    "^/pay/[^/?]+(?:/preview\\.png|/receipt)?/?(?:\\?|$)",
    "^/(?:buy|pos)/[^/?]+/?(?:\\?|$)",
    "^/(?:(?:receipt|status)/?)?(?:\\?|$)",
    SENT_PATH.source,
    CLAIM_PATH.source,
    CONSOLE_PATH.source,
    "^/\\.well-known/paylink-receipts\\.json$",
  ].join("|"),
);
const CONSOLE_ALONE = new RegExp([...SHARED, CONSOLE_PATH.source].join("|"));
/** Next answers this path with its not-found page. */
export const NOT_FOUND_PATH = "/nowhere";
/** The page that says what this host is. */
export const HOME_PATH = "/";
/** The page with the state of each network. */
export const STATUS_PATH = "/status";

/**
 * Returns a function that maps a public path to the inner path. The inner path of a page is /pay/<refid>. PAYMENT_URL
 * is its public address, which may be the root of a host. Inner paths are also accepted, because the widget only
 * knows the host of its script.
 */
export function pagePathMapper(paymentUrl: string): (path: string) => string {
  const base = new URL(paymentUrl).pathname.replace(/\/$/, "");
  if (base === "/pay") return (path) => path;
  return (path) => {
    if (!path.startsWith(`${base}/`)) return path;
    const rest = path.slice(base.length);
    return PUBLIC_PATH.test(rest) ? `/pay${rest}` : path;
  };
}

/** The text in place of the refid in the inner path of a link's page, also if malformed. null on any other path. */
export function parsePageRefid(path: string): string | null {
  return PAGE_PATH.exec(path)?.[1] ?? null;
}

/** The same for the path below it that receives the notice of a wallet's payment. */
export function parseSentRefid(path: string): string | null {
  return SENT_PATH.exec(path)?.[1] ?? null;
}

/** The text in place of the form's code, also if malformed. null on any other path. */
export function parseFormCode(path: string): string | null {
  return FORM_PATH.exec(path)?.[1] ?? null;
}

/** The same for the form's point of sale. */
export function parsePosCode(path: string): string | null {
  return POS_PATH.exec(path)?.[1] ?? null;
}

/** The text in the place of the secret in a path of a refund claim, also if malformed. null on any other path. */
export function parseClaimPath(
  path: string,
): { readonly secret: string; readonly isVersion: boolean } | null {
  const [, secret, version] = CLAIM_PATH.exec(path) ?? [];
  return secret === undefined ? null : { secret, isVersion: version !== undefined };
}

/**
 * True for the one path of the console that takes a file. It checks the size and who posts before it reads it. On every other path, the
 * form of an action is checked before Next reads it.
 */
export function isUploadPath(path: string): boolean {
  return /^\/console\/m\/[0-9a-f-]{36}\/(?:live|test)\/settings\/logo$/.test(path);
}

/** The origin to which the page that gives a plugin its key sends it. null on any other path, or if no such address was asked for. */
export function parseKeyOrigin(path: string): string | null {
  const [, query] = /^\/console\/authorize\/?\?(.*)$/s.exec(path) ?? [];
  return query === undefined ? null : findWebOrigin(new URLSearchParams(query).get("redirect") ?? "");
}

/** True for the inner paths of the console's pages. */
export function isConsolePath(path: string): boolean {
  return CONSOLE_PATH.test(path);
}

/** True for a path below the console's, also if it has no such page. */
export function isBelowConsole(path: string): boolean {
  return /^\/console(?:[/?]|$)/.test(path);
}

/** True for the inner paths of the console and of what its pages show: all that a port of its own answers. */
export function isForConsole(path: string): boolean {
  return CONSOLE_ALONE.test(path);
}

/**
 * True if Next may answer this inner path. `publicFiles` are the names of its public files, without a slash. Its image
 * optimizer and its error pages are not reachable.
 */
export function hasPage(path: string, publicFiles: ReadonlySet<string>): boolean {
  return PAGES.test(path) || publicFiles.has(path.slice(1).split("?", 1)[0] ?? "");
}

/** How the widget asks for a page to be shown. */
export interface Embedding {
  /** Origin of the page that holds the frame. null if it is absent or may not frame the page. */
  readonly parent: string | null;
  /** A theme of null follows the preference of the visitor's system. */
  readonly theme: "light" | "dark" | null;
}

/**
 * Parses `?parent=` and `?theme=` of an address. The parent must equal an allowed origin exactly, because the page
 * sends messages to it.
 */
export function parseEmbedding(path: string, mayFrame: readonly string[]): Embedding {
  const queryStart = path.indexOf("?");
  const query = new URLSearchParams(queryStart < 0 ? "" : path.slice(queryStart + 1));
  const parent = query.get("parent");
  const theme = query.get("theme");
  return {
    parent: parent !== null && mayFrame.includes(parent) ? parent : null,
    theme: theme === "light" || theme === "dark" ? theme : null,
  };
}
