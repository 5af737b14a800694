import type { Command } from "commander";
import { migrate } from "#lib/db/migrate.ts";
import { commandConfig, print, withServer } from "./run-command.ts";

export function addDatabaseCommands(program: Command): void {
  program
    .command("migrate")
    .description("bring the database up to date, as MIGRATE_DATABASE_URL's role where it is set")
    .action(async () => {
      const config = commandConfig();
      await withServer(config, (url) => migrate(config.migrateDatabaseUrl ?? url));
      print({ migrated: true });
    });
}
