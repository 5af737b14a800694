import { type Command, Option } from "commander";
import { createKey, listKeys, revokeKey } from "#lib/merchants/manage-keys.ts";
import { type ApiKey, KEY_SCOPES, type KeyScope } from "#lib/merchants/types.ts";
import type { Env } from "#lib/networks/networks.ts";
import { envOption, time, wholeNumber } from "./options.ts";
import { accepted, print, withDatabase } from "./run-command.ts";

export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("API keys");
  key
    .command("create")
    .description(
      "make a further key; prints it, once. To rotate: create, then revoke the old one --at a time",
    )
    .argument("<email>", "the merchant")
    .addOption(envOption())
    .addOption(new Option("--scope <scope>", "what it may do").choices(KEY_SCOPES).default("full"))
    .option("--expires <time>", "when it ends, ISO 8601; never when absent", time)
    .action(create);
  key.command("list").description("a merchant's keys").argument("<email>", "the merchant").action(list);
  key
    .command("revoke")
    .description("end a key")
    .argument("<id>", "as `key list` shows it", wholeNumber)
    .option("--at <time>", "until when it still works, ISO 8601; now when absent", time)
    .action(revoke);
}

async function create(email: string, options: { env: Env; scope: KeyScope; expires?: Date }): Promise<void> {
  const { env, scope, expires: expiresAt = null } = options;
  await withDatabase(async ({ database }) => {
    const made = await database.db.transaction((tx) =>
      createKey(tx, email, { env, scope, expiresAt }, new Date()),
    );
    const { key, apiKey } = accepted(made);
    print({ ...showKey(key), api_key: apiKey });
  });
}

async function list(email: string): Promise<void> {
  await withDatabase(async ({ database }) => {
    print(accepted(await listKeys(database.db, email)).keys.map(showKey));
  });
}

async function revoke(id: number, { at = null }: { at?: Date | null }): Promise<void> {
  await withDatabase(async ({ database }) => {
    const revoked = await database.db.transaction((tx) => revokeKey(tx, id, at, new Date()));
    print(showKey(accepted(revoked).key));
  });
}

function showKey(key: ApiKey) {
  return {
    id: key.id,
    env: key.env,
    scope: key.scope,
    last4: key.last4,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  };
}
