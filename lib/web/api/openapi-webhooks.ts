import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { toDepositNumber } from "#lib/domain/deposit-status.ts";
import { EVENTS, type EventType } from "#lib/domain/webhooks/events.ts";
import { toStatusNumber } from "#lib/domain/withdrawal-status.ts";
import { timestamp } from "./fields/common.ts";

/** No tag of the operations: generators of clients write one file for each tag. */
export const EVENTS_TAG = "Events";

/** Headers of every webhook, as in Standard Webhooks. */
const webhookHeaders = z.object({
  "webhook-id": z.string().openapi({
    description: "Id of the event. It stays the same when the event is sent again.",
    example: "evt_12",
  }),
  "webhook-timestamp": z.string().openapi({ description: "Time of the attempt, in Unix seconds." }),
  "webhook-signature": z.string().openapi({ description: "Signature with the secret of the endpoint." }),
});

/** Describes the request that each event type sends to the webhook endpoints of the merchant. */
export function describeWebhooks(registry: OpenAPIHono["openAPIRegistry"]): void {
  const dataSchemas = new Map<z.ZodType, z.ZodType>();
  for (const type of Object.keys(EVENTS) as EventType[]) {
    const { data, summary } = EVENTS[type];
    // A schema that was made before @hono/zod-openapi was loaded has no openapi(). A new object with its shape does.
    const named = dataSchemas.get(data) ?? z.object(data.shape).openapi(eventDataName(type));
    dataSchemas.set(data, named);
    const schema = z.object({
      type: z.literal(type),
      timestamp: timestamp.openapi({ description: "Time of the event." }),
      data: named,
    });
    registry.registerWebhook({
      method: "post",
      path: type,
      operationId: `receive_${type}`,
      tags: [EVENTS_TAG],
      summary,
      description: "Check `webhook-signature` with the raw bytes of the body before you read it.",
      // The signature is not one of the security schemes of OpenAPI.
      security: [],
      request: {
        headers: webhookHeaders,
        body: { required: true, content: { "application/json": { schema } } },
      },
      responses: {
        "2XX": { description: "The event is delivered." },
        410: { description: "The endpoint is disabled." },
        "4XX": { description: "A failed attempt, like every other response. It is repeated later." },
      },
    });
  }
}

const amountOf = (amount: string) => [{ network: "bep20", token: "usdt", amount }];
const NOTHING_PAID = { payments: [], payments_count: 0, received: [], remaining: amountOf("25.5") };

type Json = Record<string, unknown>;
/** How the example of an event differs from the example of its data. `payment`: the payment of that example. */
const EXAMPLE_CHANGES: Partial<Record<EventType, (payment: Json) => Json>> = {
  payment_link_completed_overpaid: (payment) => ({
    state: "overpaid",
    payments: [{ ...payment, amount: "30.6", worth: "1.2" }],
    received: amountOf("30.6"),
    excess: amountOf("5.1"),
  }),
  payment_link_failed: () => ({ state: "failed", reason: "expired", ...NOTHING_PAID }),
  payment_link_late: (payment) => ({
    state: "failed",
    reason: "expired",
    late: true,
    payments: [{ ...payment, late: true }],
  }),
  payment_link_extra: (payment) => ({
    payments: [payment, { ...payment, output_pos: 9 }],
    payments_count: 2,
    received: amountOf("51"),
  }),
  payment_link_reverted: () => ({ state: "awaiting", ...NOTHING_PAID }),
  deposit_reversed: () => ({ status: toDepositNumber("dropped") }),
  withdrawal_failed: () => ({ status: toStatusNumber("failed") }),
  withdrawal_approval_needed: () => ({
    status: toStatusNumber("pending"),
    tx_hash: null,
    processed_at: null,
  }),
};

/** The example of an event, from the example of its type's schema. */
export function completeEventExample(type: string, example: Json): Json {
  const data = example.data as Json;
  const [payment] = (data.payments ?? []) as Json[];
  return { ...example, data: { ...data, ...EXAMPLE_CHANGES[type as EventType]?.(payment ?? {}) } };
}

/** The component name of the event's data: events about the same kind of record share it. */
function eventDataName(type: EventType): string {
  if (type.startsWith("payment_link_")) return "PaymentLinkEventData";
  if (type.startsWith("deposit_")) return "DepositEventData";
  if (type === "small_deposits") return "SmallDepositsEventData";
  if (type.startsWith("withdrawal_")) return "WithdrawalEventData";
  if (type === "refund_completed") return "RefundEventData";
  return "WebhookEndpointEventData";
}
