import { type Command, InvalidArgumentError, Option } from "commander";
import type { Db } from "#lib/db/connection.ts";
import { findMerchantByEmail } from "#lib/merchants/load-merchant.ts";
import type { Env } from "#lib/networks/network-data.ts";
import { listDeliveries } from "#lib/webhooks/list-deliveries.ts";
import { redeliverEvent } from "#lib/webhooks/retrigger-events.ts";
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
  EVENT_TYPES,
  type EventType,
  type Owner,
} from "#lib/webhooks/types.ts";
import { listEndpoints, subscribe } from "#lib/webhooks/webhook-endpoints.ts";
import { decide } from "./decide.ts";
import { envOption, wholeNumber } from "./options.ts";
import { accepted, print, withDatabase } from "./run-command.ts";

const SHOWN = 500;

export function addWebhookCommands(program: Command): void {
  const webhook = program.command("webhook").description("what merchants are told");
  webhook
    .command("deliveries")
    .description(`a merchant's newest ${SHOWN} deliveries, newest event first`)
    .requiredOption("--merchant <email>", "the merchant")
    .addOption(envOption())
    .addOption(new Option("--status <status>", "only these").choices(DELIVERY_STATUSES))
    .option("--before <event>", "only those of earlier events than this one", eventId)
    .action(deliveries);
  webhook
    .command("redeliver")
    .description("send an event again, under its webhook-id, to the endpoints that want it")
    .argument("<event>", "its number, or its webhook-id", eventId)
    .action(redeliver);
  webhook
    .command("events")
    .description("choose what a merchant is told; prints its endpoints")
    .requiredOption("--merchant <email>", "the merchant")
    .addOption(envOption())
    .option("--types <types>", `all, or a list with commas of ${EVENT_TYPES.join(", ")}`, eventTypes)
    .action(events);
}

async function deliveries(options: {
  merchant: string;
  env: Env;
  status?: DeliveryStatus;
  before?: number;
}): Promise<void> {
  await withDatabase(async ({ database }) => {
    const owner = await ownerOf(database.db, options);
    const { status = null, before = null } = options;
    print((await listDeliveries(database.db, owner, { status, before, limit: SHOWN })).map(showDelivery));
  });
}

function showDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    type: delivery.type,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt,
    updated_at: delivery.updatedAt,
  };
}

async function redeliver(id: number): Promise<void> {
  await withDatabase(async ({ database }) => {
    const describe = () => ({ action: "webhook.redeliver", subject: `event:${id}`, details: {} });
    await decide(database, (tx, now) => redeliverEvent(tx, id, now), describe);
    print({ event_id: id, redelivered: true });
  });
}

async function events(options: {
  merchant: string;
  env: Env;
  types?: readonly EventType[] | "all";
}): Promise<void> {
  const { env, types } = options;
  await withDatabase(async ({ database }) => {
    const owner = await ownerOf(database.db, options);
    if (types !== undefined) {
      const subject = `merchant:${owner.merchantId}`;
      const details = { env, types: types === "all" ? types : types.join(",") };
      await decide(
        database,
        (tx) => subscribe(tx, owner, types === "all" ? null : types),
        () => ({ action: "webhook.events", subject, details }),
      );
    }
    const endpoints = await listEndpoints(database.db, owner);
    print(
      endpoints.map((endpoint) => ({
        id: endpoint.id,
        env: endpoint.env,
        url: endpoint.url,
        types: endpoint.eventTypes ?? "all",
        disabled_at: endpoint.disabledAt,
      })),
    );
  });
}

async function ownerOf(db: Db, { merchant, env }: { merchant: string; env: Env }): Promise<Owner> {
  const found = await findMerchantByEmail(db, merchant);
  const { id: merchantId } = accepted(
    found === null ? { ok: false, reason: "merchant_not_found" } : { ok: true, id: found.id },
  );
  return { merchantId, env };
}

/** "12" or "evt_12". */
function eventId(text: string): number {
  return wholeNumber(text.replace(/^evt_/, ""));
}

function eventTypes(text: string): EventType[] | "all" {
  if (text === "all") return text;
  const names = [...new Set(text.split(","))];
  const unknown = names.find((name) => !(EVENT_TYPES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no event type "${unknown}".`);
  return names as EventType[];
}
