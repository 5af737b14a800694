import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { CommanderError } from "commander";
import { type AuditEntry, recordDecision } from "#lib/domain/audit/record-decision.ts";
import { type Database, openDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbedded } from "#lib/platform/db/embedded.ts";
import { MigrationError, migrate } from "#lib/platform/db/migrate.ts";
import { openSecrets, type Secrets } from "#lib/platform/secrets.ts";
import { type CommandConfig, ConfigError, readCommandConfig } from "#lib/server/config.ts";
import { REFUSAL_TEXTS, type RefusalReason } from "./refusals.ts";
/** What a command refuses to do, in the words that its user reads. */
export class CommandRefusal extends Error {}

/** The value of a use case that succeeded; its refusal otherwise becomes the command's. */
export function requireSuccess<R extends { ok: true } | { ok: false; reason: RefusalReason }>(
  result: R,
): Extract<R, { ok: true }> {
  if (result.ok) return result as Extract<R, { ok: true }>;
  throw new CommandRefusal(REFUSAL_TEXTS[result.reason]);
}

/** The command's one answer: JSON on standard output. Everything else goes to standard error. */
export function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printMessage(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * The environment. Without DATABASE_URL the command joins what lives in DATA_DIR, so there the variables in its
 * demo.env (written for that) fill in for absent ones; not its DATABASE_URL, which may be of a server long gone.
 */
export function readConfigWithDemo(): CommandConfig {
  const given = readCommandConfig(process.env);
  const file = join(given.dataDir, "demo.env");
  if (given.databaseUrl !== null || !existsSync(file)) return given;
  const { DATABASE_URL: _stale, ...demo } = parseEnv(readFileSync(file, "utf8"));
  const own = Object.entries(process.env).filter(([, text]) => text?.trim());
  return readCommandConfig({ ...demo, ...Object.fromEntries(own) });
}

/** Runs `work` on the database: DATABASE_URL's, else the embedded server's, which is started for it when it is not running. */
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

/** Runs `work` with the URL of a server that is up, and leaves the embedded one as it was found. */
export async function withServer(config: CommandConfig, work: (url: string) => Promise<void>): Promise<void> {
  if (config.databaseUrl !== null) return work(config.databaseUrl);
  const embedded: EmbeddedPostgres = await startEmbedded(config.dataDir, { attach: true });
  const interrupted = () => void embedded.stop().finally(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** Exit status of what a command threw: 2 for a wrong call, 1 for a refusal or a failure, which is told. */
export function exitStatus(error: unknown): number {
  // Commander has written its message already; asking for help is no mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const told = [CommandRefusal, ConfigError, EmbeddedPostgresError, MigrationError];
  if (error instanceof Error && told.some((kind) => error instanceof kind)) printMessage(error.message);
  else printMessage(`failed: ${describe(error)}`);
  return 1;
}

/** The innermost cause: what the driver or the system said, without the SQL and its parameters around it. */
function describe(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (inner instanceof AggregateError) return inner.errors.map(describe).join("; ");
  return inner instanceof Error ? inner.message : String(inner);
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: RefusalReason };
type Done<R extends Outcome> = Extract<R, { ok: true }>;

/** Who sits at the command: the system's user. */
export function getOperatorName(): string {
  return `operator:${process.env.SUDO_USER ?? process.env.USER ?? "unknown"}`;
}

/** Does what an operator decided and puts it on record, in one transaction; a refusal leaves neither. */
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

/** What seals webhook secrets. A command without SECRET_KEY is refused. */
export function openCommandSecrets({ secretKey, previousSecretKeys }: CommandConfig): Secrets {
  if (secretKey !== null) return openSecrets(secretKey, previousSecretKeys);
  throw new CommandRefusal(
    "SECRET_KEY is not set: it seals the webhook secrets, and must be the one the server runs with",
  );
}
