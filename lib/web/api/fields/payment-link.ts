import { z } from "@hono/zod-openapi";
import type { Env } from "#lib/chains/network-data.ts";
import { LINK_PAIRS, type PaymentPair } from "#lib/chains/networks.ts";
import {
  type GivenItem,
  isDescription,
  MAX_DESCRIPTION,
  MAX_ITEM_NAME,
  MAX_ITEM_QUANTITY,
  MAX_ITEMS,
} from "#lib/domain/payment-links/order-rules.ts";
import { isRedirectUrl, MAX_REDIRECT_URL } from "#lib/domain/payment-links/redirect-url-rules.ts";
import { isJsonObject, parseJson, parseJsonElements, parseJsonMembers } from "#lib/platform/json-text.ts";
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import type { ApiReason } from "../errors.ts";
import { apiReason, customField, fieldText, isStorableText, parseFieldJson } from "../field-reader.ts";
import { paymentReferenceField } from "./common.ts";
import { CUSTOMER_SHAPE, customerFields } from "./customer.ts";
import { ABOVE_ZERO, amountField, parseUnits } from "./money.ts";

const MAX_METADATA_BYTES = 8 * 1024;
const MAX_PHONE = 255;

const refuse = (reason: ApiReason) => ({ ok: false, reason }) as const;
const accept = <T>(value: T) => ({ ok: true, value }) as const;

const amount = amountField.openapi({
  description:
    "Greater than 0, at most 1e12, with at most the currency's decimals. Read exactly, never as a float.",
  example: "38250",
});

const customer = customerFields({
  missing: "customer_field_missing",
  notEmail: "customer_email_malformed",
  tooLong: "field_too_long",
  unstorable: "unsupported_character",
}).extend({
  phone: z
    .string()
    .max(MAX_PHONE, apiReason("field_too_long"))
    .refine(isStorableText, apiReason("unsupported_character"))
    .nullish(),
});

const customerDetails = customField((value) => {
  const details = parseFieldJson(value);
  return isJsonObject(details) ? accept(details) : refuse("customer_not_object");
})
  .pipe(customer)
  .openapi({
    ...CUSTOMER_SHAPE,
    properties: { ...CUSTOMER_SHAPE.properties, phone: { type: ["string" as const, "null" as const] } },
    description: "email, first_name, last_name and optionally phone. The text of the object is accepted too.",
    example: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
  });

const paymentReference = paymentReferenceField.openapi({ example: "ORDER1001" });

/** An https URL without user info. In the test environment also an http URL of the local machine. */
function redirectUrl(env: Env) {
  return z
    .string(apiReason("url_not_https"))
    .max(MAX_REDIRECT_URL, apiReason("field_too_long"))
    .refine((text) => isRedirectUrl(text, env), apiReason("url_not_https"))
    .openapi({ format: "uri", example: "https://shop.example.com/thanks" });
}

/** Checks the format only. The endpoint checks that it is in the future (EnvFieldsSchema says why). */
export function expiresAtField(description: string) {
  return z
    .string(apiReason("expires_at_not_future"))
    .transform((text, context) => {
      const time = parseDateTime(text);
      if (time !== null) return time;
      context.addIssue({ code: "custom", message: apiReason("expires_at_not_future") });
      return z.NEVER;
    })
    .openapi({ type: "string", format: "date-time", description, example: "2030-01-31T12:00:00Z" });
}

const expiresAt = expiresAtField(
  "Must be in the future, at most one year ahead. UTC unless it has a time zone. Default: 2 hours after creation.",
);

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))?$/i;

/** Parses an ISO 8601 date-time to the millisecond. null if it is malformed or does not exist. */
function parseDateTime(text: string): Date | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null;
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === "-" ? -1 : 1);
  const milliseconds = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const seconds = (hour * 60 + minute - offset) * 60 + (second || 0);
  return new Date(date.getTime() + seconds * 1000 + milliseconds);
}

const metadata = customField((value) => {
  const text = fieldText(value);
  if (Buffer.byteLength(text) > MAX_METADATA_BYTES) return refuse("metadata_too_large");
  // The database would not return a lone surrogate as it was sent.
  if (!text.isWellFormed() || parseJson(text) === undefined) return refuse("metadata_not_json");
  return accept(text);
}).openapi({
  description:
    "Any JSON of at most 8 KiB, or its text. Stored verbatim and sent with every webhook of the link.",
  example: { order: 1001 },
});

const description = z
  .string(apiReason("description_malformed"))
  .refine(isDescription, apiReason("description_malformed"))
  .openapi({
    maxLength: MAX_DESCRIPTION,
    description:
      "What the payer reads about the order: one line of plain text. Anyone with the link sees it.",
    example: "Two bags of coffee, delivered on Friday",
  });

