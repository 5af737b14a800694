import type { webhooks } from "./schema.ts";

export type EventType = keyof webhooks;

type EventBody<Type extends EventType> = webhooks[Type]["post"]["requestBody"]["content"]["application/json"];

/** The events of these types: the body of the webhook and its id. Amounts are decimal strings. */
export type EventOf<Types extends EventType> = {
  [Type in Types]: EventBody<Type> & {
    /** The webhook-id, "evt_12". It stays the same when the event is sent again. */
    readonly id: string;
  };
}[Types];

/** Handle an event only if its `seq` is higher than the highest that you have handled for its `refid`. */
export type PaymentLinkEvent = EventOf<Extract<EventType, `payment_link_${string}`>>;
export type DepositEvent = EventOf<Extract<EventType, `deposit_${string}`>>;
export type WithdrawalEvent = EventOf<Extract<EventType, `withdrawal_${string}`>>;
/** Another webhook endpoint of the merchant was disabled: it responded with 410, or accepted nothing for five days. */
export type WebhookEndpointEvent = EventOf<"webhook_endpoint_disabled">;

/** Any event. Compare `type` to narrow it. */
export type WebhookEvent = EventOf<EventType>;
