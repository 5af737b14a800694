import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { OperatorError } from "#lib/platform/operator-error.ts";
import { requireLastingSessions } from "./addresses.ts";
import { type Db, isDatabaseError, isPermissionDenied, type Tx } from "./connection.ts";
import { isRestoreUnfinished, UNFINISHED_RESTORE } from "./unfinished-restore.ts";

/** Session-level advisory lock: of several programs that start at once, one migrates and the others wait. */
const MIGRATION_LOCK = 0x70_6c_10;
const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));
const JOURNAL = new URL("./migrations/meta/_journal.json", import.meta.url);
/** SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = "42P01";
/** The privileges of each role. */
const GRANTS = {
  program: new URL("./grants.sql", import.meta.url),
  signer: new URL("./grants-signer.sql", import.meta.url),
  approver: new URL("./grants-approver.sql", import.meta.url),
} as const;

/**
 * How long a migration waits for a lock. Everything else that wants the table waits behind it. The locks of our own
 * transactions last milliseconds, but a person's open transaction may last for hours.
 */
const LOCK_WAIT_MS = 10_000;
/** SQLSTATE of a lock that did not come in time, and of a deadlock. */
const LOCKED_OUT = ["55P03", "40P01"] as const;
const BEFORE_BASELINE =
  "This database is from before version 1.0.0 and lacks some migrations of that time. Nothing was changed. " +
  'See "From a version before 1.0.0" in docs/operate/upgrade.md.';

export interface MigrateOptions {
  readonly grantTo?: string | undefined;
  readonly grantSigner?: string | undefined;
  readonly grantApprover?: string | undefined;
  readonly lockWaitMs?: number;
  readonly isRestoring?: boolean;
}

/** The database could not be migrated for a reason that an operator can remove. The message says how. */
export class MigrationError extends OperatorError {
  override readonly name = "MigrationError";
}

function explainPrivilege(role: string, what: string, cause: unknown): MigrationError {
  const command = `MIGRATE_DATABASE_URL=… npm run -s paylink -- migrate --grant ${role}`;
  const message = `The database role ${role} may not ${what}. Run as the owner of the tables: ${command}`;
  return new MigrationError(message, { cause });
}

/**
 * Migrates the database at `url` to the current version. If it is current, the role needs only the privilege to see
 * that. With `grantTo`, `grantSigner` or `grantApprover`, the owner of the tables then grants that role what its program needs. Idempotent,
 * and safe to call from several programs at once. Throws MigrationError if the role lacks a privilege, if another transaction keeps the
 * tables locked for `lockWaitMs`, for some databases of before version 1.0.0 (`countPendingMigrations`), and, unless `isRestoring`, for one
 * that was not restored completely; then nothing has changed. Throws AddressError if `url` is a pooler in transaction mode, which would keep the
 * lock.
 */
export async function migrate(
  url: string,
  {
    grantTo,
    grantSigner,
    grantApprover,
    lockWaitMs = LOCK_WAIT_MS,
    isRestoring = false,
  }: MigrateOptions = {},
): Promise<void> {
  await requireLastingSessions(url);
  const client = new pg.Client({ connectionString: url, application_name: "paylink migrate" });
  client.on("error", () => {});
  await client.connect();
  const db = drizzle(client);
  const count = () => asRole(client, "see which migrations are in place", () => countPendingMigrations(db));
  try {
    if (!isRestoring && (await isRestoreUnfinished(db))) throw new MigrationError(UNFINISHED_RESTORE);
    const roles = Object.entries({ program: grantTo, signer: grantSigner, approver: grantApprover });
    if (roles.every(([, role]) => role === undefined) && (await count()) <= 0) return;
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    // Not before: another program's migration may take long, and the setting is for advisory locks too.
    await client.query("select set_config('lock_timeout', $1, false)", [`${lockWaitMs}ms`]);
    // Another program may have migrated while this one waited.
    const missing = await count();
    if (missing > 0) {
      const apply = () => applyMigrations(db, { migrationsFolder: MIGRATIONS });
      await asRole(client, `make the migrations that are missing (${missing})`, apply);
    }
    for (const [kind, role] of roles)
      if (role !== undefined)
        await asRole(client, "give rights", () => grantRights(client, kind as keyof typeof GRANTS, role));
  } finally {
    // The end of the session frees the lock.
    await client.end();
  }
}

/**
 * Runs `work`. A missing privilege becomes a MigrationError that says what the role may not do, and a lock that did not
 * come one that says to stop the processes.
 */
async function asRole<T>(client: pg.Client, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (LOCKED_OUT.some((state) => isDatabaseError(error, state))) throw explainLock(error);
    if (!isPermissionDenied(error)) throw error;
    const { rows } = await client.query<{ role: string }>("select current_user as role");
    throw explainPrivilege(rows[0]?.role ?? "", what, error);
  }
}

function explainLock(cause: unknown): MigrationError {
  return new MigrationError(
    "Nothing was migrated, because another program uses the tables: stop all web and worker processes and the signer, and try again.",
    { cause },
  );
}

async function grantRights(client: pg.Client, kind: keyof typeof GRANTS, role: string): Promise<void> {
  const { rows } = await client.query<{ owns: boolean; self: string }>(
    `select pg_has_role(relowner, 'usage') as owns, current_user as self
    from pg_class where oid = 'drizzle.__drizzle_migrations'::regclass`,
  );
  // For a role that is not the owner, PostgreSQL only warns that nothing was granted.
  if (!rows[0]?.owns) throw explainPrivilege(rows[0]?.self ?? "", "give rights", undefined);
  // Several statements in one query are one transaction, so grants are not visible before the revokes.
  await client.query(readFileSync(GRANTS[kind], "utf8").replaceAll(':"role"', pg.escapeIdentifier(role)));
}

/**
 * The number of migrations that the database lacks. Negative if a newer version of the program has migrated it. Throws MigrationError for a
 * database of before version 1.0.0 that lacks some of that time's migrations.
 *
 * Migrations are compared by their timestamps, as drizzle does. The first one, the baseline, has the timestamp of the last of the 58 that it
 * replaced: a database that has those has the baseline's tables, and only later migrations are missing there.
 */
export async function countPendingMigrations(db: Db): Promise<number> {
  const timestamps = readMigrations().map(({ when }) => when);
  const applied = await listAppliedMigrations(db);
  const newest = Math.max(...applied);
  const isOlderThan = (timestamp: number) => newest < timestamp;
  if (applied.length > 0 && isOlderThan(Math.min(...timestamps))) throw new MigrationError(BEFORE_BASELINE);
  const newer = applied.filter((timestamp) => timestamp > Math.max(...timestamps));
  return timestamps.filter(isOlderThan).length - newer.length;
}

/** The migrations of a version of the program, by its journal of migrations, oldest first. Default: this version. */
export function readMigrations(
  journal: string | URL = JOURNAL,
): readonly { readonly when: number; readonly tag: string }[] {
  return JSON.parse(readFileSync(journal, "utf8")).entries;
}

/** The timestamps of the migrations that the database has. Empty for an empty database. */
export async function listAppliedMigrations(db: Db | Tx): Promise<number[]> {
  try {
    const { rows } = await db.execute<{ created_at: string }>(
      sql`select created_at from drizzle.__drizzle_migrations`,
    );
    return rows.map(({ created_at }) => Number(created_at));
  } catch (error) {
    if (isDatabaseError(error, UNDEFINED_TABLE)) return [];
    throw error;
  }
}
