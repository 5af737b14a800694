import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkSecrets } from "#lib/domain/database/check-secrets.ts";
import { type Database, isPermissionDenied, openDatabase } from "#lib/platform/db/connection.ts";
import { EmbeddedPostgresError } from "#lib/platform/db/embedded.ts";
import { countPendingMigrations, MigrationError } from "#lib/platform/db/migrate.ts";
import { countSessions } from "#lib/platform/db/sessions.ts";
import { isRestoreUnfinished, UNFINISHED_RESTORE } from "#lib/platform/db/unfinished-restore.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import type { CommandConfig } from "#lib/server/config.ts";
import type { Cli } from "../cli.ts";
import { checkAddresses, checkReplica } from "./check-addresses.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";
import { tryConnection } from "./try-connection.ts";

/** Supported versions of PostgreSQL. */
const OLDEST = 15;
const NEWEST = 18;
const PAGE = "docs/operate/database.md";

/** Checks the database that the environment names: whether it answers, its version, tables, rights, clock, secrets and roles. */
export async function checkDatabase(cli: Cli, config: CommandConfig): Promise<readonly Finding[]> {
  if (config.databaseUrl === null) {
    if (!config.mayStartEmbedded)
      return [
        failed(
          "database",
          "DATABASE_URL is not set, and a live network is on",
          `Set DATABASE_URL=postgres://user:password@host:5432/name (${PAGE}), or EMBEDDED=yes if the embedded PostgreSQL in ` +
            "DATA_DIR is this installation's database.",
        ),
      ];
    if (!existsSync(join(config.dataDir, "postgres")))
      return [
        warning(
          "database",
          "DATABASE_URL is not set, and DATA_DIR has no database yet",
          `For a trial do nothing: the first start makes one there. Otherwise set DATABASE_URL (${PAGE}).`,
        ),
      ];
  }
  let findings: readonly Finding[] = [];
  try {
    await cli.withServer(config, async (url) => {
      findings = await askDatabase(cli, config, url);
    });
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    return [failed("database", error.message, `It is the embedded PostgreSQL of DATA_DIR: ${PAGE}.`)];
  }
  return findings;
}

async function askDatabase(cli: Cli, config: CommandConfig, url: string): Promise<readonly Finding[]> {
  const refused = await tryConnection(url);
  if (refused !== null) return [refused];
  const addresses = await checkAddresses(url, config.pooledDatabaseUrl);
  if (addresses.some(({ status }) => status === "failed")) return addresses;
  const database = openDatabase(url, { max: 2, applicationName: "paylink command" });
  try {
    const { finding, role } = await describeServer(database, url);
    const clock = await askClock(cli, database);
    const tables = await checkTables(database, role);
    if (tables.status === "failed") return [finding, ...addresses, clock, tables];
    const secrets = await checkStoredSecrets(database, config);
    const replica = await checkReplica(database, config.readDatabaseUrl);
    return [finding, ...addresses, ...replica, clock, tables, ...secrets, await checkRoles(database, config)];
  } finally {
    await database.close();
  }
}

async function describeServer({ pool }: Database, url: string) {
  const { rows } = await pool.query<{ version: string; role: string; name: string }>(
    "select current_setting('server_version') as version, current_user as role, current_database() as name",
  );
  const { version = "", role = "", name = "" } = rows[0] ?? {};
  const { hostname, port } = new URL(url);
  const found = `PostgreSQL ${version} at ${hostname}:${port || 5432}, database ${name}, role ${role}`;
  const major = Number.parseInt(version, 10);
  const supported = `Paylink is tested with PostgreSQL ${OLDEST} to ${NEWEST}: use one of these.`;
  if (major < OLDEST) return { role, finding: failed("database", found, supported) };
  return { role, finding: major > NEWEST ? warning("database", found, supported) : ok("database", found) };
}

async function askClock({ now }: Cli, { pool }: Database): Promise<Finding> {
  const before = now();
  const { rows } = await pool.query<{ at: Date }>("select clock_timestamp() as at");
  return compareClocks(rows[0]?.at ?? before, { before, after: now() });
}

