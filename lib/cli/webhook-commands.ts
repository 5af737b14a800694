import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { findLink } from "#lib/domain/payment-links/queries.ts";
import { setEventTypes } from "#lib/domain/webhooks/change-endpoints.ts";
import type { EventType } from "#lib/domain/webhooks/events.ts";
import {
  findEventOwner,
  type ListedDelivery,
  listAttempts,
  listDeliveries,
  listEndpoints,
} from "#lib/domain/webhooks/queries.ts";
import { redeliverEvent, redeliverEvents } from "#lib/domain/webhooks/retrigger-events.ts";
import { DELIVERY_STATUSES, type DeliveryStatus, type WebhookOwner } from "#lib/domain/webhooks/types.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { envOption, parseTime, parseWholeNumber } from "./options.ts";
import { addListOptions, type ListOptions, MAX_LIMIT, printList } from "./print-list.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";
import {
  addEndpointCommands,
  getWebhookOwner,
  parseEventId,
  parseEventTypes,
  TYPES_HELP,
} from "./webhook-endpoint-commands.ts";
import { addWebhookTestCommand } from "./webhook-test-command.ts";

export function addWebhookCommands(webhook: Command, withCli: WithCli): void {
  const list = webhook
    .command("deliveries")
    .description("deliveries of a merchant, or of a link or withdrawal; newest event first")
    .option("--merchant <email>", "the merchant, with --env")
    .addOption(
      new Option("--refid <refid>", "only events of this link or withdrawal, in its environment").conflicts(
        "merchant",
      ),
    )
    .addOption(envOption())
    .addOption(new Option("--status <status>", "only these").choices(DELIVERY_STATUSES))
    .option("--before <event>", "only those of earlier events than this one", parseEventId);
  addListOptions(list, MAX_LIMIT).action(withCli(deliveries));
  webhook
    .command("redeliver")
    .description("send an event again, under its webhook-id, to the endpoints that want it")
    .argument("<event>", "its number, or its webhook-id", parseEventId)
    .action(withCli(redeliver));
  webhook
    .command("redeliver-range")
    .description("send a merchant's events of a time again, oldest first, 10000 at most")
    .requiredOption("--merchant <email>", "the merchant")
    .addOption(envOption())
    .requiredOption("--from <time>", "ISO 8601, included", parseTime)
    .requiredOption("--to <time>", "ISO 8601, not included", parseTime)
    .option("--undelivered", "only what an endpoint has not taken yet")
    .option("--endpoint <id>", "only to this one", parseWholeNumber)
    .option(
      "--after <event>",
      "only later events than this one: the last_event of the call before",
      parseEventId,
    )
    .action(withCli(redeliverRange));
  webhook
    .command("attempts")
    .description("what each attempt at a delivery met, with the start of the answer")
    .argument("<delivery>", "its id, as `webhook deliveries` shows it", parseWholeNumber)
    .action(withCli(attempts));
  webhook
    .command("events")
    .description("set the event types of a merchant and print its endpoints")
    .requiredOption("--merchant <email>", "the merchant")
    .addOption(envOption())
    .option("--types <types>", TYPES_HELP, parseEventTypes)
    .action(withCli(events));
  addEndpointCommands(webhook, withCli);
  addWebhookTestCommand(webhook, withCli);
}

interface DeliveriesGiven extends ListOptions {
  readonly merchant?: string;
  readonly refid?: string;
  readonly env: Env;
  readonly status?: DeliveryStatus;
  readonly before?: number;
}

async function deliveries(cli: Cli, options: DeliveriesGiven, command: Command): Promise<void> {
  const { merchant, refid, env, status = null, before = null, limit } = options;
  if (merchant === undefined && refid === undefined) command.error("error: give --merchant or --refid");
  await cli.withDatabase(async ({ database: { db } }) => {
    const owner =
      refid === undefined
        ? await getWebhookOwner(db, { merchant: merchant ?? "", env })
        : await getOwnerOf(db, refid);
    const rows = await listDeliveries(db, owner, { status, before, refid: refid ?? null, limit: limit + 1 });
    printList(cli, rows.map(showDelivery), options, {
      columns: ["id", "event_id", "type", "refid", "status", "attempts", "last_status", "last_error", "url"],
      next: ({ event_id }) => `--before ${event_id}`,
    });
  });
}

/** The owner of a link or withdrawal. */
async function getOwnerOf(db: Db, refid: string): Promise<WebhookOwner> {
  const found =
    (await findLink(db, refid))?.link ??
    (await findWithdrawalByRefid(db, { env: null, refid, merchantId: null }));
  if (found === null) throw new CommandRefusal(REFUSAL_TEXTS.refid_not_found);
  return { merchantId: found.merchantId, env: found.env };
}

function showDelivery(delivery: ListedDelivery) {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    type: delivery.type,
    refid: delivery.refid,
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

async function redeliver(cli: Cli, id: number): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const owner = await findEventOwner(database.db, id);
    if (owner === null) throw new CommandRefusal(REFUSAL_TEXTS.webhook_event_not_found);
    await cli.perform(database, redeliverEvent, owner, { id });
    cli.print({ event_id: id, redelivered: true });
  });
}

async function redeliverRange(
  cli: Cli,
  options: {
    merchant: string;
    env: Env;
    from: Date;
    to: Date;
    undelivered?: true;
    endpoint?: number;
    after?: number;
  },
): Promise<void> {
  const { from, to, undelivered = false, endpoint = null, after = 0 } = options;
  await cli.withDatabase(async ({ database }) => {
    const owner = await getWebhookOwner(database.db, options);
    const asked = { from, to, undelivered, endpointId: endpoint, after };
    const { events: sent, lastEvent } = await cli.perform(database, redeliverEvents, owner, asked);
    cli.print({ events: sent, more: lastEvent !== null, last_event: lastEvent });
  });
}

async function attempts(cli: Cli, deliveryId: number): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const rows = await listAttempts(database.db, deliveryId);
    cli.print(
      rows.map((row) => ({
        attempt: row.attempt,
        url: row.url,
        sent_at: row.startedAt,
        duration_ms: row.durationMs,
        status: row.status,
        error: row.error,
        answer: row.answer?.toString("utf8") ?? null,
      })),
    );
  });
}

async function events(
  cli: Cli,
  options: {
    merchant: string;
    env: Env;
    types?: readonly EventType[] | "all";
  },
): Promise<void> {
  const { types } = options;
  await cli.withDatabase(async ({ database }) => {
    const owner = await getWebhookOwner(database.db, options);
    if (types !== undefined) {
      const eventTypes = types === "all" ? null : types;
      await cli.perform(database, setEventTypes, owner, { eventTypes });
    }
    const endpoints = await listEndpoints(database.db, owner);
    cli.print(
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
