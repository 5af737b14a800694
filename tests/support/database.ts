import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { prepareDatabase } from "#lib/domain/settings/prepare-database.ts";
import { type Database, type Db, openDatabase } from "#lib/platform/db/connection.ts";
import { startEmbedded } from "#lib/platform/db/embedded.ts";
import { type Pristine, readPristine, restorePristine } from "./pristine-database.ts";

export interface TestDatabase {
  readonly database: Database;
  readonly db: Db;
  readonly url: string;
  /** Ends the pool. The next caller in this process uses the database again, with the rows of a new one. */
  close(): Promise<void>;
}

export interface TestCluster {
  readonly url: string;
  stop(): Promise<void>;
}

const MIGRATIONS = new URL("../../lib/platform/db/migrations/", import.meta.url);
const TEMPLATE_LOCK = 0x70_6c_20;

/**
 * A PostgreSQL server in its own folder, without fsync unless `durable`. It ends with this process at the
 * latest.
 */
export async function startTestCluster({ durable = false } = {}): Promise<TestCluster> {
  const folder = temporaryFolder();
  const server = await startEmbedded(folder, { durable });
  // Plans depend on the statistics of tables: a test that reads plans makes them itself.
  await withClient(server.url, (client) => client.query("alter system set autovacuum = off"));
  await withClient(server.url, (client) => client.query("select pg_reload_conf()"));
  const pid = Number.parseInt(readFileSync(join(folder, "postgres/data/postmaster.pid"), "utf8"), 10);
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("beforeExit", () => void stop());
  // Only process.exit() gets here while the server runs. Nothing asynchronous runs any more.
  process.once("exit", () => {
    if (stopped) return;
    process.kill(pid, "SIGQUIT");
    waitForEnd(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => process.exit(1));
  }
  return { url: server.url, stop };
}

/**
 * Blocks, because the event loop has ended. Otherwise the folder is deleted while the server still writes to
 * it.
 */
function waitForEnd(pid: number): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 250; tries++) {
    try {
      // Empty: the process is dead and not collected.
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8") === "") return;
    } catch {
      return;
    }
    Atomics.wait(clock, 0, 0, 20);
  }
}

/** A folder that the user of PostgreSQL can enter. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "paylink-test-"));
  chmodSync(folder, 0o755);
  return folder;
}

let ownCluster: Promise<TestCluster> | null = null;

/** Lets testDatabase() make databases on another cluster. Returns what ends that. */
export function switchCluster(url: string): () => void {
  const before = process.env.TEST_POSTGRES_URL;
  process.env.TEST_POSTGRES_URL = url;
  return () => {
    if (before === undefined) delete process.env.TEST_POSTGRES_URL;
    else process.env.TEST_POSTGRES_URL = before;
  };
}

async function clusterUrl(): Promise<string> {
  if (process.env.TEST_POSTGRES_URL) return process.env.TEST_POSTGRES_URL;
  ownCluster ??= startTestCluster();
  return (await ownCluster).url;
}

/** The databases of a cluster that this process has. To make a database takes ten times as long as to clean one. */
interface OwnDatabases {
  readonly used: string[];
  pristine: Promise<Pristine> | null;
}
const ownDatabases = new Map<string, OwnDatabases>();

const newDatabases = new WeakSet<Database>();
/** Whether nobody has used the database before. */
export const isNewDatabase = (database: Database): boolean => newDatabases.has(database);

/**
 * A migrated database, new or as new: a copy of a template that the first caller of the cluster migrates. `isNew`: its files are as new, too. Where
 * rows were deleted, tables and indexes are larger, and PostgreSQL plans for their size.
 */
export async function testDatabase({ isNew = false } = {}): Promise<TestDatabase> {
  const cluster = await clusterUrl();
  const own = ownDatabases.get(cluster) ?? { used: [], pristine: null };
  ownDatabases.set(cluster, own);
  const used = isNew ? null : await findUsed(cluster, own);
  const name = used ?? (await copyTemplate(cluster, own));
  const url = databaseUrl(cluster, name);
  const database = openDatabase(url);
  if (used === null) newDatabases.add(database);
  let isOpen = true;
  return {
    database,
    db: database.db,
    url,
    close: async () => {
      await database.close();
      if (isOpen) own.used.push(name);
      isOpen = false;
    },
  };
}

/** Returns a cleaned database. Drops those that are not like new any more. null: there is none. */
async function findUsed(cluster: string, { used, pristine }: OwnDatabases): Promise<string | null> {
  // The newest first: its pages are in memory.
  for (let name = used.pop(); name !== undefined; name = used.pop()) {
    const isClean = await withClient(databaseUrl(cluster, name), async (client) =>
      restorePristine(client, (await pristine)!),
    );
    if (isClean) return name;
    await asAdministrator(cluster, (admin) => admin.query(`drop database ${name} with (force)`));
  }
  return null;
}

async function copyTemplate(cluster: string, own: OwnDatabases): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdministrator(cluster, async (admin) => {
    const template = await ensureTemplate(cluster, admin);
    await admin.query(`create database ${name} template ${template}`);
  });
  own.pristine ??= withClient(databaseUrl(cluster, name), readPristine);
  await own.pristine;
  return name;
}

/** An empty database, for tests before or instead of the migrations. */
export async function emptyDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const cluster = await clusterUrl();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdministrator(cluster, (admin) => admin.query(`create database ${name}`));
  return {
    url: databaseUrl(cluster, name),
    close: () =>
      asAdministrator(cluster, async (admin) => {
        await admin.query(`drop database ${name} with (force)`);
      }),
  };
}

/** The name depends on the migrations and networks, so that a long-lived cluster never provides outdated tables. */
function templateName(): string {
  const hash = createHash("sha256").update(NETWORK_CODES.join());
  for (const file of readdirSync(MIGRATIONS).sort()) {
    if (file.endsWith(".sql")) hash.update(readFileSync(new URL(file, MIGRATIONS)));
  }
  return `template_${hash.digest("hex").slice(0, 16)}`;
}

async function ensureTemplate(cluster: string, admin: pg.Client): Promise<string> {
  const template = templateName();
  await admin.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
  const found = await admin.query("select 1 from pg_database where datname = $1", [template]);
  if (found.rowCount === 0) {
    const draft = `${template}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft}`);
    await prepareDatabase(databaseUrl(cluster, draft));
    await admin.query(`alter database ${draft} rename to ${template}`);
  }
  await admin.query("select pg_advisory_unlock($1)", [TEMPLATE_LOCK]);
  return template;
}

function databaseUrl(cluster: string, name: string): string {
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}

const asAdministrator = <T>(cluster: string, work: (admin: pg.Client) => Promise<T>) =>
  withClient(databaseUrl(cluster, "postgres"), work);

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
