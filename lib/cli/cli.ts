import { existsSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Env } from "#lib/chains/network-data.ts";
import type { Barred, InstallationVerb, Refusal, Verb } from "#lib/domain/authority/define-verb.ts";
import { performVerb } from "#lib/domain/authority/perform-verb.ts";
import type { InstallationAct, OperatorActor } from "#lib/domain/authority/types.ts";
import type { VerbName } from "#lib/domain/authority/verb-rules.ts";
import { type Database, openDatabase } from "#lib/platform/db/connection.ts";
import type { EmbeddedPostgres } from "#lib/platform/db/embedded.ts";
import { EmbeddedPostgresError } from "#lib/platform/db/embedded-error.ts";
import { listCauses } from "#lib/platform/error-causes.ts";
import { OperatorError } from "#lib/platform/operator-error.ts";
import { openSecrets, type Secrets } from "#lib/platform/secrets.ts";
import {
  type CommandConfig,
  ConfigError,
  type EnvironmentVariables,
  NO_DATABASE,
  readCommandConfig,
} from "#lib/server/config.ts";
import { REFUSAL_TEXTS, type RefusalReason } from "./refusals.ts";

/** A refusal of a command, with the text for its user. */
export class CommandRefusal extends Error {}

/** A signal ended the command. */
export class Interruption extends Error {}

/**
 * A call of the command: its arguments, and the environment and streams that it may use. It uses no others, so that one
 * process can make several calls.
 */
export interface Call {
  readonly args: readonly string[];
  readonly env: EnvironmentVariables;
  /** The names in .env, whose values are in `env`. */
  readonly envFile?: readonly string[];
  /** `env` without what .env adds to it. Default: all of it. */
  readonly ownEnv?: EnvironmentVariables;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly now?: () => Date;
  /** The folder that .env is in. Default: the current one. */
  readonly folder?: string;
  /** The process of this call, if it has one of its own. Its signals end the call. */
  readonly process?: NodeJS.Process;
}

type Work = (context: { config: CommandConfig; database: Database }) => Promise<void>;

/** The dependencies of the functions of commands. */
export interface Cli extends Pick<Call, "env" | "envFile" | "stdin" | "stdout" | "stderr" | "process"> {
  readonly folder: string;
  readonly ownEnv: EnvironmentVariables;
  now(): Date;
  /** Prints the one answer of a command as JSON on standard output. Everything else goes to standard error. */
  print(value: unknown): void;
  printMessage(line: string): void;
  /**
   * Reads the environment. Without DATABASE_URL, the variables of demo.env in DATA_DIR fill in for absent
   * ones. Its DATABASE_URL is ignored, because that server may no longer run.
   */
  readEnvironmentWithDemo(): EnvironmentVariables;
  readConfigWithDemo(): CommandConfig;
  /**
   * Runs `work` on the database of DATABASE_URL, or else on the embedded server, which is started if
   * necessary.
   */
  withDatabase(work: Work): Promise<void>;
  /** The same with a configuration that is not this process's. */
  withDatabaseOf(config: CommandConfig, work: Work): Promise<void>;
  /** Runs `work` with the URL of a running server, and leaves the embedded server as it was before. */
  withServer(config: CommandConfig, work: (url: string) => Promise<void>): Promise<void>;
  /** The operator: the user of the system. cron, systemd and containers set no USER. */
  getOperator(): OperatorActor;
  /** Does a verb for the operator, in one transaction. A refusal changes nothing. */
  perform<Input, Result, Reason extends RefusalReason>(
    database: Pick<Database, "db">,
    verb: Verb<Input, Result, Reason>,
    place: Place,
    input: Input,
  ): Promise<Result>;
  /** The same for a verb that changes the installation. */
  performHere<Input, Result, Reason extends RefusalReason>(
    database: Pick<Database, "db">,
    verb: InstallationVerb<Input, Result, Reason>,
    input: Input,
  ): Promise<Result>;
  /** Does several verbs at a merchant for the operator, in one transaction. A refusal of one changes nothing. */
  performTogether(
    database: Database,
    place: Place,
    work: (perform: PerformVerb) => Promise<void>,
  ): Promise<void>;
}

