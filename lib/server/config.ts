import type { NetworkConfig } from "#lib/chains/network.ts";
import type { MailConfig } from "#lib/domain/mail/types.ts";
import type { PriceKeys } from "#lib/domain/rates/types.ts";
import type { WebConfig } from "#lib/web/services.ts";
import { readNetworks } from "./network-config.ts";
import { type ProgramValues, parseProgramVariables } from "./variables/program-variables.ts";
import type { GivenTexts } from "./variables/variable.ts";

/**
 * The problems of the environment, one line per variable. It never contains a value, because values may be
 * secrets.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The environment is not usable:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** All settings of the environment. */
export interface Config extends WebConfig {
  /** The database itself: for commands, and for connections that last. Null: the embedded server of dataDir. */
  readonly databaseUrl: string | null;
  /** The address of PgBouncer, for the queries of web and worker. Null: they use databaseUrl. */
  readonly pooledDatabaseUrl: string | null;
  /** The address of replicas, for reads that decide nothing. Null: they use the database too. */
  readonly readDatabaseUrl: string | null;
  /**
   * False with a live network, unless EMBEDDED says so. A misspelled DATABASE_URL would start an empty database, which
   * allocates the addresses of earlier customers again.
   */
  readonly mayStartEmbedded: boolean;
  /**
   * Role that owns the tables, for commands only. If it is set, the server does not migrate. null: server
   * and commands use databaseUrl.
   */
  readonly migrateDatabaseUrl: string | null;
  readonly dataDir: string;
  /** Folder with the operator's backups; null: unknown. */
  readonly backupDir: string | null;
  readonly secretKey: string;
  /** Previous SECRET_KEYs. They open what they encrypted. */
  readonly previousSecretKeys: readonly string[];
  /** Public keys (ed25519, 32 bytes of hex) of those who settle withdrawals with another amount, by their names. */
  readonly settlementApprovers: ReadonlyMap<string, string>;
  readonly roles: ReadonlySet<"web" | "worker">;
  readonly logLevel: string;
  /** The enabled networks. */
  readonly networks: readonly NetworkConfig[];
  /** "usdt/usd=1,usd/ngn=1500": replaces the market rates. */
  readonly fixedRates: string | null;
  readonly priceKeys: PriceKeys;
  readonly quoteMinutes: number;
  readonly confirmGraceHours: number;
  /** Webhook events and their deliveries are deleted after so many days. */
  readonly webhookEventDays: number;
  /** True if the sandbox may pay links of the test environment on development chains. */
  readonly sandbox: boolean;
  /** Port for health and metrics in addition to the web role's port, also for a worker alone; null: none. */
  readonly operationsPort: number | null;
}

export type CommandConfig = Omit<Config, "secretKey"> & { readonly secretKey: string | null };

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** An empty value means an absent variable, as in `NAME=` of an env file. */
export function withoutEmpty(env: EnvironmentVariables): GivenTexts {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  );
}

interface ParsedEnvironment {
  readonly given: GivenTexts;
  readonly values: ProgramValues;
  readonly networks: ReturnType<typeof readNetworks>;
  /** One line for each wrong variable. Without any, the values are complete. */
  readonly problems: readonly string[];
}

function parseEnvironment(env: EnvironmentVariables): ParsedEnvironment {
  const given = withoutEmpty(env);
  const { values, problems } = parseProgramVariables(given);
  const networks = readNetworks(given);
  return {
    given,
    values,
    networks,
    problems: [...findContradictions(given, values), ...problems, ...networks.problems],
  };
}

/** Problems of variables that are wrong only together. */
function findContradictions(given: GivenTexts, { CONSOLE_PORT, PORT }: ProgramValues): string[] {
  const lacksSender = given.SMTP_URL !== undefined && given.MAIL_FROM === undefined;
  const others = (["DATABASE_DIRECT_URL", "DATABASE_READ_URL"] as const).filter(
    (name) => given[name] !== undefined && given.DATABASE_URL === undefined,
  );
  return [
    ...others.map((name) => `DATABASE_URL is required with ${name}`),
    ...(CONSOLE_PORT !== null && CONSOLE_PORT === PORT
      ? ["CONSOLE_PORT must be another port than PORT"]
      : []),
    ...(lacksSender ? ["MAIL_FROM is required with SMTP_URL"] : []),
  ];
}

/** Reads and checks the environment. Throws ConfigError, which lists every wrong variable. */
export function readConfig(env: EnvironmentVariables): Config {
  const parsed = parseEnvironment(env);
  const { given, values, problems } = parsed;
  const { SECRET_KEY: secretKey } = values;
  if (secretKey === null)
    throw new ConfigError(given.SECRET_KEY === undefined ? [...problems, NO_SECRET_KEY] : problems);
  return { ...toConfig(parsed), secretKey };
}

