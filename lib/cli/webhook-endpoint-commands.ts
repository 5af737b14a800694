import { type Command, InvalidArgumentError, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import {
  addEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from "#lib/domain/webhooks/change-endpoints.ts";
import { EVENT_TYPES, type EventType } from "#lib/domain/webhooks/events.ts";
import { findEndpointOwner, listEndpoints } from "#lib/domain/webhooks/queries.ts";
import type { WebhookEndpoint, WebhookOwner } from "#lib/domain/webhooks/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { type Cli, CommandRefusal, openCommandSecrets, type WithCli } from "./cli.ts";
import { getMerchant } from "./find-merchant.ts";
import { envOption, parseDuration, parseWholeNumber } from "./options.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

const DAY_MS = 86_400_000;
type Types = readonly EventType[] | "all";

export function addEndpointCommands(webhook: Command, withCli: WithCli): void {
  const endpoint = webhook.command("endpoint").description("endpoints that receive a merchant's events");
  endpoint
    .command("add")
    .description("add an endpoint with its own secret and print the secret once")
    .argument("<email>", "the merchant")
    .addOption(envOption())
    .requiredOption("--url <url>", "URL that receives events")
    .option("--types <types>", TYPES_HELP, parseEventTypes, "all")
    .action(withCli(add));
  endpoint
    .command("list")
    .description("a merchant's endpoints, oldest first")
    .argument("<email>", "the merchant")
    .addOption(envOption())
    .action(withCli(list));
  endpoint
    .command("update")
    .description("change an endpoint; a new URL enables it again")
    .argument("<id>", "as `webhook endpoint list` shows it", parseWholeNumber)
    .option("--url <url>", "URL that receives events")
    .option("--types <types>", TYPES_HELP, parseEventTypes)
    .addOption(new Option("--enable", "send events there again").conflicts("disable"))
    .option("--disable", "send no events there")
    .action(withCli(update));
  endpoint
    .command("remove")
    .description("remove an endpoint; its due deliveries fail")
    .argument("<id>", "as `webhook endpoint list` shows it", parseWholeNumber)
    .action(withCli(remove));
  endpoint
    .command("rotate")
    .description("sign with a new secret and print it once; the old one also signs for a while")
    .argument("<id>", "as `webhook endpoint list` shows it", parseWholeNumber)
    .option("--overlap <time>", "how long both sign: 30m, 24h, 7d, or 0", parseDuration, DAY_MS)
    .action(withCli(rotate));
}

async function add(cli: Cli, email: string, options: { env: Env; url: string; types: Types }): Promise<void> {
  const { env, url, types } = options;
  await cli.withDatabase(async ({ config, database }) => {
    const sealer = openCommandSecrets(config);
    const owner = await getWebhookOwner(database.db, { merchant: email, env });
    const given = { sealer, url, eventTypes: toTypeList(types) };
    const { endpoint, secret } = await cli.perform(database, addEndpoint, owner, given);
    cli.print({ ...showEndpoint(endpoint), webhook_secret: secret });
  });
}

async function list(cli: Cli, email: string, { env }: { env: Env }): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const owner = await getWebhookOwner(database.db, { merchant: email, env });
    cli.print((await listEndpoints(database.db, owner)).map(showEndpoint));
  });
}

interface UpdateOptions {
  url?: string;
  types?: Types;
  enable?: true;
  disable?: true;
}

async function update(cli: Cli, id: number, options: UpdateOptions, command: Command): Promise<void> {
  const { url, types, enable, disable } = options;
  if (Object.keys(options).length === 0) command.error("error: nothing to change was given");
  const changes = {
    ...(url === undefined ? {} : { url }),
    ...(types === undefined ? {} : { eventTypes: toTypeList(types) }),
    ...(enable || disable ? { enabled: enable === true } : {}),
  };
  await cli.withDatabase(async ({ database }) => {
    const owner = await getEndpointOwner(database.db, id);
    const { endpoint } = await cli.perform(database, updateEndpoint, owner, { id, ...changes });
    cli.print(showEndpoint(endpoint));
  });
}

async function remove(cli: Cli, id: number): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const owner = await getEndpointOwner(database.db, id);
    const { endpoint } = await cli.perform(database, removeEndpoint, owner, { id });
    cli.print({ ...showEndpoint(endpoint), removed: true });
  });
}

async function rotate(cli: Cli, id: number, { overlap }: { overlap: number }): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const sealer = openCommandSecrets(config);
    const owner = await getEndpointOwner(database.db, id);
    const change = { id, sealer, overlapMs: overlap };
    const { endpoint, secret } = await cli.perform(database, rotateEndpointSecret, owner, change);
    cli.print({ ...showEndpoint(endpoint), webhook_secret: secret });
  });
}

/** The merchant and environment of an endpoint. Refused if there is no such endpoint. */
export async function getEndpointOwner(db: Db, id: number): Promise<WebhookOwner> {
  const owner = await findEndpointOwner(db, id);
  if (owner === null) throw new CommandRefusal(REFUSAL_TEXTS.endpoint_not_found);
  return owner;
}

function showEndpoint(endpoint: WebhookEndpoint) {
  return {
    id: endpoint.id,
    env: endpoint.env,
    url: endpoint.url,
    types: endpoint.eventTypes ?? "all",
    old_secret_until: endpoint.previousSecretUntil,
    failing_since: endpoint.failingSince,
    disabled_at: endpoint.disabledAt,
    created_at: endpoint.createdAt,
  };
}

function toTypeList(types: Types): EventType[] | null {
  return types === "all" ? null : [...types];
}

/** The merchant and environment of a webhook command. Refused if there is no such merchant. */
export async function getWebhookOwner(
  db: Db,
  { merchant, env }: { merchant: string; env: Env },
): Promise<WebhookOwner> {
  return { merchantId: (await getMerchant(db, merchant)).id, env };
}

/** "12" or "evt_12". */
export function parseEventId(text: string): number {
  return parseWholeNumber(text.replace(/^evt_/, ""));
}

export const TYPES_HELP = `all, or a list with commas of ${EVENT_TYPES.join(", ")}`;

export function parseEventTypes(text: string): EventType[] | "all" {
  if (text === "all") return text;
  const names = [...new Set(text.split(","))];
  const unknown = names.find((name) => !(EVENT_TYPES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no event type "${unknown}".`);
  return names as EventType[];
}
