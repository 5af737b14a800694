import type { Command } from "commander";
import { resealSecrets } from "#lib/domain/database/reseal-secrets.ts";
import { skipNumbers } from "#lib/domain/database/skip-numbers.ts";
import { prepareDatabase } from "#lib/domain/settings/prepare-database.ts";
import { isPermissionDenied, openDatabase } from "#lib/platform/db/connection.ts";
import { type Cli, CommandRefusal, openCommandSecrets, type WithCli } from "./cli.ts";

export function addMigrateCommand(command: Command, withCli: WithCli): void {
  command
    .option("--grant <role>", "then grant this role the rights that the program needs")
    .option("--grant-signer <role>", "then grant this role the rights that the signer needs, and no others")
    .option(
      "--grant-approver <role>",
      "then grant this role the rights that `signer approve` needs, and no others",
    )
    .action(withCli(migrateTables));
}

async function migrateTables(
  cli: Cli,
  {
    grant,
    grantSigner,
    grantApprover,
  }: { readonly grant?: string; readonly grantSigner?: string; readonly grantApprover?: string },
): Promise<void> {
  await withOwner(cli, (url) => prepareDatabase(url, { grantTo: grant, grantSigner, grantApprover }));
  const granted = grant ?? grantSigner ?? grantApprover;
  cli.print({ migrated: true, ...(granted !== undefined && { granted }) });
}

export function addNumberCommands(numbers: Command, withCli: WithCli): void {
  numbers
    .command("skip")
    .description(
      "after restoring a backup: skip numbers that may have been used since; as the owner of the tables " +
        "(MIGRATE_DATABASE_URL)",
    )
    .action(withCli((cli) => withOwner(cli, (url) => skip(cli, url))));
}

/** Runs `work` with the database URL of the role that may change tables. */
export async function withOwner(cli: Cli, work: (url: string) => Promise<void>): Promise<void> {
  const config = cli.readConfigWithDemo();
  // If it is set, neither DATABASE_URL nor the embedded server is needed.
  if (config.migrateDatabaseUrl !== null) await work(config.migrateDatabaseUrl);
  else await cli.withServer(config, work);
}

async function skip(cli: Cli, url: string): Promise<void> {
  const database = openDatabase(url, { max: 1, applicationName: "paylink command" });
  try {
    const { ahead } = await cli.performHere(database, skipNumbers, {});
    cli.print({ skipped: ahead });
  } catch (error) {
    if (!isPermissionDenied(error)) throw error;
    const { rows } = await database.pool.query("select current_user as role");
    throw new CommandRefusal(
      `the database role ${rows[0].role} may not skip numbers. Run it as the owner of the tables: ` +
        "MIGRATE_DATABASE_URL=… npm run -s paylink -- numbers skip",
    );
  } finally {
    await database.close();
  }
}

export function addSecretCommands(secrets: Command, withCli: WithCli): void {
  secrets
    .command("reseal")
    .description("encrypt with SECRET_KEY everything that a key of SECRET_KEY_PREVIOUS encrypted")
    .action(withCli(reseal));
}

async function reseal(cli: Cli): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const sealing = openCommandSecrets(config);
    const { resealed, secrets } = await cli.performHere(database, resealSecrets, sealing);
    cli.print({ resealed, secrets });
  });
}
