import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { type MigrateOptions, migrate } from "#lib/platform/db/migrate.ts";
import { insertMissingNetworks } from "./store.ts";

/**
 * Migrates the database at `url`, and inserts the settings of the networks that it does not have: this version may have more networks
 * than the one before. Settings that are there stay. Throws MigrationError, as migrate does.
 */
export async function prepareDatabase(url: string, options: MigrateOptions = {}): Promise<void> {
  await migrate(url, options);
  const database = openDatabase(url, { max: 1, applicationName: "paylink migrate" });
  try {
    await insertMissingNetworks(database.db, NETWORK_CODES);
  } finally {
    await database.close();
  }
}