/** Does a verb for the operator in a transaction that several verbs share. */
type PerformVerb = <Input, Result, Reason extends RefusalReason>(
  verb: Verb<Input, Result, Reason>,
  input: Input,
) => Promise<Result>;

/** Where an operator acts: a merchant, in an environment. */
export interface Place {
  readonly merchantId: number;
  readonly env: Env;
}

/** Makes an action of a command from a function that gets the Cli first. */
export type WithCli = <Args extends unknown[]>(
  work: (cli: Cli, ...args: Args) => void | Promise<void>,
) => (...args: Args) => void | Promise<void>;

/** Returns the result of a successful use case. Throws a CommandRefusal for a refused one. */
export function requireSuccess<R extends { ok: true } | { ok: false; reason: RefusalReason }>(
  result: R,
): Extract<R, { ok: true }> {
  if (result.ok) return result as Extract<R, { ok: true }>;
  throw new CommandRefusal(REFUSAL_TEXTS[result.reason]);
}

/** Returns the result of a verb that was done. Throws a CommandRefusal if it was refused. */
function requireDone<Result>(
  verb: VerbName,
  outcome: ({ readonly ok: true } & Result) | Refusal<RefusalReason> | Barred,
): { readonly ok: true } & Result {
  if (outcome.ok) return outcome;
  if ("barred" in outcome) throw new Error(`the operator may not ${verb}`);
  const { reason, problems = [] } = outcome;
  throw new CommandRefusal([REFUSAL_TEXTS[reason], ...problems].join("\n  "));
}

/** They control a terminal, or the direction of its text. Payers, merchants and receivers choose some of the texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
export const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Ctrl-C under npm arrives twice at once: from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;

/** Opens what the functions of a called command work with. */
export function openCli(call: Call): Cli {
  const { env, envFile, ownEnv = env, stdout, stderr, process, folder = ".", now = () => new Date() } = call;
  const printMessage = (line: string) => void stderr.write(`${line}\n`);
  const readConfigWithDemo = () => readCommandConfig(withDemo(env));
  const findOperator = () => env.SUDO_USER ?? env.USER ?? findUserName() ?? "unknown";
  const getOperator = () => ({ kind: "operator", name: findOperator() }) as const;
  const openAct = () => ({ now: now(), actor: getOperator() }) as const;
  const withServer = openServers(process, printMessage);
  const withDatabaseOf = (config: CommandConfig, work: Work) =>
    withServer(config, (url) => workOnDatabase(url, config, work));
  return {
    env,
    envFile,
    ownEnv,
    folder,
    // Not opened before a command asks: few do.
    get stdin() {
      return call.stdin;
    },
    stdout,
    stderr,
    process,
    now,
    print: (value) => void stdout.write(`${toJson(value)}\n`),
    printMessage,
    readEnvironmentWithDemo: () => withDemo(env),
    readConfigWithDemo,
    withServer,
    withDatabaseOf,
    withDatabase: async (work) => withDatabaseOf(readConfigWithDemo(), work),
    getOperator,
    ...openPerforming(openAct),
  };
}

/** The functions that do verbs for the operator. */
function openPerforming(
  openAct: () => Pick<InstallationAct, "actor" | "now">,
): Pick<Cli, "perform" | "performTogether" | "performHere"> {
  return {
    async perform({ db }, verb, { merchantId, env: at }, input) {
      return requireDone(
        verb.verb,
        await performVerb({ db }, verb, { ...openAct(), merchantId, env: at }, input),
      );
    },
    performTogether({ db }, { merchantId, env: at }, work) {
      return db.transaction(async (tx) => {
        const act = { ...openAct(), tx, merchantId, env: at };
        await work(async (verb, input) => requireDone(verb.verb, await verb(act, input)));
      });
    },
    async performHere({ db }, verb, input) {
      return requireDone(verb.verb, await performVerb({ db }, verb, openAct(), input));
    },
  };
}

