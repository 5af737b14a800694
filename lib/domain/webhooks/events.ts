import * as z from "zod";
import { ENVS } from "#lib/chains/network-data.ts";
import { LINK_REASONS, LINK_STATES } from "#lib/domain/types.ts";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import type { JsonText } from "#lib/platform/json-text.ts";

/*
 * Every event type with the schema of its `data`. The payload types, the arguments of emitEvent, the filters of
 * endpoints, `webhooks` of the OpenAPI document and the event types of the client derive from EVENTS.
 * A new event needs an entry here and a call of emitEvent.
 */

const timestamp = z.string().meta({ format: "date-time" });
const decimal = (description: string) => z.string().meta({ description, example: "25.5" });
const environment = z.enum(ENVS).meta({ description: "Environment of the merchant's key." });

const tokenAmount = z.object({
  network: z.string(),
  token: z.string(),
  amount: decimal("Whole tokens."),
});

const linkPayment = tokenAmount.omit({ amount: true }).extend({
  address: z.string(),
  tx_hash: z.string(),
  output_pos: z.number().int().nullable(),
  amount: decimal("Whole tokens."),
  worth: z
    .string()
    .nullable()
    .meta({ description: "Fraction of the link as a decimal; null while no rate is available." }),
  confirmations: z.number().int(),
  required_confirmations: z.number().int(),
  status: integerEnum(0, 1, 2).meta({ description: "0: seen; 1: credited; 2: dropped by the chain." }),
  late: z.boolean(),
  first_seen_at: timestamp,
  confirmed_at: timestamp.nullable(),
});

/** The type of metadata is JSON text on the way in, so that it keeps every byte. */
const metadata = z.unknown().nonoptional().meta({
  description: "As submitted, byte for byte; null without metadata.",
}) as z.ZodType<unknown, JsonText | null>;

const paymentLinkData = z.object({
  refid: z.string().meta({ description: "Link identifier." }),
  payment_reference: z.string().meta({ description: "The merchant's reference, as submitted." }),
  payment_link: z.string().meta({ description: "URL of the hosted payment page." }),
  state: z.enum(LINK_STATES),
  reason: z.enum(LINK_REASONS).nullable(),
  late: z.boolean().meta({
    description: "A payment that completed the link, or that came after it had failed, is late.",
  }),
  seq: z
    .number()
    .int()
    .meta({
      description:
        "Number of this event within its link. Handle an event only if its number is higher than the highest that you " +
        "have handled for this link: repeats may have another webhook-id.",
    }),
  environment,
  amount_required: decimal("In the currency of the link."),
  amount_currency: z.string().meta({ description: "Currency code, lower case." }),
  expires_at: timestamp,
  payments: z.array(linkPayment).meta({
    description:
      "At most 20, in the order of their arrival: the newest, and those below the minimum only if there is room.",
  }),
  payments_count: z.number().int().meta({ description: "Number of all payments of the link.", example: 1 }),
  received: z.array(tokenAmount).meta({ description: "Credited amounts per network and token." }),
  remaining: z.array(tokenAmount).meta({ description: "Missing amount per selected network." }),
  excess: z
    .array(tokenAmount)
    .meta({ description: "What is credited and not needed, less what was refunded." }),
  customer: z.object({
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone: z.string().nullable(),
  }),
  metadata,
});

const depositData = z.object({
  ref: z.string().meta({ description: "Deposit reference, numeric text.", example: "1042" }),
  status: integerEnum(0, 1, 2, 3).meta({
    description: "0: seen; 1: credited; 2: dropped by the chain; 3: held.",
  }),
  genesis: integerEnum(0, 1).meta({ description: "1: the address is the merchant's own." }),
  email: z.string().meta({ description: "E-mail address of the merchant." }),
  value: decimal("Whole tokens."),
  network: z.string().meta({ example: "bep20" }),
  token: z.string().meta({ example: "usdt" }),
  address: z.string().meta({ description: "Address that received the deposit." }),
  sender: z.string().nullable().meta({ description: "null if a payment has no single sender (bitcoin)." }),
  extra: z.string().nullable().meta({ description: "XRP destination tag, else null." }),
  tx_hash: z.string(),
  output_pos: z.number().int().nullable().meta({
    description: "Output index on UTXO chains, log index on chains with logs; null for their own coin.",
  }),
  customer: z.string().nullable().meta({ description: "E-mail address of the customer." }),
  total_received: decimal("Whole tokens credited to the address in this token so far."),
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: timestamp.nullable(),
  environment,
  refid: z.string().nullable().meta({ description: "Payment link that the deposit paid." }),
});

