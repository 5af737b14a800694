import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Command, InvalidArgumentError } from "commander";
import { sql } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { checkSecrets } from "#lib/domain/database/check-secrets.ts";
import { describeContent } from "#lib/domain/database/describe-content.ts";
import { skipNumbers } from "#lib/domain/database/skip-numbers.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { counterKey, skipAddresses } from "#lib/domain/wallets/skip-addresses.ts";
import { type Database, openDatabase } from "#lib/platform/db/connection.ts";
import { findDumpProgram, runDumpProgram } from "#lib/platform/db/dump-programs.ts";
import { migrate, readMigrations } from "#lib/platform/db/migrate.ts";
import { isEmptyDatabase, markRestore, removeRestoreMark } from "#lib/platform/db/unfinished-restore.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { readAccountKeys } from "#lib/server/config.ts";
import { type Cli, CommandRefusal, type WithCli } from "../cli.ts";
import { withOwner } from "../database-commands.ts";
import { parseWholeNumber } from "../options.ts";
import {
  checkFile,
  FILES,
  findDifferences,
  type Manifest,
  readManifest,
  toManifestContent,
  toManifestLedger,
} from "./manifest.ts";
import { listUnwatched } from "./unwatched-networks.ts";

/** The limit of one skip: each address is derived and stored. */
const MOST_SKIPPED = 5_000;
const PAGE = "docs/operate/backup.md";

interface Options {
  readonly skipAddresses: number;
  readonly grant?: string;
  readonly grantSigner?: string;
}

interface Work extends Options {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly adapters: readonly NetworkAdapter[];
}

export function addRestoreCommand(command: Command, withCli: WithCli): void {
  command
    .description(
      "restore a folder of `paylink backup` into an empty database, check it, and skip what may have been used since; as " +
        "the owner of the tables (MIGRATE_DATABASE_URL)",
    )
    .argument("<folder>", "the backup")
    .requiredOption(
      "--skip-addresses <count>",
      "more addresses than any account key allocated since the backup; 0 only if nothing ran since, or for a trial",
      parseSkipped,
    )
    .option("--grant <role>", "then grant this role the rights that the program needs")
    .option("--grant-signer <role>", "then grant this role the rights that the signer needs, and no others")
    .action(withCli(restore));
}

function parseSkipped(text: string): number {
  const count = parseWholeNumber(text);
  if (count > MOST_SKIPPED) throw new InvalidArgumentError(`It must be at most ${MOST_SKIPPED}.`);
  return count;
}

async function restore(cli: Cli, given: string, options: Options): Promise<void> {
  const folder = resolve(given);
  const manifest = await readManifest(folder);
  await checkFile(folder, FILES.database, manifest.database);
  if (manifest.journal !== null) await checkFile(folder, FILES.journal, manifest.journal);
  refuseNewer(manifest);
  const adapters = listAdapters(cli);
  if (options.skipAddresses > 0) refuseMissingNetworks(manifest, adapters);
  await withOwner(cli, (url) => restoreInto(cli, url, { ...options, folder, manifest, adapters }));
}

const newestOf = ({ content }: Manifest) => Math.max(0, ...content.migrations);

/** The number of migrations that this version has and the backup lacks. */
const countNewer = (manifest: Manifest) =>
  readMigrations().filter(({ when }) => when > newestOf(manifest)).length;

/** Its tables have columns that this version does not know. */
function refuseNewer(manifest: Manifest): void {
  if (readMigrations().some(({ when }) => when >= newestOf(manifest))) return;
  throw new CommandRefusal(
    `this backup is of a newer version, ${manifest.version}: restore it with that one, or with one that has its migrations`,
  );
}

/** The networks with an account key or imported addresses, with or without a node. */
function listAdapters(cli: Cli): readonly NetworkAdapter[] {
  const { networks } = cli.readConfigWithDemo();
  const keyed = readAccountKeys(cli.readEnvironmentWithDemo());
  const others = networks.filter(
    ({ env, network }) => !keyed.some((one) => one.env === env && one.network === network),
  );
  return openNetworks([...keyed, ...others]).all();
}

/** The accounts of the backup that have addresses and are not those of the environment: of networks that are off, or changed. */
function listUnknownAccounts({ content }: Manifest, adapters: readonly NetworkAdapter[]) {
  const known = new Set(adapters.map(counterKey));
  return content.accounts.filter(({ key, next_index }) => next_index > 0 && !known.has(key));
}

/** The addresses of a network that is off here would be allocated again as soon as it is on. */
function refuseMissingNetworks(manifest: Manifest, adapters: readonly NetworkAdapter[]): void {
  const missing = listUnknownAccounts(manifest, adapters).flatMap(({ env, networks }) =>
    networks
      .filter((network) => !adapters.some((one) => one.env === env && one.network === network))
      .map((network) => `${env} ${network}`),
  );
  if (missing.length === 0) return;
  throw new CommandRefusal(
    `the environment has no account key of ${missing.join(", ")}, so the addresses cannot be skipped. ` +
      "Set the variables (…_XPUB, …_ACCOUNT; for imported addresses …_RPC_URL) as they were. The nodes need not answer.",
  );
}

