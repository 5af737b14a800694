import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";

/** Session-level advisory lock: of several programs starting at once one migrates, the others wait for it. */
const MIGRATION_LOCK = 0x70_6c_10;

/**
 * Brings the database at `url` up to date: Idempotent, safe to call from several programs at once. The role needs the right to create. Throws what PostgreSQL refuses.
 */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "paylink migrate" });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await applyMigrations(drizzle(client), {
      migrationsFolder: fileURLToPath(new URL("./migrations", import.meta.url)),
    });
  } finally {
    // The lock goes with the session.
    await client.end();
  }
}