const smallDepositsData = z.object({
  refid: z.string().meta({ description: "Payment link that the deposits paid." }),
  payment_reference: z.string().meta({ description: "The merchant's reference, as submitted." }),
  environment,
  credited_count: z.number().int().meta({ description: "Number of the credited deposits.", example: 1 }),
  credited: z.array(tokenAmount).meta({ description: "Their amounts per network and token." }),
  reversed_count: z.number().int().meta({ description: "Number of the reversed deposits.", example: 0 }),
  reversed: z.array(tokenAmount).meta({ description: "Their amounts per network and token." }),
  deposits: z
    .array(depositData.omit({ environment: true, refid: true }))
    .meta({ description: "The newest of them, at most 20, oldest first." }),
});

const withdrawalData = z.object({
  id: z.number().int().meta({ description: "Record number." }),
  refid: z.string().meta({ description: "Send reference, numeric text.", example: "4821907735610284" }),
  checked: integerEnum(0, 1).meta({ description: "1: balance, address and limits were checked." }),
  status: integerEnum(0, 1, 2, 3, 5).meta({
    description: "0: pending; 1: processing; 2: failed; 3: completed; 5: refund queued.",
  }),
  email: z.string().meta({ description: "E-mail address of the merchant." }),
  value: decimal("Whole tokens sent."),
  _to: z.string().meta({ description: "Destination address." }),
  token: z.string().meta({ example: "usdt" }),
  network: z.string().meta({ example: "bep20" }),
  fee: decimal("Whole tokens, in addition to the value."),
  contract: z
    .string()
    .nullable()
    .meta({ description: "Contract of the token; null for the network's own coin." }),
  tx_hash: z.string().nullable(),
  processed_at: timestamp.nullable().meta({ description: "When it completed or failed." }),
  created_at: timestamp,
  updated_at: timestamp,
  environment,
});

const refundData = z.object({
  ...withdrawalData.shape,
  payment_link: z.string().meta({ description: "Identifier of the payment link that is refunded." }),
});

const endpointDisabledData = z.object({
  id: z.number().int().meta({ description: "Number of the disabled endpoint." }),
  url: z.string().nullable(),
  reason: z
    .enum(["gone", "failing"])
    .meta({ description: "gone: it answered 410; failing: it accepted nothing for five days." }),
  failing_since: timestamp.nullable().meta({ description: "First failure after its last success." }),
  disabled_at: timestamp,
  environment,
});

/** Event types in the order of their documentation: three of docs/service-interface.md, the others of docs/decisions.md. */
export const EVENTS = {
  payment_link_completed: { summary: "A payment link is paid.", data: paymentLinkData },
  payment_link_completed_overpaid: {
    summary: "A payment link is paid with too much.",
    data: paymentLinkData,
  },
  payment_link_failed: {
    summary: "A payment link expired without a sufficient confirmed payment.",
    data: paymentLinkData,
  },
  payment_link_late: { summary: "A payment arrived after the link failed.", data: paymentLinkData },
  payment_link_extra: { summary: "Another payment arrived after the link was paid.", data: paymentLinkData },
  payment_link_reverted: {
    summary: "The chain dropped a payment of a completed payment link.",
    data: paymentLinkData,
  },
  deposit_credited: { summary: "A deposit is confirmed and credited.", data: depositData },
  deposit_reversed: { summary: "The chain dropped a credited deposit.", data: depositData },
  small_deposits: {
    summary: "Deposits below the minimum were credited or reversed: one event a minute and payment link.",
    data: smallDepositsData,
  },
  withdrawal_completed: { summary: "A withdrawal is confirmed on the chain.", data: withdrawalData },
  withdrawal_failed: { summary: "A withdrawal failed and is refunded.", data: withdrawalData },
  withdrawal_approval_needed: {
    summary: "A withdrawal waits for the approval of an owner or manager.",
    data: withdrawalData,
  },
  refund_completed: {
    summary: "A refund of a payment is confirmed on the chain. withdrawal_completed reports it, too.",
    data: refundData,
  },
  webhook_endpoint_disabled: {
    summary: "Another webhook endpoint of the merchant is disabled.",
    data: endpointDisabledData,
  },
} as const;

export type EventType = keyof typeof EVENTS;
export type PaymentLinkEventType = Extract<EventType, `payment_link_${string}`>;
export type WithdrawalEventType = Extract<EventType, `withdrawal_${string}`>;

/** Every event type, in the order of EVENTS. */
export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

/** `data` of an event as the emitting code passes it. Its fields are written in the order of the object. */
export type EventData<Type extends EventType> = z.input<(typeof EVENTS)[Type]["data"]>;