async function restoreInto(cli: Cli, url: string, work: Work): Promise<void> {
  const startedAt = cli.now();
  const { folder, manifest, skipAddresses: ahead, grant, grantSigner } = work;
  const database = openDatabase(url, { max: 1, applicationName: "paylink restore" });
  try {
    const program = await findProgram(cli, database);
    if (!(await isEmptyDatabase(database.db)))
      throw new CommandRefusal(
        `the database is not empty, and nothing in it was changed. Create a new one, and keep the old one: ${PAGE}`,
      );
    await markRestore(database.db);
    // One transaction: a restore that fails leaves the database empty.
    const how = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction", "--no-password"];
    const name = await readName(database);
    const args = [...how, `--dbname=${name}`, join(folder, FILES.database)];
    await runDumpProgram(program, { url, env: cli.env, args });
    await compare(database, manifest);
    await migrate(url, { isRestoring: true });
    const ledger = await compareLedger(database, manifest);
    await cli.performHere(database, skipNumbers, {});
    const skipped = ahead === 0 ? [] : await skipAll(cli, database, work);
    // Rights come last: a role without them can do nothing, whatever it starts.
    await migrate(url, { grantTo: grant, grantSigner, isRestoring: true });
    await removeRestoreMark(database.db);
    const secrets = await describeSecrets(cli, database);
    cli.print({
      restored: folder,
      made_at: manifest.made_at,
      seconds: Math.round((cli.now().getTime() - startedAt.getTime()) / 100) / 10,
      rows: Object.values(manifest.content.tables).reduce((all, count) => all + count, 0),
      ledger_ok: ledger.ok,
      migrated: countNewer(manifest),
      secrets,
      skipped,
    });
    printNext(cli, work, skipped);
    if (!ledger.ok)
      throw new CommandRefusal("the database is restored, but the ledger has problems: see `ledger check`");
    if (secrets === "not opened")
      throw new CommandRefusal(
        "the database is restored, but SECRET_KEY does not open its secrets: set the one that encrypted them before the start",
      );
  } finally {
    await database.close();
  }
}

async function findProgram(cli: Cli, { db }: Database): Promise<string> {
  const { rows } = await db.execute<{ version: number }>(
    sql`select current_setting('server_version_num')::integer / 10000 as version`,
  );
  return findDumpProgram("pg_restore", rows[0]?.version ?? 0, cli.env);
}

async function readName({ db }: Database): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(sql`select current_database() as name`);
  return rows[0]?.name ?? "";
}

/** Refuses a database that does not have what was backed up. Its mark stays. */
async function compare({ db }: Database, { content }: Manifest): Promise<void> {
  const found = await db.transaction(describeContent, {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
  const differences = findDifferences(content, toManifestContent(found));
  if (differences.length === 0) return;
  throw new CommandRefusal(
    ["the restored database is not what was backed up, and no process starts on it:", ...differences].join(
      "\n  ",
    ),
  );
}

/** Checks the restored ledger. Refuses one that holds other amounts than the backup. Its problems are no fault of the restore. */
async function compareLedger({ db }: Database, { ledger: { ok: _ok, ...figures } }: Manifest) {
  const result = await checkLedger(db);
  const { ok: _found, ...found } = toManifestLedger(result);
  if (!isDeepStrictEqual(found, figures))
    throw new CommandRefusal("the restored ledger is not what was backed up, and no process starts on it");
  return result;
}

interface Skipped {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly skipped: number;
  readonly next_index: number;
  readonly not_watched_on: readonly NetworkCode[];
}

/** Skips addresses of each account key once: on its first network, which is where they are watched. */
async function skipAll(cli: Cli, database: Database, { adapters, skipAddresses: ahead }: Work) {
  const skipped: Skipped[] = [];
  const done = new Set<string>();
  for (const adapter of adapters) {
    const key = counterKey(adapter);
    if (done.has(key)) continue;
    done.add(key);
    const { env, network } = adapter;
    const result = await cli.performHere(database, skipAddresses, { adapter, ahead });
    skipped.push({
      env,
      network,
      skipped: result.skipped,
      next_index: result.nextIndex,
      not_watched_on: listUnwatched(adapter, adapters),
    });
  }
  return skipped;
}

/** Whether SECRET_KEY opens the stored secrets. */
async function describeSecrets(
  cli: Cli,
  { db }: Database,
): Promise<"opened" | "none" | "not opened" | "not checked"> {
  const { secretKey, previousSecretKeys } = cli.readConfigWithDemo();
  if (secretKey === null) return "not checked";
  const { secrets, unreadable } = await checkSecrets(db, openSecrets(secretKey, previousSecretKeys));
  if (unreadable > 0) return "not opened";
  return secrets === 0 ? "none" : "opened";
}

function printNext(
  cli: Cli,
  { skipAddresses: ahead, manifest, adapters }: Work,
  skipped: readonly Skipped[],
): void {
  const changed = listUnknownAccounts(manifest, adapters).map(
    ({ env, networks }) => `${env} ${networks.join("/")}`,
  );
  if (ahead > 0 && changed.length > 0)
    cli.printMessage(
      `The environment has other account keys than the backup: ${changed.join(", ")}. If you did not change them, correct it.`,
    );
  if (ahead === 0)
    cli.printMessage(
      "No address was skipped. If the program ran since the backup, run `addresses skip` before you start it.",
    );
  for (const { env, network, not_watched_on: others } of skipped)
    if (others.length > 0)
      cli.printMessage(
        `The skipped addresses are watched on ${env} ${network}, and not on ${others.join(", ")}, which have the same account key.`,
      );
  if (manifest.journal !== null)
    cli.printMessage("The signer keeps its own journal, which is newer. The copy is for a lost host only.");
  cli.printMessage(`Before you start the program: "After a restore" in ${PAGE}.`);
}
