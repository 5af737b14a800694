import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { actorOf } from "#lib/domain/members/own-entry.ts";
import { createKey, listKeys, revokeKey, rotateKey } from "#lib/domain/merchants/manage-keys.ts";
import { type ApiKey, KEY_SCOPES, type KeyScope, type Merchant } from "#lib/domain/merchants/types.ts";
import { type Cli, requireSuccess, type WithCli } from "./cli.ts";
import { envOption, parseDuration, parseTime, parseWholeNumber } from "./options.ts";

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
    const { key, apiKey } = await cli.runAudited(
      database,
      (tx, now) => createKey(tx, email, { env, scope, expiresAt }, now),
      (made) => entryOf("key.create", made),
    );
    cli.print({ ...showKey(key), api_key: apiKey });
  });
}

async function list(cli: Cli, email: string): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    cli.print(requireSuccess(await listKeys(database.db, email)).keys.map(showKey));
  });
}

async function revoke(cli: Cli, id: number, { at = null }: { at?: Date | null }): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const { key } = await cli.runAudited(
      database,
      (tx, now) => revokeKey(tx, id, at, now),
      (revoked) => entryOf("key.revoke", revoked),
    );
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
    const { key, apiKey, old } = await cli.runAudited(
      database,
      (tx, now) => rotateKey(tx, id, { oldUntil: new Date(now.getTime() + overlap), expiresAt }, now),
      (rotated) => {
        const { details, ...entry } = entryOf("key.rotate", rotated);
        return { ...entry, details: { ...details, old_key: id, old_until: endOf(rotated.old.revokedAt) } };
      },
    );
    cli.print({ ...showKey(key), api_key: apiKey, old: showKey(old) });
  });
}

/** The audit entry of a key. It never contains the key. */
function entryOf(action: string, { key, merchant }: { key: ApiKey; merchant: Merchant }) {
  const { env, scope, last4 } = key;
  const ends = { expires_at: endOf(key.expiresAt), revoked_at: endOf(key.revokedAt) };
  return {
    action,
    subject: `key:${key.id}`,
    details: { merchant: merchant.email, env, scope, last4, ...ends },
  };
}

function endOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
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