/** Whether the tables are those of this version, and this role may use them. */
async function checkTables({ db, pool }: Database, role: string): Promise<Finding> {
  const grant = `As the owner of the tables: MIGRATE_DATABASE_URL=… npm run -s paylink -- migrate --grant ${role}`;
  let missing: number;
  try {
    if (await isRestoreUnfinished(db))
      return failed("tables", "the database was not restored completely", UNFINISHED_RESTORE);
    missing = await countPendingMigrations(db);
  } catch (error) {
    if (error instanceof MigrationError)
      return failed("tables", error.message, "docs/operate/upgrade.md says how to get there.");
    if (!isPermissionDenied(error)) throw error;
    return failed("tables", `the role ${role} has no rights on the tables`, grant);
  }
  if (missing > 0)
    return failed(
      "tables",
      `${missing} migrations are missing`,
      `Run npm run -s paylink -- migrate. With a role that does not own the tables: MIGRATE_DATABASE_URL=… and --grant ${role} (${PAGE}).`,
    );
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')) order by 1`,
  );
  if (rows.length > 0)
    return failed(
      "tables",
      `the role ${role} lacks rights on ${rows.length} tables, such as ${rows[0]?.name}`,
      grant,
    );
  if (missing < 0)
    return warning(
      "tables",
      "a newer version of Paylink has migrated the database",
      "Run the newer version here too: docs/operate/upgrade.md.",
    );
  return ok("tables", "those of this version, and the role may use them");
}

async function checkStoredSecrets(
  { db }: Database,
  { secretKey, previousSecretKeys }: CommandConfig,
): Promise<readonly Finding[]> {
  if (secretKey === null) return [];
  const { secrets, unreadable } = await checkSecrets(db, openSecrets(secretKey, previousSecretKeys));
  if (unreadable === 0) return secrets === 0 ? [] : [ok("stored secrets", "SECRET_KEY opens them")];
  return [
    failed(
      "stored secrets",
      "SECRET_KEY does not open what the database has: webhooks wait",
      "Set the SECRET_KEY that encrypted it, or add that one to SECRET_KEY_PREVIOUS: docs/operate/security.md.",
    ),
  ];
}

/** Whether a server and a worker are connected. */
async function checkRoles({ db }: Database, { networks }: CommandConfig): Promise<Finding> {
  const { server, watchers } = await countSessions(db);
  if (server === 0)
    return warning(
      "roles",
      "no server is connected to the database",
      "Start it: `npm start`, or its systemd unit.",
    );
  if (watchers < networks.length)
    return failed(
      "roles",
      `a server runs, and ${watchers} of ${networks.length} networks are watched`,
      "Start a process whose ROLES has worker, with these networks in its environment. Its log says what prevents it.",
    );
  return ok("roles", `a server runs, and ${watchers} networks are watched`);
}

/** Differences of synchronized machines are far below. */
const NOTABLE_MS = 2_000;
/** Quotes, keys and signatures end by the clock: more than this breaks them. */
const WRONG_MS = 30_000;

const ADVICE =
  "Synchronize the clocks of both machines: `timedatectl set-ntp true`, then `timedatectl status` on each.";

/** Compares this machine's clock with the database's, which was read between two times of this one. */
function compareClocks(database: Date, { before, after }: { before: Date; after: Date }): Finding {
  const here = (before.getTime() + after.getTime()) / 2;
  const uncertain = (after.getTime() - before.getTime()) / 2;
  const difference = Math.abs(database.getTime() - here);
  const seconds = Math.round(difference / 1_000);
  const found = `this machine and the database differ by ${seconds} s`;
  if (difference > WRONG_MS + uncertain) return failed("clock", found, ADVICE);
  if (difference > NOTABLE_MS + uncertain) return warning("clock", found, ADVICE);
  return ok("clock", "as the database's, to within two seconds");
}
