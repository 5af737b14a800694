import type { Env } from "#lib/chains/network-data.ts";
import type { PaymentPair } from "#lib/chains/networks.ts";
import { findPaymentMethod } from "#lib/chains/payment-method.ts";
import { CUSTOMER_EMAIL, MAX_CUSTOMER_TEXT } from "#lib/domain/merchants/customer-rules.ts";
import { isDescription, MAX_DESCRIPTION } from "#lib/domain/payment-links/order-rules.ts";
import { isRedirectUrl, MAX_REDIRECT_URL } from "#lib/domain/payment-links/redirect-url-rules.ts";
import { latestDeadline } from "#lib/domain/payment-links/rules.ts";
import type { CustomerDetails, NewPaymentLink } from "#lib/domain/payment-links/types.ts";
import { readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { oneLineOf } from "#lib/platform/plain-text.ts";
import { isStorableText } from "#lib/web/api/field-reader.ts";
import type { FieldProblem } from "./answers.ts";
import { readRounded } from "./read-amount.ts";
import type { Fields } from "./read-fields.ts";
import { DEFAULT_CURRENCY } from "./store-record.ts";

export const MAX_METADATA_BYTES = 64 * 1024;
const MAX_ORDER_ID = 256;

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | ({ readonly ok: false } & FieldProblem);

const accept = <Value>(value: Value): Read<Value> => ({ ok: true, value });
const refuse = (path: string, message: string) => ({ ok: false, path, message }) as const;

/** The metadata of a body as it was sent, and the order id in it, as one line: people see it. */
export interface GivenMetadata {
  /** JSON text. null: none. */
  readonly source: string | null;
  readonly orderId: string | null;
}

export function readMetadata(fields: Fields): Read<GivenMetadata> {
  const source = fields.source("metadata");
  if (source === null) return accept({ source: null, orderId: null });
  if (Buffer.byteLength(source) > MAX_METADATA_BYTES)
    return refuse("metadata", "The metadata have more than 64 KiB.");
  if (!isStorableText(source))
    return refuse("metadata", "The metadata have a character that cannot be stored.");
  const orderId = oneLineOf(fields.object("metadata").text("orderId") ?? "") || null;
  if (orderId !== null && orderId.length > MAX_ORDER_ID)
    return refuse("metadata.orderId", "The order id has more than 256 characters.");
  return accept({ source, orderId });
}

/** The new link of a body. `refid` is its id, which a redirect URL may have in it. */
export function readInvoice(
  fields: Fields,
  { env, refid, now }: { readonly env: Env; readonly refid: string; readonly now: Date },
): Read<NewPaymentLink> {
  const money = readMoney(fields);
  if (!money.ok) return money;
  const metadata = readMetadata(fields);
  if (!metadata.ok) return metadata;
  const { source, orderId } = metadata.value;
  const checkout = fields.object("checkout");
  const pairs = readPairs(checkout);
  if (!pairs.ok) return pairs;
  const url = readRedirect(checkout, { env, refid, orderId });
  if (!url.ok) return url;
  const expiresAt = readEnd(checkout, now);
  if (!expiresAt.ok) return expiresAt;
  const details = fields.object("metadata");
  return accept({
    ...money.value,
    refid,
    customer: readCustomer(details),
    paymentReference: orderId ?? refid,
    successUrl: url.value,
    cancelUrl: url.value,
    expiresAt: expiresAt.value,
    metadata: source,
    description: readDescription(details),
    language: readRequestedLanguage(checkout.text("defaultLanguage")),
    wallets: [],
    pairs: pairs.value,
  });
}

/** An amount in more decimals than its currency has is rounded, as BTCPay Server does. Satoshis become bitcoins. */
function readMoney(fields: Fields): Read<{ readonly amount: bigint; readonly currency: CurrencyCode }> {
  const asked = (fields.text("currency") || DEFAULT_CURRENCY).toLowerCase();
  const inSats = asked === "sats";
  const currency = inSats ? "btc" : asked;
  if (!isCurrencyCode(currency)) return refuse("currency", "The currency is not supported.");
  const text = fields.text("amount");
  if (text === null)
    return refuse("amount", "The amount is missing. An invoice without an amount is not supported.");
  const amount = readRounded(text, inSats ? 0 : CURRENCIES[currency]);
  if (amount === null)
    return refuse("amount", "The amount is not a decimal number above 0 and up to 1000000000000.");
  return accept({ amount, currency });
}

function readPairs(checkout: Fields): Read<readonly PaymentPair[] | undefined> {
  const ids = checkout.texts("paymentMethods");
  if (ids === null || ids.length === 0) return accept(undefined);
  const pairs = ids.map(findPaymentMethod);
  const unknown = ids[pairs.indexOf(null)];
  if (unknown !== undefined)
    return refuse("checkout.paymentMethods", `The payment method ${unknown.slice(0, 50)} is not supported.`);
  return accept([...new Set(pairs.filter((pair) => pair !== null))]);
}

function readRedirect(
  checkout: Fields,
  { env, refid, orderId }: { readonly env: Env; readonly refid: string; readonly orderId: string | null },
): Read<string | null> {
  const text = checkout.text("redirectURL");
  if (!text) return accept(null);
  const url = text
    .replaceAll("&amp;", "&")
    .replaceAll(/\{InvoiceId\}/gi, refid)
    .replaceAll(/\{OrderId\}/gi, () => encodeURIComponent((orderId ?? "").toWellFormed()));
  if (url.length > MAX_REDIRECT_URL) return refuse("checkout.redirectURL", "The URL is too long.");
  return isRedirectUrl(url, env)
    ? accept(url)
    : refuse(
        "checkout.redirectURL",
        "The URL must begin with https://. In the test environment, http:// of this machine is accepted too.",
      );
}

function readEnd(checkout: Fields, now: Date): Read<Date | null> {
  const text = checkout.text("expirationMinutes");
  if (text === null) return accept(null);
  const minutes = Number(text);
  if (!(minutes >= 1)) return refuse("checkout.expirationMinutes", "The time must be at least a minute.");
  const end = new Date(Math.min(now.getTime() + minutes * 60_000, latestDeadline(now).getTime()));
  return accept(end);
}

/** A text that is fit to be shown. "" if the field is absent. */
const lineOf = (details: Fields, name: string, most: number) =>
  oneLineOf(details.text(name) ?? "")
    .slice(0, most)
    .toWellFormed();

/** The customer of the order. Shops send "" for guests: without an e-mail address, the link has no customer. */
function readCustomer(details: Fields): CustomerDetails {
  const email = details.text("buyerEmail") ?? "";
  const isAddress = email.length <= MAX_CUSTOMER_TEXT && CUSTOMER_EMAIL.test(email);
  const [firstName = "", ...rest] = lineOf(details, "buyerName", MAX_CUSTOMER_TEXT).split(" ");
  const phone = lineOf(details, "buyerPhone", 30) || null;
  return isAddress
    ? { email, firstName, lastName: rest.join(" "), phone }
    : { email: "", firstName: "", lastName: "", phone: null };
}

function readDescription(details: Fields): string | null {
  const line = lineOf(details, "itemDesc", MAX_DESCRIPTION);
  return isDescription(line) ? line : null;
}
