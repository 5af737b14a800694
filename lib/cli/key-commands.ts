import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";
import { KEY_SCOPES, type KeyScope } from "#lib/domain/authority/types.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { revokeKey, rotateKey } from "#lib/domain/merchants/end-key.ts";
import { findKeyPlace, listApiKeys } from "#lib/domain/merchants/queries.ts";
import type { ApiKey } from "#lib/domain/merchants/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { type Cli, CommandRefusal, type Place, type WithCli } from "./cli.ts";
import { getMerchant } from "./find-merchant.ts";
import { envOption, parseDuration, parseTime, parseWholeNumber } from "./options.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

const DAY_MS = 86_400_000;

export function addKeyCommands(key: Command, withCli: WithCli): void {
  key
    .command("create")
    .description("create another key and print it once")
    .argument("<email>", "the merchant")
    .addOption(envOption())
    .addOption(new Option("--scope <scope>", "permissions of the key").choices(KEY_SCOPES).default("full"))
    .option("--expires <time>", "expiry, ISO 8601; default: never", parseTime)
    .action(withCli(create));
  key
    .command("list")
    .description("a merchant's keys")
    .argument("<email>", "the merchant")
    .action(withCli(list));
  key
    .command("rotate")
    .description(
      "replace a key by a new one of the same kind and print it once; the old one works for a while",
    )
    .argument("<id>", "as `key list` shows it", parseWholeNumber)
    .option("--overlap <time>", "how long the old one still works: 30m, 24h, 7d, or 0", parseDuration, DAY_MS)
    .option("--expires <time>", "expiry of the new key, ISO 8601; default: never", parseTime)
    .action(withCli(rotate));
  key
    .command("revoke")
    .description("revoke a key")
    .argument("<id>", "as `key list` shows it", parseWholeNumber)
    .option("--at <time>", "time of the revocation, ISO 8601; default: now", parseTime)
    .action(withCli(revoke));
}

async function create(
  cli: Cli,
  email: string,
  options: { env: Env; scope: KeyScope; expires?: Date },
): Promise<void> {
  const { env, scope, expires: expiresAt = null } = options;
  await cli.withDatabase(async ({ database }) => {
    const { id: merchantId } = await getMerchant(database.db, email);
    const { key, apiKey } = await cli.perform(database, createKey, { merchantId, env }, { scope, expiresAt });
    cli.print({ ...showKey(key), api_key: apiKey });
  });
}

async function list(cli: Cli, email: string): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const { id } = await getMerchant(database.db, email);
    cli.print((await listApiKeys(database.db, id)).map(showKey));
  });
}

async function revoke(cli: Cli, id: number, { at = null }: { at?: Date | null }): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const { key } = await cli.perform(database, revokeKey, await getPlace(database.db, id), { id, at });
    cli.print(showKey(key));
  });
}

async function rotate(
  cli: Cli,
  id: number,
  { overlap, expires }: { overlap: number; expires?: Date },
): Promise<void> {
  const expiresAt = expires ?? null;
  await cli.withDatabase(async ({ database }) => {
    const oldUntil = new Date(cli.now().getTime() + overlap);
    const place = await getPlace(database.db, id);
    const { key, apiKey, old } = await cli.perform(database, rotateKey, place, { id, oldUntil, expiresAt });
    cli.print({ ...showKey(key), api_key: apiKey, old: showKey(old) });
  });
}

/** The merchant and environment of a key. Refused if there is no such key. */
async function getPlace(db: Db, id: number): Promise<Place> {
  const place = await findKeyPlace(db, id);
  if (place === null) throw new CommandRefusal(REFUSAL_TEXTS.key_not_found);
  return place;
}

function showKey(key: ApiKey) {
  return {
    id: key.id,
    env: key.env,
    scope: key.scope,
    last4: key.last4,
    made_by: key.madeBy === null ? null : actorOf(key.madeBy),
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  };
}