/** Reads the environment of a command: SECRET_KEY may be absent. Throws ConfigError like readConfig. */
export function readCommandConfig(env: EnvironmentVariables): CommandConfig {
  return toConfig(parseEnvironment(env));
}

function toConfig({ values, networks: { networks, keyed }, problems }: ParsedEnvironment): CommandConfig {
  if (problems.length > 0) throw new ConfigError(problems);
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  return {
    databaseUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
    pooledDatabaseUrl: values.DATABASE_DIRECT_URL === null ? null : values.DATABASE_URL,
    readDatabaseUrl: values.DATABASE_READ_URL,
    mayStartEmbedded: values.EMBEDDED === "yes" || [...keyed, ...networks].every(({ env }) => env !== "live"),
    migrateDatabaseUrl: values.MIGRATE_DATABASE_URL,
    dataDir: values.DATA_DIR,
    backupDir: values.BACKUP_DIR,
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    paymentUrl: values.PAYMENT_URL ?? `${publicUrl}/pay`,
    secretKey: values.SECRET_KEY,
    previousSecretKeys: values.SECRET_KEY_PREVIOUS ?? [],
    settlementApprovers: values.SETTLEMENT_APPROVERS ?? new Map(),
    roles: new Set(values.ROLES),
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    webhookAllowCidrs: values.WEBHOOK_ALLOW_CIDRS ?? [],
    logLevel: values.LOG_LEVEL,
    networks,
    fixedRates: values.FIXED_RATES,
    walletConnect:
      values.WALLETCONNECT_PROJECT_ID === null
        ? null
        : { url: values.WALLETCONNECT_RELAY_URL, projectId: values.WALLETCONNECT_PROJECT_ID },
    priceKeys: {
      openExchangeRatesAppId: values.OPEN_EXCHANGE_RATES_APP_ID,
      coingecko: values.COINGECKO_API_KEY,
      coingeckoPro: values.COINGECKO_PRO_API_KEY,
    },
    quoteMinutes: values.QUOTE_MINUTES,
    confirmGraceHours: values.CONFIRM_GRACE_HOURS,
    webhookEventDays: values.WEBHOOK_EVENT_DAYS,
    rateLimit: values.RATE_LIMIT,
    socketsPerAddress: values.SOCKETS_PER_ADDRESS,
    deskLimitUsd: values.DESK_LIMIT_USD,
    deskSpreadBps: values.DESK_SPREAD_BPS,
    sandbox: values.SANDBOX,
    drainSeconds: values.DRAIN_SECONDS,
    operationsPort: values.OPERATIONS_PORT,
    metricsToken: values.METRICS_TOKEN,
    consoleUrl: values.CONSOLE ? consoleUrlOf(values, publicUrl) : null,
    greenfield: values.GREENFIELD,
    consolePort: values.CONSOLE ? values.CONSOLE_PORT : null,
    mail: mailConfig(values.SMTP_URL, values.MAIL_FROM, publicUrl),
  };
}

/**
 * The console is at the root of the public host. With a port of its own, it is reached from this machine, such as through a
 * tunnel, unless CONSOLE_URL says otherwise. A passkey needs a host name: browsers refuse addresses.
 */
function consoleUrlOf(
  { CONSOLE_URL: given, CONSOLE_PORT: own }: Pick<ProgramValues, "CONSOLE_URL" | "CONSOLE_PORT">,
  publicUrl: string,
): string {
  if (given !== null) return `${given}/console`;
  if (own !== null) return `http://localhost:${own}/console`;
  const { protocol, hostname, port } = new URL(publicUrl);
  const isLoopback = hostname === "127.0.0.1" || hostname === "[::1]";
  return `${protocol}//${isLoopback ? "localhost" : hostname}${port === "" ? "" : `:${port}`}/console`;
}

function mailConfig(
  server: MailConfig["server"] | null,
  from: MailConfig["from"] | null,
  publicUrl: string,
): MailConfig | null {
  return server === null || from === null ? null : { server, from, publicUrl };
}

/** Reads the networks that have an account key, with or without a node. Throws ConfigError. */
export function readAccountKeys(env: EnvironmentVariables): readonly NetworkConfig[] {
  const { keyed, problems } = readNetworks(withoutEmpty(env));
  if (problems.length > 0) throw new ConfigError(problems);
  return keyed;
}

/** The problem of a configuration without DATABASE_URL that may not start the embedded PostgreSQL. */
export const NO_DATABASE =
  "DATABASE_URL is required with a live network: an empty database would allocate earlier customers' addresses again. " +
  "Set EMBEDDED=yes if the embedded PostgreSQL in DATA_DIR is this installation's database";

const NO_SECRET_KEY =
  "SECRET_KEY is required: at least 32 random characters, for example from `openssl rand -base64 32`";
