import type { Command } from "commander";
import { resealSecrets } from "#lib/domain/webhooks/reseal-secrets.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { migrate } from "#lib/platform/db/migrate.ts";
import { skipSequenceNumbers } from "#lib/platform/db/skip-sequence-numbers.ts";
import {
  openCommandSecrets,
  print,
  readConfigWithDemo,
  runAudited,
  withDatabase,
  withServer,
} from "./run-command.ts";
export function addDatabaseCommands(program: Command): void {
  program
    .command("migrate")
    .description("bring the database up to date, as MIGRATE_DATABASE_URL's role where it is set")
    .option("--grant <role>", "then give this role what the program needs of the tables, and no more")
    .action(async ({ grant }: { grant?: string }) => {
      await withOwner((url) => migrate(url, { grantTo: grant }));
      print({ migrated: true, ...(grant !== undefined && { granted: grant }) });
    });
  program
    .command("numbers")
    .description("numbers of events, deposits and all else that is counted")
    .command("skip")
    .description("after a restored backup: those that may have been given since are not given again")
    .action(async () => {
      await withOwner(skip);
    });
}

/** Runs `work` with the database URL of the role that may change tables. */
async function withOwner(work: (url: string) => Promise<void>): Promise<void> {
  const config = readConfigWithDemo();
  // If it is set, neither DATABASE_URL nor the embedded server is needed.
  if (config.migrateDatabaseUrl !== null) await work(config.migrateDatabaseUrl);
  else await withServer(config, work);
}

async function skip(url: string): Promise<void> {
  const database = openDatabase(url, { max: 1, applicationName: "paylink command" });
  try {
    const { ahead } = await runAudited(database, skipSequenceNumbers, (done) => ({
      action: "numbers.skip",
      subject: "database",
      details: { ahead: done.ahead },
    }));
    print({ skipped: ahead });
  } finally {
    await database.close();
  }
}

export function addSecretCommands(program: Command): void {
  const secrets = program.command("secrets").description("what SECRET_KEY seals in the database");
  secrets
    .command("reseal")
    .description("seal everything with SECRET_KEY that a key of SECRET_KEY_PREVIOUS has sealed")
    .action(reseal);
}

async function reseal(): Promise<void> {
  await withDatabase(async ({ config, database }) => {
    const sealing = openCommandSecrets(config);
    const { resealed, secrets } = await runAudited(
      database,
      (tx) => resealSecrets(tx, sealing),
      (done) => ({
        action: "secrets.reseal",
        subject: "secrets",
        details: { resealed: done.resealed, secrets: done.secrets },
      }),
    );
    print({ resealed, secrets });
  });
}