/** Reads each amount from its text. The use case checks the limits and the sum. */
const items = customField<readonly GivenItem[]>((value) => {
  const read = parseJsonElements(fieldText(value))?.map(readItem) ?? [null];
  return read.includes(null) ? refuse("items_malformed") : accept(read.filter((item) => item !== null));
}).openapi({
  type: "array",
  maxItems: MAX_ITEMS,
  items: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, maxLength: MAX_ITEM_NAME },
      quantity: { type: "integer", minimum: 1, maximum: MAX_ITEM_QUANTITY },
      // As amountField: a JSON number is accepted too.
      amount: { type: "string", pattern: ABOVE_ZERO, maxLength: 100 },
    },
    required: ["name", "quantity", "amount"],
  },
  description:
    "The positions of the order, for the payer. An amount is that of the whole quantity. The amounts must add up to " +
    "`amount`. The text of the array is accepted too.",
  example: [
    { name: "Coffee, 1 kg", quantity: 2, amount: "36000" },
    { name: "Delivery", quantity: 1, amount: "2250" },
  ],
});

/** An item of the list. null if a member is missing or has another type. */
function readItem(source: string): GivenItem | null {
  const members = new Map(parseJsonMembers(source));
  const name = parseJson(members.get("name") ?? "");
  const quantity = plainText(members.get("quantity"));
  const amount = plainText(members.get("amount"));
  if (typeof name !== "string" || amount === null || quantity === null) return null;
  return /^[0-9]{1,9}$/.test(quantity) ? { name, quantity: Number(quantity), amount } : null;
}

/** The text of a JSON string, or the source of a JSON number. null for anything else. */
function plainText(source: string | undefined): string | null {
  const value = parseJson(source ?? "");
  if (typeof value === "number") return source ?? null;
  return typeof value === "string" ? value : null;
}

const currency = z
  .string(apiReason("currency_not_supported"))
  .transform((text, context): CurrencyCode => {
    const code = text.toLowerCase();
    if (isCurrencyCode(code)) return code;
    context.addIssue({ code: "custom", message: apiReason("currency_not_supported") });
    return z.NEVER;
  })
  .openapi({ type: "string", enum: Object.keys(CURRENCIES), description: "Default: `ngn`." });

const PAIR_LIST = {
  type: "array" as const,
  items: {
    type: "object" as const,
    properties: { network: { type: "string" as const }, token: { type: "string" as const } },
    required: ["network", "token"],
  },
};

const wallets = customField<PaymentPair[]>((value) => {
  const list = parseFieldJson(value);
  if (!Array.isArray(list)) return refuse("wallets_not_array");
  const requested = readPairs(list);
  if (requested === null) return refuse("wallet_pair_unsupported");
  const networks = new Set(requested.map((pair) => pair.network));
  return networks.size === requested.length ? accept(requested) : refuse("wallet_network_repeated");
}).openapi({
  ...PAIR_LIST,
  description: "Addresses to allocate now, at most one per network. The text of the array is accepted too.",
  example: [{ network: "bep20", token: "USDT" }],
});

const pairs = customField<PaymentPair[]>((value) => {
  const list = parseFieldJson(value);
  const asked = Array.isArray(list) ? readPairs(list) : null;
  return asked !== null && asked.length > 0 && new Set(asked).size === asked.length
    ? accept(asked)
    : refuse("pairs_malformed");
}).openapi({
  ...PAIR_LIST,
  description:
    "Pairs that the customer can choose from, in this order. The operator must have enabled them for the merchant. " +
    "Default: all of the merchant's. The text of the array is accepted too.",
  example: [{ network: "erc20", token: "ETH" }],
});

/** The pairs of a list. null if it has something else. */
function readPairs(list: readonly unknown[]): PaymentPair[] | null {
  const found = list.map((item) =>
    isJsonObject(item) && typeof item.token === "string" && typeof item.network === "string"
      ? LINK_PAIRS.find(
          ({ network, token }) => network === item.network && token === String(item.token).toLowerCase(),
        )
      : undefined,
  );
  return found.includes(undefined) ? null : found.filter((pair) => pair !== undefined);
}

/** The body of endpoint 24. Problems are reported in the order of the fields. */
export function paymentLinkBody(env: Env) {
  return z
    .object({
      amount,
      customer_details: customerDetails,
      payment_reference: paymentReference,
      success_url: redirectUrl(env),
      cancel_url: redirectUrl(env),
      expires_at: expiresAt.optional(),
      metadata: metadata.optional(),
      amount_currency: currency.optional(),
      wallets: wallets.optional(),
      pairs: pairs.optional(),
      description: description.optional(),
      items: items.optional(),
    })
    .superRefine(
      (body, context) => {
        const problem = findCurrencyProblem(body);
        if (problem !== null) context.addIssue({ code: "custom", path: ["amount"], message: problem });
      },
      // Check the amount even if a later field is malformed: the amount is reported first.
      { when: () => true },
    );
}

/** Why the currency does not allow the amount. null if it does, or if one of them is absent or malformed. */
function findCurrencyProblem(body: unknown): ApiReason | null {
  if (!isJsonObject(body) || typeof body.amount !== "string") return null;
  const code = body.amount_currency ?? "ngn";
  if (typeof code !== "string" || !isCurrencyCode(code)) return null;
  const units = parseUnits(body.amount, CURRENCIES[code]);
  return units.ok ? null : units.reason;
}
