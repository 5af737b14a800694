import { promises as files } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { sql } from "drizzle-orm";
import { describeContent } from "#lib/domain/database/describe-content.ts";
import { checkLedgerOf } from "#lib/domain/ledger/check-ledger.ts";
import { type Database, openDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { findDumpProgram, runDumpProgram } from "#lib/platform/db/dump-programs.ts";
import { countPendingMigrations } from "#lib/platform/db/migrate.ts";
import { isRestoreUnfinished, UNFINISHED_RESTORE } from "#lib/platform/db/unfinished-restore.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { type Cli, CommandRefusal, type WithCli } from "../cli.ts";
import { withOwner } from "../database-commands.ts";
import { readVersion } from "../read-version.ts";
import {
  describeFile,
  FILES,
  type Manifest,
  syncToDisk,
  toManifestContent,
  toManifestLedger,
  writeManifest,
} from "./manifest.ts";

/** A folder whose backup is not whole. */
const PART = ".part";
/** How long pg_dump waits for a table that a migration has locked. */
const LOCK_WAIT = "--lock-wait-timeout=10s";

interface Options {
  readonly out?: string;
  readonly journal?: string;
}

export function addBackupCommand(command: Command, withCli: WithCli): void {
  command
    .description(
      "back the database up with pg_dump, while the program runs, and the signer's journal; as the owner of the tables " +
        "(MIGRATE_DATABASE_URL)",
    )
    .option("--out <folder>", "the new folder of this backup; default: a name with the time, in BACKUP_DIR")
    .option("--journal <file>", "also copy this journal.jsonl of the signer")
    .action(withCli(backUp));
}

async function backUp(cli: Cli, options: Options): Promise<void> {
  const config = cli.readConfigWithDemo();
  const startedAt = cli.now();
  const target = chooseTarget(options, config.backupDir, startedAt);
  await withOwner(cli, async (url) => {
    const write = (part: string) => writeBackup(cli, { part, url, startedAt, ...options });
    report(cli, { target, startedAt }, await withPart(target, write));
  });
}

function report(
  cli: Cli,
  { target, startedAt }: { readonly target: string; readonly startedAt: Date },
  { content, ledger, database, journal }: Manifest,
): void {
  if (!ledger.ok) cli.printMessage("The backup is whole, but the ledger has problems: see `ledger check`.");
  cli.print({
    backup: target,
    bytes: database.bytes + (journal?.bytes ?? 0),
    seconds: Math.round((cli.now().getTime() - startedAt.getTime()) / 100) / 10,
    rows: Object.values(content.tables).reduce((all, count) => all + count, 0),
    ledger_ok: ledger.ok,
    journal_transactions: journal?.transactions ?? null,
  });
}

/** The folder to make: --out, or one named after the time in BACKUP_DIR. */
function chooseTarget({ out }: Options, backupDir: string | null, now: Date): string {
  if (out !== undefined) return resolve(out);
  if (backupDir === null)
    throw new CommandRefusal("where to? Set BACKUP_DIR to the folder of all backups, or give --out");
  return join(resolve(backupDir), `paylink-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`);
}

/**
 * Has `write` fill a folder with another name, and renames it when all of it is on the disk. So a folder with the name of a backup
 * is whole, whatever happens meanwhile. An existing one is never changed.
 */
async function withPart<T>(target: string, write: (part: string) => Promise<T>): Promise<T> {
  const part = `${target}${PART}`;
  if (await exists(target)) throw new CommandRefusal(`${target} exists already: choose another --out`);
  try {
    await files.mkdir(part, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new CommandRefusal(
      error.code === "EEXIST"
        ? `${part} exists: another backup is being made there, or one was interrupted. If none is, remove it.`
        : `${part} cannot be made (${error.code}): its folder must exist, and this user must have the right to write there`,
    );
  }
  try {
    const written = await write(part);
    for (const name of await files.readdir(part)) await syncToDisk(join(part, name));
    await syncToDisk(part);
    // A folder that has something in it, or a file, is not replaced.
    await files.rename(part, target);
    await syncToDisk(dirname(target));
    return written;
  } catch (error) {
    await files.rm(part, { recursive: true, force: true });
    throw error;
  }
}

interface Work extends Options {
  readonly part: string;
  readonly url: string;
  readonly startedAt: Date;
}

async function writeBackup(cli: Cli, { part, url, startedAt, journal }: Work): Promise<Manifest> {
  const database = openDatabase(url, { max: 1, applicationName: "paylink backup" });
  try {
    const postgres = await readMajor(database);
    const program = await findDumpProgram("pg_dump", postgres, cli.env);
    const facts = await database.db.transaction(
      async (tx) => {
        const snapshot = await exportSnapshot(tx);
        await dump(program, { part, url, env: cli.env, snapshot });
        const described = toManifestContent(await describeContent(tx));
        return { content: described, ledger: toManifestLedger(await checkLedgerOf(tx)) };
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    );
    // After the database: a payment that the database has and the journal lacks could be made a second time.
    const copied = journal === undefined ? null : await copyJournal(journal, part);
    const manifest = {
      made_at: startedAt.toISOString(),
      version: readVersion(),
      postgres,
      ...facts,
      database: await describeFile(join(part, FILES.database)),
      journal: copied,
    };
    await writeManifest(part, manifest);
    return { format: 1, ...manifest };
  } finally {
    await database.close();
  }
}

/** The major version of the server. Refused if there is nothing whole to back up. */
async function readMajor({ db }: Database): Promise<number> {
  if (await isRestoreUnfinished(db)) throw new CommandRefusal(UNFINISHED_RESTORE);
  const { rows } = await db.execute<{ version: number; tables: boolean }>(sql`
    select current_setting('server_version_num')::integer / 10000 as version, to_regclass('public.merchants') is not null as tables`);
  if (rows[0]?.tables !== true)
    throw new CommandRefusal("the database has no tables of Paylink: nothing to back up");
  if ((await countPendingMigrations(db)) > 0)
    throw new CommandRefusal(
      "the tables are of an older version of Paylink: back up with that version, before the upgrade",
    );
  return rows[0].version;
}

/** Lets pg_dump read exactly the rows that this transaction counts. */
async function exportSnapshot(tx: Tx): Promise<string> {
  // The transaction waits while pg_dump reads.
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
  const { rows } = await tx.execute<{ snapshot: string }>(sql`select pg_export_snapshot() as snapshot`);
  return rows[0]?.snapshot ?? "";
}

async function dump(
  program: string,
  { part, snapshot, ...connection }: Pick<Work, "part" | "url"> & { env: Cli["env"]; snapshot: string },
): Promise<void> {
  const file = join(part, FILES.database);
  // pg_dump would let the group read it.
  await files.writeFile(file, "", { mode: 0o600, flag: "wx" });
  const args = ["--format=custom", `--file=${file}`, `--snapshot=${snapshot}`, "--no-password", LOCK_WAIT];
  await runDumpProgram(program, { ...connection, args });
}

/** Copies the whole lines of a journal, also while the signer writes to it. A damaged journal is refused. */
async function copyJournal(path: string, part: string): Promise<NonNullable<Manifest["journal"]>> {
  const file = join(part, FILES.journal);
  try {
    await files.copyFile(path, file);
  } catch {
    throw new CommandRefusal("--journal cannot be read: it is the file journal.jsonl of the signer's folder");
  }
  await files.chmod(file, 0o600);
  // It removes a last line that the signer was writing.
  const copy = openJournal(file);
  const transactions = copy.entries.length;
  copy.close();
  return { ...(await describeFile(file)), transactions };
}

async function exists(path: string): Promise<boolean> {
  return files.lstat(path).then(
    () => true,
    () => false,
  );
}
