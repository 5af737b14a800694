import * as z from "zod";
import type { NetworkConfig } from "#lib/chains/network.ts";
import type { MailConfig } from "#lib/domain/mail/types.ts";
import { parseFixedRates } from "#lib/domain/rates/rules.ts";
import type { PriceKeys } from "#lib/domain/rates/types.ts";
import { parseIpRange } from "#lib/platform/http/ip-ranges.ts";
import { DRAFT_LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import type { WebConfig } from "#lib/web/services.ts";
import { parseSender, parseSmtpUrl } from "./mail-config.ts";
import { readNetworks } from "./network-config.ts";

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
  /** null: the embedded server of dataDir. */
  readonly databaseUrl: string | null;
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

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

const postgresUrl = z
  .string()
  .refine(
    (text) => isUrl(text, ["postgres:", "postgresql:"]),
    "must be a URL, postgres://user:password@host:5432/name",
  )
  .nullable()
  .default(null);

/** An origin with an optional path, stored without its trailing slash. */
const baseUrl = z
  .string()
  .refine((text) => {
    if (!isUrl(text, ["http:", "https:"])) return false;
    const { username, password, search, hash } = new URL(text);
    return `${username}${password}${search}${hash}` === "";
  }, "must be an http or https URL without user, query and fragment")
  .transform((text) => new URL(text).href.replace(/\/+$/, ""));

function wholeNumber(fallback: number, minimum: number, maximum: number) {
  return z
    .string()
    .default(String(fallback))
    .refine((text) => /^[0-9]{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum, {
      error: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .transform(Number);
}

const list = (text: string) => text.split(",").map((part) => part.trim());

const addressRanges = z
  .string()
  .transform(list)
  .refine(
    (entries) => entries.every((entry) => parseIpRange(entry) !== null),
    "must be IP addresses or CIDR ranges, separated by commas",
  )
  .default([]);

/** A host without a path: the pages, the API and the socket are at the root of it. */
const origin = baseUrl.refine((text) => new URL(text).pathname === "/", "must be an origin without a path");

const VARIABLES = z.object({
  DATABASE_URL: postgresUrl,
  EMBEDDED: z.literal("yes", "must be yes, or absent").nullable().default(null),
  MIGRATE_DATABASE_URL: postgresUrl,
  DATA_DIR: z.string().default("./data/demo"),
  PORT: wholeNumber(3000, 1, 65_535),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: origin.optional(),
  PAYMENT_URL: baseUrl.optional(),
  SECRET_KEY: z
    .string()
    .min(32, "must have at least 32 characters, for example from `openssl rand -base64 32`")
    .nullable()
    .default(null),
  SECRET_KEY_PREVIOUS: z
    .string()
    .transform(list)
    .refine(
      (keys) => keys.every((key) => key.length >= 32),
      "must be former values of SECRET_KEY, separated by commas",
    )
    .default([]),
  SETTLEMENT_APPROVERS: z
    .string()
    .transform((text) => list(text).map((part) => part.split("=")))
    .refine(
      (pairs) =>
        pairs.every(
          ([name = "", key = ""]) => /^[a-z0-9._-]{1,32}$/.test(name) && /^[0-9a-f]{64}$/.test(key),
        ),
      "must be a list like ada=PUBLIC_KEY,bob=PUBLIC_KEY, with keys of 64 hex digits from `paylink signer approver`",
    )
    .transform((pairs) => new Map(pairs.map(([name = "", key = ""]) => [name, key])))
    .default(new Map()),
  ROLES: z
    .string()
    .default("web,worker")
    .transform(list)
    .pipe(z.array(z.enum(["web", "worker"], { error: "must be web, worker or web,worker" }))),
  TRUSTED_PROXIES: addressRanges,
  WEBHOOK_ALLOW_CIDRS: addressRanges,
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("info"),
  FIXED_RATES: z
    .string()
    .refine((text) => parseFixedRates(text).ok, "must be rates like usdt/usd=1,btc/usd=60000,usd/ngn=1500")
    .nullable()
    .default(null),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be a project's id of WalletConnect, 32 hex digits")
    .nullable()
    .default(null),
  WALLETCONNECT_RELAY_URL: z
    .string()
    .refine((text) => isUrl(text, ["ws:", "wss:"]), "must be a ws or wss URL")
    .default("wss://relay.walletconnect.org"),
  OPEN_EXCHANGE_RATES_APP_ID: z.string().nullable().default(null),
  COINGECKO_API_KEY: z.string().nullable().default(null),
  COINGECKO_PRO_API_KEY: z.string().nullable().default(null),
  QUOTE_MINUTES: wholeNumber(20, 1, 1_440),
  CONFIRM_GRACE_HOURS: wholeNumber(24, 0, 8_760),
  WEBHOOK_EVENT_DAYS: wholeNumber(90, 7, 36_500),
  RATE_LIMIT: z
    .string()
    .default("100/200")
    .refine(
      (text) => /^[1-9][0-9]{0,5}\/[1-9][0-9]{0,5}$/.test(text),
      "must be requests a second/burst, like 100/200",
    )
    .transform((text) => {
      const [perSecond = 0, burst = 0] = text.split("/").map(Number);
      return { perSecond, burst };
    }),
  SOCKETS_PER_ADDRESS: wholeNumber(1_000, 1, 1_000_000),
  DESK_LIMIT_USD: wholeNumber(1_000_000, 0, 999_999_999),
  DESK_SPREAD_BPS: wholeNumber(0, 0, 5_000),
  DRAFT_LANGUAGES: z
    .string()
    .transform(list)
    .pipe(
      z.array(
        z.enum(DRAFT_LANGUAGE_CODES, {
          error: `must be some of ${DRAFT_LANGUAGE_CODES.join(",")}, separated by commas`,
        }),
      ),
    )
    .default([]),
  SANDBOX: z.enum(["on", "off"], { error: "must be on or off" }).default("off"),
  CONSOLE: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  CONSOLE_PORT: wholeNumber(0, 0, 65_535).transform((port) => (port === 0 ? null : port)),
  CONSOLE_URL: origin.optional(),
  DRAIN_SECONDS: wholeNumber(0, 0, 600),
  OPERATIONS_PORT: wholeNumber(0, 0, 65_535).transform((port) => (port === 0 ? null : port)),
  SMTP_URL: z
    .string()
    .transform(parseSmtpUrl)
    .refine(
      (server) => server !== null,
      "must be smtps://user:password@host, smtp://user:password@host or smtp+plain://host",
    )
    .nullable()
    .default(null),
  MAIL_FROM: z
    .string()
    .transform(parseSender)
    .refine((from) => from !== null, "must be an e-mail address, or a name and <address>")
    .nullable()
    .default(null),
  METRICS_TOKEN: z
    .string()
    .min(16, "must have at least 16 characters, for example from `openssl rand -hex 16`")
    .nullable()
    .default(null),
});

/** The names of the variables above. Those of the networks are in network-config.ts. */
export const VARIABLE_NAMES = Object.keys(VARIABLES.shape);

/** An empty value means an absent variable, as in `NAME=` of an env file. */
function withoutEmpty(env: EnvironmentVariables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  );
}

/** Reads the environment of a command: SECRET_KEY may be absent. Throws ConfigError like readConfig. */
export function readCommandConfig(env: EnvironmentVariables): CommandConfig {
  const given = withoutEmpty(env);
  const parsed = VARIABLES.safeParse(given);
  const networks = readNetworks(given);
  const lacksSender = given.SMTP_URL !== undefined && given.MAIL_FROM === undefined;
  const isOnePort = given.CONSOLE_PORT !== undefined && given.CONSOLE_PORT === (given.PORT ?? "3000");
  const problems = [
    ...(isOnePort ? ["CONSOLE_PORT must be another port than PORT"] : []),
    ...(lacksSender ? ["MAIL_FROM is required with SMTP_URL"] : []),
    ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
    ...networks.problems,
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError([...new Set(problems)]);
  const values = parsed.data;
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  return {
    databaseUrl: values.DATABASE_URL,
    mayStartEmbedded:
      values.EMBEDDED === "yes" ||
      [...networks.keyed, ...networks.networks].every(({ env }) => env !== "live"),
    migrateDatabaseUrl: values.MIGRATE_DATABASE_URL,
    dataDir: values.DATA_DIR,
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    paymentUrl: values.PAYMENT_URL ?? `${publicUrl}/pay`,
    secretKey: values.SECRET_KEY,
    previousSecretKeys: values.SECRET_KEY_PREVIOUS,
    settlementApprovers: values.SETTLEMENT_APPROVERS,
    roles: new Set(values.ROLES),
    trustedProxies: values.TRUSTED_PROXIES,
    webhookAllowCidrs: values.WEBHOOK_ALLOW_CIDRS,
    logLevel: values.LOG_LEVEL,
    networks: networks.networks,
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
    draftLanguages: values.DRAFT_LANGUAGES,
    sandbox: values.SANDBOX === "on",
    drainSeconds: values.DRAIN_SECONDS,
    operationsPort: values.OPERATIONS_PORT,
    metricsToken: values.METRICS_TOKEN,
    consoleUrl: values.CONSOLE === "on" ? consoleUrlOf(values, publicUrl) : null,
    consolePort: values.CONSOLE === "on" ? values.CONSOLE_PORT : null,
    mail: mailConfig(values.SMTP_URL, values.MAIL_FROM, publicUrl),
  };
}

/**
 * The console is at the root of the public host. With a port of its own, it is reached from this machine, such as through a
 * tunnel, unless CONSOLE_URL says otherwise. A passkey needs a host name: browsers refuse addresses.
 */
function consoleUrlOf(
  { CONSOLE_URL: given, CONSOLE_PORT: own }: Pick<z.output<typeof VARIABLES>, "CONSOLE_URL" | "CONSOLE_PORT">,
  publicUrl: string,
): string {
  if (given !== undefined) return `${given}/console`;
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

/** Reads and checks the environment. Throws ConfigError, which lists every wrong variable. */
export function readConfig(env: EnvironmentVariables): Config {
  const absent = !env.SECRET_KEY?.trim();
  try {
    const { secretKey, ...config } = readCommandConfig(env);
    if (secretKey !== null) return { ...config, secretKey };
  } catch (error) {
    if (absent && error instanceof ConfigError) throw new ConfigError([...error.problems, NO_SECRET_KEY]);
    throw error;
  }
  throw new ConfigError([NO_SECRET_KEY]);
}
