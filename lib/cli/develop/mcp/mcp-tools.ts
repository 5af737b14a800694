import * as z from "zod";
import { REFID_PATTERN } from "#lib/domain/payment-links/refid.ts";
import { MAX_SEARCH } from "#lib/domain/payment-links/search/search-text.ts";
import { LINK_STATES } from "#lib/domain/types.ts";
import { DELIVERY_STATUSES } from "#lib/domain/webhooks/types.ts";
import { CURRENCIES, type CurrencyCode } from "#lib/platform/money/currencies.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { ServiceCall } from "../call-service.ts";

/** A tool for a model, which is one call of the API. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Bounds every value before the call. */
  readonly input: z.ZodObject;
  toCall(input: Readonly<Record<string, unknown>>): ServiceCall;
}

/** Declares a tool whose call has the types of its input. */
function tool<Input extends z.ZodObject>(
  parts: Omit<Tool, "input" | "toCall"> & {
    readonly input: Input;
    readonly toCall: (input: z.output<Input>) => ServiceCall;
  },
): Tool {
  return parts as unknown as Tool;
}

const MAX_ROWS = 100;
const MAX_AMOUNT_DIGITS = 40;
const MAX_TEXT = 255;

const token = z.enum(Object.keys(TOKENS) as [TokenCode, ...TokenCode[]]);
const currency = z.enum(Object.keys(CURRENCIES) as [CurrencyCode, ...CurrencyCode[]]);
const amount = z
  .string()
  .max(MAX_AMOUNT_DIGITS)
  .regex(/^\d+(?:\.\d+)?$/)
  .describe("A decimal, as text.");
const linkRefid = z
  .string()
  .regex(new RegExp(`^${REFID_PATTERN}$`))
  .describe("refid of the link.");
const reference = z
  .string()
  .regex(/^[A-Za-z0-9]{1,20}$/)
  .describe("payment_reference: 1 to 20 letters and digits.");
const page = {
  limit: z.int().min(1).max(MAX_ROWS).default(20),
  cursor: z
    .string()
    .regex(/^\d{1,15}(?:-\d{1,15})?$/)
    .optional()
    .describe("meta.next_cursor of the page before."),
};

/** A path with the values that are given. */
function withQuery(path: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Each reads, and changes nothing. */
export const READING_TOOLS: readonly Tool[] = [
  tool({
    name: "list_payment_links",
    title: "List payment links",
    description:
      "Payment links, newest first, without quotes and payments. Find a link by its payment_reference, or by an e-mail address, name, " +
      "transaction hash or address with search.",
    input: z.object({
      status: z.enum(LINK_STATES).optional(),
      payment_reference: reference.optional(),
      search: z.string().min(1).max(MAX_SEARCH).optional().describe("The whole text, not a part of it."),
      ...page,
    }),
    toCall: (input) => ({ path: withQuery("/payment-links", input) }),
  }),
  tool({
    name: "get_payment_link",
    title: "Get a payment link",
    description: "One payment link: its state, why it failed, its quotes and payments.",
    input: z.object({ refid: linkRefid }),
    toCall: ({ refid }) => ({ path: `/payment-links/${refid}` }),
  }),
  tool({
    name: "list_webhook_deliveries",
    title: "List webhook deliveries",
    description:
      "Events and their deliveries to the merchant's endpoints, newest first, with each attempt's status or error. With webhook_id also the " +
      "text that was sent and what the receiver answered.",
    input: z.object({
      status: z.enum(DELIVERY_STATUSES).optional(),
      webhook_id: z
        .string()
        .regex(/^(?:evt_)?[1-9]\d{0,14}$/)
        .optional()
        .describe("evt_12: only this event."),
      ...page,
    }),
    toCall: (input) => ({ path: withQuery("/webhooks/deliveries", input) }),
  }),
  tool({
    name: "get_balances",
    title: "Get balances",
    description: "The available balance of each token, without what is reserved for withdrawals.",
    input: z.object({ token: token.optional() }),
    toCall: (input) => ({ method: "POST", path: "/balances", body: input }),
  }),
  tool({
    name: "list_deposits",
    title: "List deposits",
    description: "Credited deposits, newest first.",
    input: z.object({
      include: z
        .enum(["pending", "dropped", "pending,dropped"])
        .optional()
        .describe("Also deposits that are not final yet, or that a reorg has removed."),
      ...page,
    }),
    toCall: (input) => ({ path: withQuery("/transaction/token-deposit", input) }),
  }),
  tool({
    name: "list_withdrawals",
    title: "List withdrawals",
    description: "Withdrawals and refunds, newest first.",
    input: z.object(page),
    toCall: (input) => ({ path: withQuery("/transaction/token-withdrawal", input) }),
  }),
  tool({
    name: "get_withdrawal",
    title: "Get a withdrawal",
    description: "One withdrawal or refund: its state, fee and transaction.",
    input: z.object({ refid: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
    toCall: ({ refid }) => ({ path: `/withdrawals/${refid}` }),
  }),
  tool({
    name: "list_tokens",
    title: "List tokens",
    description: "Each token with its price in USD, limits, fee of a withdrawal, and networks.",
    input: z.object({}),
    toCall: () => ({ path: "/tokens" }),
  }),
  tool({
    name: "list_networks",
    title: "List networks",
    description: "The networks and tokens that payment links accept.",
    input: z.object({}),
    toCall: () => ({ path: "/payment-links/supported-networks" }),
  }),
  tool({
    name: "get_fee",
    title: "Get the fee",
    description: "The merchant's fee in percent, and with an amount the fee for it.",
    input: z.object({ token: token.optional(), amount: amount.optional() }),
    toCall: (input) => ({ path: withQuery("/transaction/fee", input) }),
  }),
];

/** Makes a link. It is there only if the person who started the server allowed it, and then with a test key. */
export const CREATE_TEST_LINK: Tool = tool({
  name: "create_test_payment_link",
  title: "Create a payment link in the test environment",
  description:
    "A payment link without real money. The answer has its refid and the address of its page (payment_link).",
  input: z.object({
    amount,
    amount_currency: currency.default("usd"),
    payment_reference: reference,
    email: z.email().max(MAX_TEXT).default("ada@example.com"),
    first_name: z.string().min(1).max(MAX_TEXT).default("Ada"),
    last_name: z.string().min(1).max(MAX_TEXT).default("Obi"),
    success_url: z.url().max(2_000).default("https://shop.example.com/thanks"),
    cancel_url: z.url().max(2_000).default("https://shop.example.com/cart"),
  }),
  toCall: ({ email, first_name, last_name, ...link }) => ({
    path: "/payment-links",
    body: { ...link, customer_details: { email, first_name, last_name } },
  }),
});
