import { z } from "@hono/zod-openapi";
import { inTransaction } from "#lib/db/connection.ts";
import { retriggerEvents } from "#lib/webhooks/retrigger-events.ts";
import { creatingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { because, storable, whenAbsent } from "../fields.ts";

const transactionHash = whenAbsent(
  z
    .string(because("not_a_string"))
    .refine(storable, because("unsupported_character"))
    .max(255, because("field_too_long"))
    .openapi({
      description:
        "The hash that the events speak of. Upper and lower case, with `0x` and without, are the same.",
      example: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
    }),
  "transaction_hash_missing",
);

/** Endpoint 25. */
const retrigger = creatingEndpoint(
  {
    method: "post",
    path: "/webhooks/retrigger",
    operationId: "retriggerWebhooks",
    tag: "Webhooks",
    summary: "Send the stored events of a transaction again",
    description:
      "Every event that speaks of the transaction, the newest 500 at most, goes again to the endpoints that want it, " +
      "under its former `webhook-id`, with a fresh timestamp and signature.",
    scopes: [],
    body: () => z.object({ transaction_hash: transactionHash }),
    data: z
      .object({
        retriggered_count: z.number().int().openapi({ description: "How many events are on their way." }),
        webhook_ids: z
          .array(z.number().int())
          .openapi({ description: "Their integers: `evt_` and one of them is its `webhook-id`." }),
        transaction_hash: z.string().openapi({ description: "As it was sent." }),
      })
      .openapi("RetriggeredEvents"),
    errors: ["not_a_string", "unsupported_character", "field_too_long", "webhook_events_not_found"],
  },
  async ({ caller, input, now, db }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const sent = await inTransaction(db, (tx) => retriggerEvents(tx, owner, input.transaction_hash, now));
    if (!sent.ok) return failure(sent.reason);
    const { eventIds } = sent;
    return success(`${eventIds.length} webhook events retriggered successfully`, {
      retriggered_count: eventIds.length,
      webhook_ids: eventIds,
      transaction_hash: input.transaction_hash,
    });
  },
);

export const webhookEndpoints = [retrigger];
