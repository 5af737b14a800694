import { z } from "@hono/zod-openapi";
import { displayPosition } from "#lib/chains/network.ts";
import type {
  LinkState,
  PaymentLinkSummary,
  PaymentLinkView,
  PaymentView,
  QuoteView,
  TokenAmount,
} from "#lib/domain/payment-links/types.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { integerEnum } from "../field-reader.ts";
import { JsonText, type JsonValue, toJsonNumber } from "../json-text.ts";

const moment = z.string().openapi({ format: "date-time" });
const tokenAmount = z.object({ network: z.string(), token: z.string(), amount: z.number() });

/** Payment link (creation result) of docs/service-interface.md. */
export const createdLinkData = z
  .object({
    refid: z.string().openapi({ description: "Link identifier." }),
    payment_reference: z.string().openapi({ description: "Yours, as submitted." }),
    payment_link: z.string().openapi({ description: "Address of the hosted payment page." }),
    wallets: z.array(z.object({ address: z.string(), network: z.string(), token: z.string() })),
    wallet_pre_generated: integerEnum(0, 1).openapi({
      description: "1: its addresses were made with it; 0: on demand.",
    }),
    amount_required: z.number().openapi({ description: "As submitted, in the currency." }),
    amount_currency: z.string().openapi({ description: "Currency code, lower case." }),
    expires_at: moment,
  })
  .openapi("CreatedPaymentLink");

const quoteData = z.object({
  network: z.string(),
  token: z.string(),
  address: z.string(),
  amount: z.number().openapi({ description: "Pays the whole link, in the token." }),
  rate: z.number().openapi({ description: "Units of the currency for one whole token." }),
  rate_source: z.string(),
  rate_at: moment,
  valid_until: moment,
  live: z.boolean(),
});

const paymentData = z.object({
  network: z.string(),
  token: z.string(),
  address: z.string(),
  tx_hash: z.string(),
  output_pos: z.number().int().nullable(),
  amount: z.number(),
  worth: z
    .number()
    .nullable()
    .openapi({ description: "Fraction of the link; null while no rate can be had." }),
  confirmations: z.number().int(),
  required_confirmations: z.number().int(),
  status: integerEnum(0, 1, 2).openapi({ description: "0: seen; 1: credited; 2: dropped by the chain." }),
  late: z.boolean(),
  first_seen_at: moment,
  confirmed_at: moment.nullable(),
});

export const LINK_STATES = [
  "open",
  "awaiting",
  "partial",
  "detected",
  "completed",
  "overpaid",
  "failed",
  "expired",
] as const satisfies readonly LinkState[];

/** A payment link in a list: the creation result, and where it stands. */
export const linkSummaryData = createdLinkData
  .extend({
    state: z.enum(LINK_STATES),
    version: z.number().int().openapi({ description: "Grows with anything visible." }),
    seq: z.number().int().openapi({ description: "Number of its last event; 0: none yet." }),
    late: z.boolean().openapi({ description: "Something was paid after the end." }),
    reason: z.enum(["underpaid", "unconfirmed", "expired"]).nullable(),
    created_at: moment,
    completed_at: moment.nullable(),
    customer_details: z.object({
      email: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      phone: z.string().nullable(),
    }),
    metadata: z
      .unknown()
      .nonoptional()
      .openapi({ description: "As it was sent, letter for letter; null without." }),
    success_url: z.string(),
    cancel_url: z.string(),
  })
  .openapi("PaymentLinkSummary");

/** A payment link as its merchant reads it: the creation result, and everything since. */
export const linkData = linkSummaryData
  .extend({
    quotes: z.array(quoteData).openapi({ description: "Every price shown, the ones in force first." }),
    payments: z.array(paymentData).openapi({ description: "In the order they came." }),
    remaining: z.array(tokenAmount).openapi({ description: "What would finish it now, per picked network." }),
    excess: z.array(tokenAmount).openapi({ description: "Only when overpaid." }),
  })
  .openapi("PaymentLink");

/** The creation result (endpoint 24). */
export function createdLinkToJson(link: PaymentLinkSummary): Record<string, JsonValue> {
  return {
    refid: link.refid,
    payment_reference: link.paymentReference,
    payment_link: link.paymentLink,
    wallets: link.wallets.map(({ address, network, token }) => ({
      address,
      network,
      token: token.toUpperCase(),
    })),
    wallet_pre_generated: link.walletPreGenerated ? 1 : 0,
    amount_required: toJsonNumber(link.amount, CURRENCIES[link.currency]),
    amount_currency: link.currency,
    expires_at: wholeSeconds(link.expiresAt),
  };
}

export function linkSummaryToJson(link: PaymentLinkSummary): Record<string, JsonValue> {
  const { email, firstName, lastName, phone } = link.customer;
  return {
    ...createdLinkToJson(link),
    state: link.state,
    version: link.version,
    seq: link.seq,
    late: link.late,
    reason: link.reason,
    created_at: link.createdAt,
    completed_at: link.completedAt,
    customer_details: { email, first_name: firstName, last_name: lastName, phone },
    metadata: link.metadata === null ? null : new JsonText(link.metadata),
    success_url: link.successUrl,
    cancel_url: link.cancelUrl,
  };
}

export function linkToJson(link: PaymentLinkView): Record<string, JsonValue> {
  return {
    ...linkSummaryToJson(link),
    quotes: link.quotes.map(quoteToJson),
    payments: link.payments.map(paymentToJson),
    remaining: link.remaining.map(tokenAmountToJson),
    excess: link.excess.map(tokenAmountToJson),
  };
}

function quoteToJson(quote: QuoteView): JsonValue {
  return {
    network: quote.network,
    token: quote.token,
    address: quote.address,
    amount: tokenNumber(quote.amount, quote.token),
    rate: new JsonText(quote.rate),
    rate_source: quote.rateSource,
    rate_at: quote.rateAt,
    valid_until: quote.validUntil,
    live: quote.live,
  };
}

function paymentToJson(payment: PaymentView): JsonValue {
  return {
    network: payment.network,
    token: payment.token,
    address: payment.address,
    tx_hash: payment.txHash,
    output_pos: displayPosition(payment.position),
    amount: tokenNumber(payment.amount, payment.token),
    worth: payment.worth === null ? null : new JsonText(payment.worth),
    confirmations: payment.confirmations,
    required_confirmations: payment.requiredConfirmations,
    status: payment.status,
    late: payment.late,
    first_seen_at: payment.firstSeenAt,
    confirmed_at: payment.confirmedAt,
  };
}

function tokenAmountToJson({ network, token, amount }: TokenAmount): JsonValue {
  return { network, token, amount: tokenNumber(amount, token) };
}

function tokenNumber(amount: bigint, token: TokenCode): JsonText {
  return toJsonNumber(amount, TOKENS[token].ledgerDecimals);
}

function wholeSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, "Z");
}
