/** The link of a support contact, and its visible text. */
export interface SupportLink {
  readonly kind: "mail" | "web" | "telephone";
  readonly href: string;
  readonly label: string;
}

const MAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;
/** The + and the country code make the number work from any country. 7 to 15 digits (ITU-T E.164). */
const TELEPHONE = /^\+[1-9](?:[ ().-]{0,2}[0-9]){6,14}$/;
const LONGEST = 200;

/**
 * The link of a merchant's support contact: an e-mail address (with the payment's reference as its subject),
 * an https URL or a telephone number. Null for any other text.
 */
export function supportLink(contact: string, reference?: string): SupportLink | null {
  if (contact.length > LONGEST) return null;
  if (MAIL.test(contact)) {
    const [user = "", host = ""] = contact.split("@");
    const subject = reference === undefined ? "" : `?subject=${encodeURIComponent(reference)}`;
    return { kind: "mail", href: `mailto:${encodeURIComponent(user)}@${host}${subject}`, label: contact };
  }
  if (TELEPHONE.test(contact)) {
    return { kind: "telephone", href: `tel:${contact.replace(/[^0-9+]/g, "")}`, label: contact };
  }
  return webLink(contact);
}

function webLink(contact: string): SupportLink | null {
  if (!URL.canParse(contact)) return null;
  const url = new URL(contact);
  const { protocol, username, password, hostname } = url;
  if (protocol !== "https:" || `${username}${password}` !== "" || !hostname.includes(".")) return null;
  const label = `${url.host}${url.pathname.replace(/\/$/, "")}`;
  return { kind: "web", href: url.href, label };
}
