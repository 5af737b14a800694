import type { Command } from "commander";
import { openDatabase } from "#lib/db/connection.ts";
import { migrate } from "#lib/db/migrate.ts";
import { skipNumbers } from "#lib/db/skip-numbers.ts";
import { decide } from "./decide.ts";
import { commandConfig, print, withServer } from "./run-command.ts";

export function addDatabaseCommands(program: Command): void {
  program
    .command("migrate")
    .description("bring the database up to date, as MIGRATE_DATABASE_URL's role where it is set")
    .action(async () => {
      await withOwner(migrate);
      print({ migrated: true });
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

/** Runs `work` with the URL of the role that may change tables. */
async function withOwner(work: (url: string) => Promise<void>): Promise<void> {
  const config = commandConfig();
  await withServer(config, (url) => work(config.migrateDatabaseUrl ?? url));
}

async function skip(url: string): Promise<void> {
  const database = openDatabase(url, { max: 1, applicationName: "paylink command" });
  try {
    const { ahead } = await decide(database, skipNumbers, (done) => ({
      action: "numbers.skip",
      subject: "database",
      details: { ahead: done.ahead },
    }));
    print({ skipped: ahead });
  } finally {
    await database.close();
  }
}
