import { isMailAddress } from "#lib/domain/mail/rules.ts";
import type { MailConfig } from "#lib/domain/mail/types.ts";

type MailServer = MailConfig["server"];

/** Schemes of SMTP_URL, with the port that each uses by default. */
const SCHEMES = {
  "smtps:": { tls: "implicit", port: 465 },
  "smtp:": { tls: "starttls", port: 587 },
  "smtp+plain:": { tls: "none", port: 25 },
} as const satisfies Record<string, Pick<MailServer, "tls" | "port">>;

/**
 * Reads SMTP_URL: `smtps://user:password@host:465`, `smtp://…` (STARTTLS is required) or `smtp+plain://host:25`. User and
 * password are percent-encoded. null: not such a URL.
 */
export function parseSmtpUrl(text: string): MailServer | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (!Object.hasOwn(SCHEMES, protocol) || hostname === "") return null;
  if (!["", "/"].includes(pathname) || `${search}${hash}` !== "") return null;
  const scheme = SCHEMES[protocol as keyof typeof SCHEMES];
  const login = decodeLogin(username, password);
  if (login === undefined) return null;
  // The URL has an IPv6 address in brackets.
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: port === "" ? scheme.port : Number(port), tls: scheme.tls, login };
}

/** The login of the mail server. Null: the server asks for none. Undefined: a malformed one. */
function decodeLogin(user: string, pass: string): MailServer["login"] | undefined {
  if (user === "") return pass === "" ? null : undefined;
  try {
    return { user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
  } catch {
    return undefined;
  }
}

/** Reads MAIL_FROM: `pay@example.com` or `Example payments <pay@example.com>`. null: neither. */
export function parseSender(text: string): MailConfig["from"] | null {
  const [, name = "", address = text] = /^([^<>"\p{Cc}]{1,100}?)\s*<([^<>]+)>$/u.exec(text) ?? [];
  return isMailAddress(address) ? { name: name.trim(), address } : null;
}
