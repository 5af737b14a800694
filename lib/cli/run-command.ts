import { existsSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type AuditEntry, recordDecision } from "#lib/domain/audit/record-decision.ts";
import { type Database, openDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbedded } from "#lib/platform/db/embedded.ts";
import { MigrationError, migrate } from "#lib/platform/db/migrate.ts";
import { listCauses } from "#lib/platform/error-causes.ts";
import { OperatorError } from "#lib/platform/operator-error.ts";
import { openSecrets, type Secrets } from "#lib/platform/secrets.ts";
import {
  type CommandConfig,
  ConfigError,
  type EnvironmentVariables,
  readCommandConfig,
} from "#lib/server/config.ts";
import { REFUSAL_TEXTS, type RefusalReason } from "./refusals.ts";

/** A refusal of a command, with the text for its user. */
export class CommandRefusal extends Error {}

/** Returns the result of a successful use case. Throws a CommandRefusal for a refused one. */
export function requireSuccess<R extends { ok: true } | { ok: false; reason: RefusalReason }>(
  result: R,
): Extract<R, { ok: true }> {
  if (result.ok) return result as Extract<R, { ok: true }>;
  throw new CommandRefusal(REFUSAL_TEXTS[result.reason]);
}

/** They control a terminal, or the direction of its text. Payers, merchants and receivers choose some of the texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
export const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Prints the one answer of a command as JSON on standard output. Everything else goes to standard error. */
export function print(value: unknown): void {
  // JSON.stringify escapes those below U+0020. The remaining ones are escaped here; line breaks are its own.
  const json = JSON.stringify(value, null, 2).replace(CONTROL_CHARACTERS, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  process.stdout.write(`${json}\n`);
}

export function printMessage(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Reads the environment. Without DATABASE_URL, the variables of demo.env in DATA_DIR fill in for absent
 * ones. Its DATABASE_URL is ignored, because that server may no longer run.
 */
export function readEnvironmentWithDemo(): EnvironmentVariables {
  const given = readCommandConfig(process.env);
  const file = join(given.dataDir, "demo.env");
  if (given.databaseUrl !== null || !existsSync(file)) return process.env;
  const { DATABASE_URL: _stale, ...demo } = parseEnv(readFileSync(file, "utf8"));
  const own = Object.entries(process.env).filter(([, text]) => text?.trim());
  return { ...demo, ...Object.fromEntries(own) };
}

export function readConfigWithDemo(): CommandConfig {
  return readCommandConfig(readEnvironmentWithDemo());
}

/**
 * Runs `work` on the database of DATABASE_URL, or else on the embedded server, which is started if
 * necessary.
 */
export async function withDatabase(
  work: (context: { config: CommandConfig; database: Database }) => Promise<void>,
): Promise<void> {
  const config = readConfigWithDemo();
  await withServer(config, async (url) => {
    const database = openDatabase(url, { max: 2, applicationName: "paylink command" });
    try {
      const { rows } = await database.pool.query("select to_regclass('merchants') as present");
      if (rows[0].present === null) await migrate(config.migrateDatabaseUrl ?? url);
      await work({ config, database });
    } finally {
      await database.close();
    }
  });
}

/** Runs `work` with the URL of a running server, and leaves the embedded server as it was before. */
export async function withServer(config: CommandConfig, work: (url: string) => Promise<void>): Promise<void> {
  if (config.databaseUrl !== null) return work(config.databaseUrl);
  if (!existsSync(join(config.dataDir, "postgres")))
    printMessage(`DATABASE_URL is not set: making a new, empty database in ${config.dataDir}`);
  const embedded: EmbeddedPostgres = await startEmbedded(config.dataDir, { attach: true });
  const interrupted = () => void embedded.stop().finally(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** Prints a refusal or failure. */
export function printError(error: unknown): void {
  const expected = [CommandRefusal, ConfigError, EmbeddedPostgresError, MigrationError, OperatorError];
  if (error instanceof Error && expected.some((kind) => error instanceof kind)) printMessage(error.message);
  else printMessage(`failed: ${describe(error)}`);
}

/** The message of the innermost cause, without the SQL and its parameters. */
function describe(error: unknown): string {
  const inner = listCauses(error).at(-1) ?? error;
  if (inner instanceof AggregateError) return inner.errors.map(describe).join("; ");
  return inner instanceof Error ? inner.message : String(inner);
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: RefusalReason };
type Done<R extends Outcome> = Extract<R, { ok: true }>;

/** The operator's name: the user of the system. cron, systemd and containers set no USER. */
export function getOperatorName(): string {
  return `operator:${process.env.SUDO_USER ?? process.env.USER ?? findUserName() ?? "unknown"}`;
}

function findUserName(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user id without a name.
    return null;
  }
}

/**
 * Runs a decision of the operator and records it in the audit log, in one transaction. A refusal stores
 * neither.
 */
export function runAudited<R extends Outcome>(
  { db }: Database,
  work: (tx: Tx, now: Date) => Promise<R>,
  describe: (done: Done<R>) => Omit<AuditEntry, "actor">,
): Promise<Done<R>> {
  const now = new Date();
  return db.transaction(async (tx) => {
    const done = requireSuccess(await work(tx, now));
    await recordDecision(tx, { actor: getOperatorName(), ...describe(done) }, now);
    return done;
  });
}

/** Opens the encryption of webhook secrets. Refused without SECRET_KEY. */
export function openCommandSecrets({ secretKey, previousSecretKeys }: CommandConfig): Secrets {
  if (secretKey !== null) return openSecrets(secretKey, previousSecretKeys);
  throw new CommandRefusal(
    "SECRET_KEY is not set: it seals the webhook secrets, and must be the one the server runs with",
  );
}
