import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { isPermissionDenied } from "./connection.ts";
import { countPendingMigrations } from "./pending-migrations.ts";

/** Session-level advisory lock: of several programs starting at once one migrates, the others wait for it. */
const MIGRATION_LOCK = 0x70_6c_10;
const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));
const GRANTS = new URL("./grants.sql", import.meta.url);

/** The database's role may not do what there is to do. The message says what to run. */
export class MigrationError extends Error {
  constructor(role: string, what: string, cause: unknown) {
    const command = `MIGRATE_DATABASE_URL=… npm run -s paylink -- migrate --grant ${role}`;
    super(`The database role ${role} may not ${what}. Run as the owner of the tables: ${command}`, { cause });
    this.name = "MigrationError";
  }
}

/**
 * Brings the database at `url` up to date; where it is, its role needs no more than the right to see that. With `grantTo`
 * the owner of the tables then gives that role what the program needs (grants.sql). Idempotent, safe to call from several
 * programs at once. Throws MigrationError where the role lacks a right.
 */
export async function migrate(
  url: string,
  { grantTo }: { grantTo?: string | undefined } = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "paylink migrate" });
  client.on("error", () => {});
  await client.connect();
  const db = drizzle(client);
  const count = () => asRole(client, "see which migrations are in place", () => countPendingMigrations(db));
  try {
    if (grantTo === undefined && (await count()) <= 0) return;
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    // Another program may have made them while this one waited.
    const missing = await count();
    if (missing > 0) {
      const apply = () => applyMigrations(db, { migrationsFolder: MIGRATIONS });
      await asRole(client, `make the migrations that are missing (${missing})`, apply);
    }
    if (grantTo !== undefined) await asRole(client, "give rights", () => grantRights(client, grantTo));
  } finally {
    // The lock goes with the session.
    await client.end();
  }
}

/** Runs `work`; what PostgreSQL forbids the client's role becomes an error that says what that role may not do. */
async function asRole<T>(client: pg.Client, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isPermissionDenied(error)) throw error;
    const { rows } = await client.query<{ role: string }>("select current_user as role");
    throw new MigrationError(rows[0]?.role ?? "", what, error);
  }
}

async function grantRights(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ owns: boolean; self: string }>(
    `select pg_has_role(relowner, 'usage') as owns, current_user as self
    from pg_class where oid = 'drizzle.__drizzle_migrations'::regclass`,
  );
  // Anybody else PostgreSQL would only warn that nothing was granted.
  if (!rows[0]?.owns) throw new MigrationError(rows[0]?.self ?? "", "give rights", undefined);
  // Several statements in one query are one transaction: nobody sees what is granted before it is revoked.
  await client.query(readFileSync(GRANTS, "utf8").replaceAll(':"role"', pg.escapeIdentifier(role)));
}
