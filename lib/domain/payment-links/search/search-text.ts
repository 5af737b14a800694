import { isRefid } from "../refid.ts";

/** Longer than any text that can be found: an e-mail address has at most 254 characters. */
export const MAX_SEARCH = 254;

/** The meanings that a searched text may have. Each is compared as a whole, so that every search is one place of an index. */
export interface SearchTerms {
  readonly refid: string | null;
  /** A payment reference, as written. */
  readonly reference: string | null;
  /** An e-mail address in lower case. */
  readonly email: string | null;
  /** In lower case: a first or a last name, and if there are several words, how they may be a first and a last name. */
  readonly name: {
    readonly whole: string;
    readonly split: { readonly first: string; readonly last: string } | null;
  } | null;
  /** The forms in which chains write the transaction hash. */
  readonly hashes: readonly string[];
  /** The forms in which the address may be stored. */
  readonly addresses: readonly string[];
}

const REFERENCE = /^[0-9A-Za-z]{1,20}$/;
/** The shortest transaction hash has 64 characters; signatures of Solana have up to 88. */
const HASH = /^(?:0x)?[0-9a-f]{64}$|^[1-9A-HJ-NP-Za-km-z]{80,90}$/i;
/** From XRP's 25 characters to SegWit's 90 (BIP 173), with the tag of XRP. */
const ADDRESS = /^[0-9A-Za-z:]{25,120}$/;

/** Reads a searched text. null if nothing could match it: it is empty, too long, or has control characters. */
export function readSearch(given: string): SearchTerms | null {
  const text = given.trim();
  if (text === "" || text.length > MAX_SEARCH || /\p{Cc}/u.test(text)) return null;
  const lower = text.toLowerCase();
  const isMail = text.includes("@");
  const hex = HASH.test(text) ? lower.replace(/^0x/, "") : null;
  return {
    refid: isRefid(text) ? text : null,
    reference: REFERENCE.test(text) ? text : null,
    email: isMail ? lower : null,
    name: isMail ? null : readName(lower),
    hashes: hex === null ? [] : [...new Set([text, hex, `0x${hex}`])],
    addresses: ADDRESS.test(text) ? [...new Set([text, lower])] : [],
  };
}

function readName(lower: string): NonNullable<SearchTerms["name"]> {
  const [first = "", ...rest] = lower.split(/\s+/);
  const last = rest.join(" ");
  return { whole: [first, ...rest].join(" "), split: last === "" ? null : { first, last } };
}
