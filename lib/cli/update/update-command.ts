import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Command } from "commander";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { listAppliedMigrations, readMigrations } from "#lib/platform/db/migrate.ts";
import { countSessions, type Sessions } from "#lib/platform/db/sessions.ts";
import { isRestoreUnfinished, UNFINISHED_RESTORE } from "#lib/platform/db/unfinished-restore.ts";
import type { CommandConfig } from "#lib/server/config.ts";
import { type Cli, CommandRefusal, type WithCli } from "../cli.ts";
import { tryConnection } from "../doctor/try-connection.ts";
import { addFormatOptions, type FormatOptions } from "../print-list.ts";
import { readVersion } from "../read-version.ts";
import { listUpgradeNotes, type UpgradeNotes } from "./changelog-rules.ts";

const OWN_TREE = fileURLToPath(new URL("../../../", import.meta.url));
const JOURNAL = "lib/platform/db/migrations/meta/_journal.json";
const PAGE = "docs/operate/upgrade.md";

interface Options extends FormatOptions {
  readonly tree?: string;
  readonly from?: string;
}

export function addUpdateCommand(update: Command, withCli: WithCli): void {
  update
    .description(
      "say what an update would do: migrations, running processes, what the changelog asks for; changes nothing",
    )
    .requiredOption("--check", "the update itself is done by hand, or by ops/install.sh")
    .option("--tree <folder>", "the folder of the new version; default: that of this command")
    .option("--from <version>", "the version that ran until now; default: that of this command");
  addFormatOptions(update).action(withCli(check));
}

interface Tree {
  readonly folder: string;
  readonly version: string;
  /** True if `npm ci` and `npm run build` were run there. */
  readonly built: boolean;
}

/** The migrations by name; null: there is no database yet. */
interface DatabaseFacts {
  readonly applied: number;
  /** Null: the database has one that the new version does not know. */
  readonly newest: string | null;
  readonly would_run: readonly string[];
  readonly running: Sessions;
}

async function check(
  cli: Cli,
  { tree = OWN_TREE, from = readVersion(), table, json }: Options,
): Promise<void> {
  const target = readTree(resolve(tree));
  const changelog = readTreeFile(target.folder, "CHANGELOG.md");
  const { notes, isKnown } = listUpgradeNotes(changelog, from);
  if (!isKnown)
    cli.printMessage(`The changelog does not have version ${from}: the notes of all versions follow.`);
  const database = await readDatabase(cli, cli.readConfigWithDemo(), target);
  if (!table && (json || !cli.stdout.isTTY))
    cli.print({ installed: from, new: target, database, upgrade: notes });
  else for (const line of describe(from, target, database, notes)) cli.stdout.write(`${line}\n`);
}

function readTree(folder: string): Tree {
  const { name, version } = JSON.parse(readTreeFile(folder, "package.json"));
  if (name !== "paylink" || typeof version !== "string") throw new CommandRefusal(notATree(folder));
  const built = ["node_modules/.bin/node", ".next/BUILD_ID"].every((path) => existsSync(join(folder, path)));
  return { folder, version, built };
}

function readTreeFile(folder: string, path: string): string {
  try {
    return readFileSync(join(folder, path), "utf8");
  } catch {
    throw new CommandRefusal(notATree(folder));
  }
}

const notATree = (folder: string) =>
  `${folder} is not a folder with Paylink: it is where package.json and CHANGELOG.md are`;

/** Null: the embedded PostgreSQL has no data yet, and is not made here. */
async function readDatabase(
  cli: Cli,
  config: CommandConfig,
  { folder }: Tree,
): Promise<DatabaseFacts | null> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "postgres"))) return null;
  let facts: DatabaseFacts | null = null;
  await cli.withServer(config, async (url) => {
    const refused = await tryConnection(url);
    if (refused !== null) throw new CommandRefusal(`${refused.found}. ${refused.advice ?? ""}`);
    const { db, close } = openDatabase(url, { max: 1, applicationName: "paylink command" });
    try {
      if (await isRestoreUnfinished(db)) throw new CommandRefusal(UNFINISHED_RESTORE);
      const applied = await listAppliedMigrations(db);
      const known = readMigrations(pathToFileURL(join(folder, JOURNAL)));
      const newest = Math.max(0, ...applied);
      facts = {
        applied: applied.length,
        newest: known.find(({ when }) => when === newest)?.tag ?? null,
        would_run: known.filter(({ when }) => when > newest).map(({ tag }) => tag),
        running: await countSessions(db),
      };
    } finally {
      await close();
    }
  });
  return facts;
}

function describe(
  from: string,
  { folder, version, built }: Tree,
  database: DatabaseFacts | null,
  notes: readonly UpgradeNotes[],
): string[] {
  return [
    line("installed", from),
    line("new", `${version} in ${folder}${built ? "" : ": not built yet (npm ci && npm run build)"}`),
    ...(database === null ? [line("database", "not made yet")] : describeDatabase(database)),
    ...(notes.length === 0 ? [line("upgrade", "the changelog asks for nothing")] : []),
    ...notes.flatMap(({ version: of, text }) => ["", `Upgrade to ${of}:`, text]),
    "",
    `How to update: ${PAGE}. Back up first: \`paylink backup\`.`,
  ];
}

function describeDatabase({ applied, newest, would_run, running }: DatabaseFacts): string[] {
  const { server, watchers, signer } = running;
  const runs = server + watchers + signer > 0;
  return [
    line(
      "migrations",
      `${applied} in the database, the newest ${newest ?? (applied === 0 ? "none" : "unknown to the new version")}`,
    ),
    line("would run", would_run.length === 0 ? "no migration" : would_run.join(", ")),
    line(
      "processes",
      runs
        ? `connected to the database: server ${server}, signer ${signer} connections; ${watchers} networks watched`
        : "none is connected to the database",
    ),
  ];
}

const line = (name: string, text: string) => `${name.padEnd(16)}${text}`;
