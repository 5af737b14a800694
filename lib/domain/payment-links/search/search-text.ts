import { MAX_CUSTOMER_TEXT } from "#lib/domain/merchants/customer-rules.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode } from "#lib/platform/money/currencies.ts";
import { readTypedAmount } from "#lib/platform/money/typed-amount.ts";
import { isRefid } from "../refid.ts";

/** The longest text that can be found: a first and a last name with a space between them. */
export const MAX_SEARCH = 2 * MAX_CUSTOMER_TEXT + 1;

/** A text that something is, or a text that it begins with. */
export type SearchedText = string | { readonly begins: string };

/** The meanings that a searched text may have. Each is one place or one range of an index. */
export interface SearchTerms {
  /** False: the texts are first characters. */
  readonly isWhole: boolean;
  /** A whole one. */
  readonly refid: string | null;
  /** A payment reference, as written: plugins of shops send any characters. */
  readonly reference: string;
  /** An e-mail address in lower case. */
  readonly email: string | null;
  /** In lower case: a first or a last name, and if there are several words, how they may be a whole first and a last name. */
  readonly name: {
    readonly whole: string;
    readonly split: { readonly first: string; readonly last: string } | null;
  } | null;
  /** Whole amounts, in the smallest unit of these currencies. */
  readonly amounts: readonly { readonly units: bigint; readonly currencies: readonly CurrencyCode[] }[];
  /** The forms in which chains write the transaction hash. */
  readonly hashes: readonly string[];
  /** The forms in which the address may be stored. */
  readonly addresses: readonly string[];
}

/** Hashes have 64 hexadecimal digits, or with Solana up to 88 letters and digits. Fewer than six would be those of too many. */
const HASH = /^(?:0x)?[0-9a-f]{6,64}$|^[1-9A-HJ-NP-Za-km-z]{6,90}$/i;
/** The longest is SegWit's with 90 (BIP 173); one of XRP has its tag after it. */
const ADDRESS = /^[0-9A-Za-z:]{6,120}$/;
/** X-addresses of XRP begin so, in test too, and TRON's addresses do not. "TV" may begin both. */
const X_ADDRESS = /^(?:X[7V]|T7|TV.{33})/;
/** An X-address has 47 characters. A whole address of Solana, with 43 or 44, may begin like one. */
const X_ADDRESS_PART = 42;
/** Decimals of currencies, with those that have them. */
const BY_DECIMALS = Map.groupBy(Object.keys(CURRENCIES) as CurrencyCode[], (code) => CURRENCIES[code]);
const LARGEST = 10n ** 30n;

/** Reads a searched text. null if nothing could match it: it is empty, too long, or has control characters. */
export function readSearch(given: SearchedText): SearchTerms | null {
  const isWhole = typeof given === "string";
  const text = (isWhole ? given : given.begins).trim();
  if (text === "" || text.length > MAX_SEARCH || /\p{Cc}/u.test(text)) return null;
  const lower = text.toLowerCase();
  const isMail = text.includes("@");
  const hex = /^(?:0x)?[0-9a-f]+$/.test(lower) ? lower.replace(/^0x/, "") : null;
  return {
    isWhole,
    refid: isRefid(text) ? text : null,
    reference: text,
    // People also type the first characters of an address alone.
    email: /\s/.test(text) ? null : lower,
    name: isMail ? null : readName(lower),
    // Programs search by what identifies a payment. An amount does not.
    amounts: isWhole ? [] : readAmounts(text),
    hashes: HASH.test(text) ? [...new Set([text, ...(hex === null ? [] : [hex, `0x${hex}`])])] : [],
    addresses: ADDRESS.test(text) && (isWhole || !isPartOfXAddress(text)) ? [...new Set([text, lower])] : [],
  };
}

/** All X-addresses of one account have the same first characters: only a whole one says which link it pays. */
const isPartOfXAddress = (text: string) => X_ADDRESS.test(text) && text.length <= X_ADDRESS_PART;

function readName(lower: string): NonNullable<SearchTerms["name"]> {
  const [first = "", ...rest] = lower.split(/\s+/);
  const last = rest.join(" ");
  return { whole: [first, ...rest].join(" "), split: last === "" ? null : { first, last } };
}

/**
 * An amount as people search for it, in units of 10^-decimals. null for any other text. "16,000", or "16.000" where amounts have two
 * decimals, may mean two amounts to a form, but a search finds the usual one. A sign of a currency is no part of the number.
 */
export function readSearchedAmount(text: string, decimals: number): bigint | null {
  const typed = readTypedAmount(text.trim().replace(/^\p{Sc}|\p{Sc}$/gu, ""), decimals);
  const number = /^[0-9]{1,3},[0-9]{3}$/.test(typed) ? typed.replace(",", "") : typed;
  const parsed = parseAmount(number, decimals, LARGEST);
  return parsed.ok && parsed.units >= 0n ? parsed.units : null;
}

function readAmounts(text: string): SearchTerms["amounts"] {
  return [...BY_DECIMALS].flatMap(([decimals, currencies]) => {
    const units = readSearchedAmount(text, decimals) ?? 0n;
    return units > 0n ? [{ units, currencies }] : [];
  });
}