/** Runs work on the server of DATABASE_URL, or on the embedded one, which it starts and stops. */
function openServers(process: Call["process"], printMessage: Cli["printMessage"]): Cli["withServer"] {
  return async (config, work) => {
    if (config.databaseUrl !== null) return work(config.databaseUrl);
    if (!config.mayStartEmbedded) throw new ConfigError([NO_DATABASE]);
    if (!existsSync(join(config.dataDir, "postgres")))
      printMessage(`DATABASE_URL is not set: making a new, empty database in ${config.dataDir}`);
    const { startEmbedded } = await import("#lib/platform/db/embedded.ts");
    const embedded: EmbeddedPostgres = await startEmbedded(config.dataDir, { attach: true });
    const interrupted = Promise.withResolvers<never>();
    const endListening = () => void process?.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    const interrupt = () => {
      interrupted.reject(new Interruption());
      // From then on a signal ends the process at once, should the server never stop.
      setTimeout(endListening, SAME_SIGNAL_MS).unref();
    };
    process?.on("SIGINT", interrupt).on("SIGTERM", interrupt);
    try {
      await Promise.race([work(embedded.url), interrupted.promise]);
    } finally {
      await embedded.stop();
      endListening();
    }
  };
}

function toJson(value: unknown): string {
  // JSON.stringify escapes those below U+0020. The remaining ones are escaped here; line breaks are its own.
  return JSON.stringify(value, null, 2).replace(CONTROL_CHARACTERS, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function withDemo(env: EnvironmentVariables): EnvironmentVariables {
  const given = readCommandConfig(env);
  const file = join(given.dataDir, "demo.env");
  if (given.databaseUrl !== null || !existsSync(file)) return env;
  const { DATABASE_URL: _stale, ...demo } = parseEnv(readFileSync(file, "utf8"));
  const own = Object.entries(env).filter(([, text]) => text?.trim());
  return { ...demo, ...Object.fromEntries(own) };
}

async function workOnDatabase(url: string, config: CommandConfig, work: Work): Promise<void> {
  const database = openDatabase(url, { max: 2, applicationName: "paylink command" });
  try {
    const { rows } = await database.pool.query("select to_regclass('merchants') as present");
    // The command owns the embedded database. MIGRATE_DATABASE_URL is another one.
    const owner = config.databaseUrl === null ? null : config.migrateDatabaseUrl;
    if (rows[0].present === null) {
      const { prepareDatabase } = await import("#lib/domain/settings/prepare-database.ts");
      await prepareDatabase(owner ?? url);
    }
    await work({ config, database });
  } finally {
    await database.close();
  }
}

function findUserName(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user id without a name.
    return null;
  }
}

/** The message of a refusal or failure. */
export function describeError(error: unknown): string {
  const expected = [CommandRefusal, ConfigError, EmbeddedPostgresError, OperatorError];
  if (error instanceof Error && expected.some((kind) => error instanceof kind)) return error.message;
  return `failed: ${describeCause(error)}`;
}

/** The message of the innermost cause, without the SQL and its parameters. */
function describeCause(error: unknown): string {
  const inner = listCauses(error).at(-1) ?? error;
  if (inner instanceof AggregateError) return inner.errors.map(describeCause).join("; ");
  return inner instanceof Error ? inner.message : String(inner);
}

/** Opens the encryption of webhook secrets. Refused without SECRET_KEY. */
export function openCommandSecrets({ secretKey, previousSecretKeys }: CommandConfig): Secrets {
  if (secretKey !== null) return openSecrets(secretKey, previousSecretKeys);
  throw new CommandRefusal(
    "SECRET_KEY is not set: it seals the webhook secrets, and must be the one the server runs with",
  );
}
