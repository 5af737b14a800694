import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Env } from "#lib/chains/network-data.ts";
import { checkSecrets } from "#lib/domain/database/check-secrets.ts";
import { prepareDatabase } from "#lib/domain/settings/prepare-database.ts";
import { AddressError, requireLastingSessions, requireSameDatabase } from "#lib/platform/db/addresses.ts";
import { type Database, isPermissionDenied, openDatabase } from "#lib/platform/db/connection.ts";
import { countPendingMigrations, MigrationError } from "#lib/platform/db/migrate.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { readCommandConfig } from "#lib/server/config.ts";
import { splitList } from "#lib/server/variables/formats.ts";
import { PROGRAM_VARIABLES } from "#lib/server/variables/program-variables.ts";
import { type Cli, CommandRefusal } from "../cli.ts";
import { tryConnection } from "../doctor/try-connection.ts";
import { ask, askYesOrNo, requireValid, WrongAnswer } from "./ask.ts";
import type { Variables } from "./env-file.ts";

/** The folder of an installation without an .env. The usual one is the demo's. */
const NEW_DATA_DIR = "./data/paylink";

/** `known` are the variables in effect, `file` those of .env, null without one. */
export interface Present {
  readonly known: Variables;
  readonly file: Variables | null;
}

/** Asks for the database, migrates it, and asks for or makes the key of its secrets. Returns the variables to write. */
export async function askDatabase(cli: Cli, env: Env, { known, file }: Present): Promise<Variables> {
  // Another folder than before would be an empty database, which allocates the addresses of earlier customers again.
  const dataDir = known.DATA_DIR || (file === null ? NEW_DATA_DIR : PROGRAM_VARIABLES.DATA_DIR.default);
  const folder: Variables = file?.DATA_DIR ? {} : { DATA_DIR: dataDir };
  const url = await askUrl(cli, known);
  if (url !== null)
    return {
      ...folder,
      DATABASE_URL: url,
      ...(await askKey(cli, { known, file }, { url: known.DATABASE_DIRECT_URL || url, dataDir })),
    };
  const embedded: Variables = env === "live" ? { EMBEDDED: "yes" } : {};
  if (env === "live") cli.printMessage(`  Back up ${dataDir}: it holds the database of real money.`);
  return { ...folder, ...embedded, ...(await askKey(cli, { known, file }, { url, dataDir })) };
}

/** Null: the embedded database. */
function askUrl(cli: Cli, known: Variables): Promise<string | null> {
  const present = known.DATABASE_URL ? "empty: the present one" : "empty: one of its own, for a trial";
  return ask(cli, `PostgreSQL, postgres://user:password@host:5432/name (${present})`, async (answer) => {
    const given = answer || known.DATABASE_URL || "";
    if (given === "") return null;
    requireValid("DATABASE_URL", given);
    const refused = await tryConnection(given);
    if (refused !== null) throw new WrongAnswer(`${refused.found}. ${refused.advice}`);
    const direct = known.DATABASE_DIRECT_URL || given;
    await requireAddresses(direct, given);
    await migrateIfWanted(cli, findOwner(cli, known.MIGRATE_DATABASE_URL || direct, direct));
    return given;
  });
}

/** Throws WrongAnswer if the server would refuse these addresses. */
async function requireAddresses(direct: string, given: string): Promise<void> {
  try {
    await requireLastingSessions(direct);
    if (direct !== given) await requireSameDatabase(direct, given);
  } catch (error) {
    throw error instanceof AddressError ? new WrongAnswer(error.message) : error;
  }
}

/** The URL of the role that owns the tables, if it is one of the same database. */
function findOwner(cli: Cli, owner: string, url: string): string {
  const placeOf = (connectionString: string) => {
    const { host, port, database } = new pg.Client({ connectionString });
    return JSON.stringify([host, port, database]);
  };
  if (placeOf(owner) === placeOf(url)) return owner;
  cli.printMessage("  MIGRATE_DATABASE_URL is not used: it has another host, port or database. Correct it.");
  return url;
}

