import { z } from "@hono/zod-openapi";
import type {
  PaymentLinkSummary,
  PaymentLinkView,
  QuoteView,
  TokenAmount,
} from "#lib/domain/payment-links/types.ts";
import {
  customerRecord,
  itemRecords,
  linkIdentityRecord,
  linkTermsRecord,
  paymentRecord,
  tokenAmountRecord,
} from "#lib/domain/payment-links/view/link-record.ts";
import { LINK_REASONS, LINK_STATES } from "#lib/domain/types.ts";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import { JsonText, type JsonValue } from "#lib/platform/json-text.ts";
import { timestamp } from "./common.ts";

const tokenAmount = z
  .object({ network: z.string(), token: z.string(), amount: z.number() })
  .openapi("TokenAmount");

const linkWallet = z
  .object({ address: z.string(), network: z.string(), token: z.string() })
  .openapi("PaymentLinkWallet");

const linkCustomer = z
  .object({
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone: z.string().nullable(),
  })
  .openapi("LinkCustomer");

/** Payment link (creation result) of docs/service-interface.md. */
export const createdLinkData = z
  .object({
    refid: z.string().openapi({ description: "Identifier of the link." }),
    payment_reference: z.string().openapi({ description: "Your reference, as submitted." }),
    payment_link: z.string().openapi({ description: "Address of the hosted payment page." }),
    wallets: z.array(linkWallet),
    wallet_pre_generated: integerEnum(0, 1).openapi({
      description: "1: its addresses were allocated when it was created; 0: on demand.",
    }),
    amount_required: z.number().openapi({ description: "As submitted, in the currency." }),
    amount_currency: z.string().openapi({ description: "Currency code, lower case." }),
    expires_at: timestamp,
  })
  .openapi("CreatedPaymentLink");

const quoteData = z
  .object({
    network: z.string(),
    token: z.string(),
    address: z.string(),
    amount: z.number().openapi({ description: "Amount that pays the whole link, in the token." }),
    rate: z.number().openapi({ description: "Units of the currency per whole token." }),
    rate_source: z.string(),
    rate_at: timestamp,
    valid_until: timestamp,
    live: z.boolean(),
  })
  .openapi("Quote");

const paymentData = z
  .object({
    network: z.string(),
    token: z.string(),
    address: z.string(),
    tx_hash: z.string(),
    output_pos: z.number().int().nullable(),
    amount: z.number(),
    worth: z
      .number()
      .nullable()
      .openapi({ description: "Fraction of the link that it pays; null while no rate is available." }),
    confirmations: z.number().int(),
    required_confirmations: z.number().int(),
    status: integerEnum(0, 1, 2).openapi({ description: "0: seen; 1: credited; 2: removed from the chain." }),
    late: z.boolean().openapi({
      description:
        "First seen after the second of `expires_at`, or credited after the link had failed without it.",
    }),
    first_seen_at: timestamp,
    confirmed_at: timestamp.nullable(),
  })
  .openapi("Payment");

const linkItem = z
  .object({
    name: z.string(),
    quantity: z.number().int(),
    amount: z.number().openapi({ description: "For the whole quantity, in the currency of the link." }),
  })
  .openapi("LinkItem");

/** A payment link in a list: the creation result and its state. */
export const linkSummaryData = z
  .object({
    ...createdLinkData.shape,
    state: z.enum(LINK_STATES),
    version: z.number().int().openapi({ description: "Increases with every visible change." }),
    seq: z.number().int().openapi({ description: "Number of its last event; 0: no event yet." }),
    late: z.boolean().openapi({
      description: "A payment that completed the link, or that came after it had failed, is late.",
    }),
    reason: z.enum(LINK_REASONS).nullable(),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
    customer_details: linkCustomer,
    metadata: z.unknown().openapi({
      description: "Exactly as it was sent; null without metadata. In a list with `metadata=1` only.",
    }),
    success_url: z.string(),
    cancel_url: z.string(),
    description: z.string().nullable().openapi({
      description: "What the payer reads about the order.",
      example: "Two bags of coffee, delivered on Friday",
    }),
  })
  .openapi("PaymentLinkSummary");

/** A payment link with its quotes and payments. */
export const linkData = z
  .object({
    ...linkSummaryData.shape,
    metadata: z
      .unknown()
      .nonoptional()
      .openapi({ description: "Exactly as it was sent; null without metadata." }),
    items: z.array(linkItem).openapi({ description: "The positions of the order. Empty if none were sent." }),
    quotes: z.array(quoteData).openapi({ description: "Every quote shown to the payer, valid ones first." }),
    payments: z.array(paymentData).openapi({
      description:
        "At most 20, in the order in which they were seen: the newest, and those below the minimum only if there is room.",
    }),
    payments_count: z.number().int().openapi({ description: "Number of all payments of the link." }),
    remaining: z
      .array(tokenAmount)
      .openapi({ description: "Amount that would complete the link now, per chosen network." }),
    excess: z.array(tokenAmount).openapi({
      description:
        "What is credited and not needed for the amount, less what was refunded, per network and token.",
    }),
  })
  .openapi("PaymentLink");

const jsonNumber = (decimal: string) => new JsonText(decimal);

/** The creation result (endpoint 24). */
export function createdLinkToJson(link: PaymentLinkSummary): Record<string, JsonValue> {
  return {
    ...linkIdentityRecord(link),
    wallets: link.wallets.map(({ address, network, token }) => ({
      address,
      network,
      token: token.toUpperCase(),
    })),
    wallet_pre_generated: Number(link.walletPreGenerated),
    ...linkTermsRecord(link, jsonNumber),
  };
}

export function linkSummaryToJson(link: PaymentLinkSummary): Record<string, JsonValue> {
  return {
    ...createdLinkToJson(link),
    state: link.state,
    version: link.version,
    seq: link.seq,
    late: link.late,
    reason: link.reason,
    created_at: link.createdAt,
    completed_at: link.completedAt,
    customer_details: customerRecord(link),
    metadata: link.metadata === null ? null : new JsonText(link.metadata),
    success_url: link.successUrl,
    cancel_url: link.cancelUrl,
    description: link.description,
  };
}

export function linkToJson(link: PaymentLinkView): Record<string, JsonValue> {
  const toRecord = (amount: TokenAmount) => tokenAmountRecord(amount, jsonNumber);
  return {
    ...linkSummaryToJson(link),
    items: itemRecords(link, jsonNumber),
    quotes: link.quotes.map(quoteToJson),
    payments: link.payments.map((payment) => paymentRecord(payment, jsonNumber)),
    payments_count: link.paymentCount,
    remaining: link.remaining.map(toRecord),
    excess: link.excess.map(toRecord),
  };
}

function quoteToJson(quote: QuoteView): JsonValue {
  const { network, token, amount } = tokenAmountRecord(quote, jsonNumber);
  return {
    network,
    token,
    address: quote.address,
    amount,
    rate: new JsonText(quote.rate),
    rate_source: quote.rateSource,
    rate_at: quote.rateAt,
    valid_until: quote.validUntil,
    live: quote.live,
  };
}