/** Migrates an empty database, and after a question one that has Paylink's tables. Throws WrongAnswer if it is not migrated. */
async function migrateIfWanted(cli: Cli, url: string): Promise<void> {
  try {
    const missing = await withDatabase(url, countMissing);
    if (missing > 0) {
      cli.printMessage(
        `  This database is of an older version of Paylink (missing migrations: ${missing}). Stop its web and worker processes first.`,
      );
      if (!(await askYesOrNo(cli, "  Migrate it now", "no")))
        throw new WrongAnswer("It was not migrated, and this version cannot use it.");
    }
    await prepareDatabase(url);
  } catch (error) {
    throw error instanceof MigrationError ? new WrongAnswer(error.message) : error;
  }
}

/** The number of migrations that the tables lack. 0 if the database has no tables. */
async function countMissing({ db, pool }: Database): Promise<number> {
  const { rows } = await pool.query("select to_regclass('merchants') as present");
  if (rows[0].present === null) return 0;
  try {
    return await countPendingMigrations(db);
  } catch (error) {
    // prepareDatabase() explains which role may do it.
    if (isPermissionDenied(error)) return 0;
    throw error;
  }
}

/**
 * Returns the key to write. The present one stays. A database with secrets that it does not open needs the key that encrypted
 * them. An installation without both gets a new key.
 */
async function askKey(
  cli: Cli,
  { known, file }: Present,
  { url, dataDir }: { readonly url: string | null; readonly dataDir: string },
): Promise<Variables> {
  // An empty variable of the environment is not the key that the installation had.
  const key = known.SECRET_KEY || file?.SECRET_KEY || null;
  const isWritten = Boolean(file?.SECRET_KEY);
  let changes: Variables = key === null || isWritten ? {} : { SECRET_KEY: key };
  const check = async (at: string) => {
    if (url === null) await migrateEmbedded(cli, at);
    changes = { ...changes, ...(await withDatabase(at, (database) => askOldKey(cli, database, known, key))) };
  };
  if (url !== null) await check(url);
  else if (existsSync(join(dataDir, "postgres")))
    await cli.withServer(readCommandConfig({ DATA_DIR: dataDir, EMBEDDED: "yes" }), check);
  if (key !== null || changes.SECRET_KEY !== undefined) return changes;
  cli.printMessage(
    "SECRET_KEY was made. Keep a copy of it apart from the database, whose secrets it encrypts.",
  );
  return { SECRET_KEY: randomBytes(32).toString("base64") };
}

async function migrateEmbedded(cli: Cli, url: string): Promise<void> {
  try {
    await migrateIfWanted(cli, url);
  } catch (error) {
    throw error instanceof WrongAnswer ? new CommandRefusal(error.message) : error;
  }
}

/** Asks for the key that opens the stored secrets, unless `key` does. It is added to a present key as a previous one. */
async function askOldKey(
  cli: Cli,
  { db }: Database,
  known: Variables,
  key: string | null,
): Promise<Variables> {
  const previous = known.SECRET_KEY_PREVIOUS || null;
  const opens = async (now: string, former: string | null) =>
    (await checkSecrets(db, openSecrets(now, former === null ? [] : splitList(former)))).unreadable === 0;
  // Without a key any other one shows whether there are secrets.
  if (await opens(key ?? randomBytes(32).toString("base64"), previous)) return {};
  const text = key === null ? "SECRET_KEY is missing" : "SECRET_KEY does not open them";
  cli.printMessage(`  The database has encrypted secrets, and ${text}. Take the key of your copy.`);
  return ask(cli, "  SECRET_KEY that encrypted them", async (answer): Promise<Variables> => {
    requireValid("SECRET_KEY", answer);
    const former = previous === null ? answer : `${previous},${answer}`;
    const isRight = key === null ? await opens(answer, previous) : await opens(key, former);
    if (!isRight) throw new WrongAnswer("This key does not open them either.");
    return key === null ? { SECRET_KEY: answer } : { SECRET_KEY_PREVIOUS: former };
  });
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(url, { max: 2, applicationName: "paylink command" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
