/**
 * The variables with one name each. The variables of networks are in network-variables.ts. `npm run -s settings` prints both as
 * docs/operate/settings.md.
 */
import * as z from "zod";
import { parseFixedRates } from "#lib/domain/rates/rules.ts";
import { parseSender, parseSmtpUrl } from "../mail-config.ts";
import {
  addressRanges,
  anyText,
  baseUrl,
  isUrl,
  onOrOff,
  origin,
  ownPort,
  postgresUrl,
  splitList,
  wholeNumber,
} from "./formats.ts";
import { type GivenTexts, parseText, type Reader, type ValueOf, type Variable } from "./variable.ts";

type Table = Readonly<Record<string, Variable>>;

const SERVER = ["web", "worker"] as const satisfies readonly Reader[];
const SERVER_AND_COMMAND = ["web", "worker", "command"] as const satisfies readonly Reader[];
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const DATA = {
  DATABASE_URL: {
    readers: [...SERVER_AND_COMMAND, "signer"],
    schema: postgresUrl,
    secret: true,
    otherwise: "a PostgreSQL of its own in `DATA_DIR`",
    text: "Your PostgreSQL, `postgres://user:password@host:5432/name`. See [database](database.md).",
    decide:
      "Your PostgreSQL, postgres://user:password@host:5432/name. Absent: one of its own in DATA_DIR, in live with EMBEDDED=yes.",
  },
  DATABASE_DIRECT_URL: {
    readers: [...SERVER_AND_COMMAND, "signer"],
    schema: postgresUrl,
    secret: true,
    otherwise: "`DATABASE_URL`",
    text:
      "Only with PgBouncer in `DATABASE_URL`: the same database without it, for LISTEN, locks, migrations, commands and the signer. " +
      "See [PgBouncer](database.md#pgbouncer).",
  },
  DATABASE_READ_URL: {
    readers: ["web", "command"],
    schema: postgresUrl,
    secret: true,
    otherwise: "`DATABASE_URL`",
    text:
      "A streaming replica of `DATABASE_URL`'s database, for lists, exports, statistics and the console's reports. " +
      "See [a replica for reads](database.md#a-replica-for-reads).",
  },
  EMBEDDED: {
    readers: SERVER_AND_COMMAND,
    schema: z.literal("yes", "must be yes, or absent"),
    text:
      "`yes`: the embedded PostgreSQL of `DATA_DIR` is this installation's database. " +
      "With a live network it is never started otherwise.",
  },
  MIGRATE_DATABASE_URL: {
    readers: ["command"],
    schema: postgresUrl,
    secret: true,
    otherwise: "`DATABASE_URL`",
    text:
      "The role that owns the tables, for `paylink migrate`, `numbers skip`, `backup` and `restore` alone. " +
      "Set it for those commands. Web and worker warn if they can read it.",
  },
  DATA_DIR: {
    readers: [...SERVER_AND_COMMAND, "demo"],
    schema: anyText,
    default: "./data/demo",
    text: "Folder of all data on this machine. The default is the demo's, whose keys everybody knows: use another one in production.",
  },
  BACKUP_DIR: {
    readers: ["command"],
    schema: anyText,
    text: "Folder of your backups: `paylink backup` makes each in it, and `paylink doctor` reports when the newest one there is two days old. See [backup](backup.md).",
  },
  SECRET_KEY: {
    readers: SERVER_AND_COMMAND,
    schema: anyText.min(32, "must have at least 32 characters, for example from `openssl rand -base64 32`"),
    secret: true,
    otherwise: "required by web and worker",
    text:
      "At least 32 random characters. It encrypts secrets in the database. Keep a copy: " +
      "another key cannot read them. The signer refuses to start with it. See [security](security.md#change-secret_key).",
    decide:
      "At least 32 random characters: openssl rand -base64 32. Keep a copy apart from the database, whose secrets it encrypts.",
  },
  SECRET_KEY_PREVIOUS: {
    readers: SERVER_AND_COMMAND,
    schema: anyText
      .transform(splitList)
      .refine(
        (keys) => keys.every((key) => key.length >= 32),
        "must be former values of SECRET_KEY, separated by commas",
      ),
    secret: true,
    text: "Former values of `SECRET_KEY`, separated by commas, until `paylink secrets reseal` has run.",
  },
  ROLES: {
    readers: SERVER,
    schema: anyText
      .transform(splitList)
      .pipe(z.array(z.enum(["web", "worker"], { error: "must be web, worker or web,worker" }))),
    default: "web,worker",
    text: "Roles of this process. See [scale](../scale.md).",
  },
  LOG_LEVEL: {
    readers: [...SERVER, "signer", "demo"],
    schema: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }),
    default: "info",
    text: `${LOG_LEVELS.map((level) => `\`${level}\``).join(", ")}. See [logs](logs.md).`,
  },
  SETTLEMENT_APPROVERS: {
    readers: ["command"],
    schema: anyText
      .transform((value) => splitList(value).map((part) => part.split("=")))
      .refine(
        (pairs) =>
          pairs.every(
            ([name = "", key = ""]) => /^[a-z0-9._-]{1,32}$/.test(name) && /^[0-9a-f]{64}$/.test(key),
          ),
        "must be a list like ada=PUBLIC_KEY,bob=PUBLIC_KEY, with keys of 64 hex digits from `paylink signer approver`",
      )
      .transform((pairs) => new Map(pairs.map(([name = "", key = ""]) => [name, key]))),
    text:
      "Public keys of the persons who settle withdrawals with another amount, two at a time: " +
      "`ada=64 hex digits,bob=64 hex digits`, from `paylink signer approver`. See [withdrawals](withdrawals.md).",
  },
} as const satisfies Table;

const ADDRESSES = {
  PORT: {
    readers: ["web", "command", "demo"],
    schema: wholeNumber(1, 65_535),
    default: "3000",
    text: "Port to listen on.",
  },
  HOST: {
    readers: SERVER,
    schema: anyText,
    default: "127.0.0.1",
    text: "Address to listen on. `0.0.0.0` listens on every interface.",
  },
  PUBLIC_URL: {
    readers: [...SERVER_AND_COMMAND, "demo"],
    schema: origin,
    otherwise: "`http://localhost:PORT`",
    text: "Address at which people reach Paylink: scheme and host, without a path. See [proxy](proxy.md).",
    decide:
      "Address at which people reach it: scheme and host, without a path. Absent: http://localhost:3000.",
  },
  PAYMENT_URL: {
    readers: [...SERVER_AND_COMMAND, "demo"],
    schema: baseUrl,
    otherwise: "`PUBLIC_URL/pay`",
    text:
      "Address of payment pages, before the reference. It may be the root of a host. " +
      "See [proxy](proxy.md#payment-pages-on-their-own-host).",
  },
  TRUSTED_PROXIES: {
    readers: ["web", "demo"],
    schema: addressRanges,
    text:
      "Addresses or CIDR ranges of your reverse proxies, separated by commas. " +
      "Only their `X-Forwarded-For` is believed. See [proxy](proxy.md).",
  },
  CONSOLE: {
    readers: SERVER_AND_COMMAND,
    schema: onOrOff,
    default: "on",
    text: "`off`: no [console](../console.md) in the browser. See [switches](switches.md#console).",
  },
  CONSOLE_PORT: {
    readers: SERVER_AND_COMMAND,
    schema: ownPort,
    otherwise: "`PORT`",
    text: "A port that alone serves the console, so that it can stay in a private network.",
  },
  CONSOLE_URL: {
    readers: SERVER_AND_COMMAND,
    schema: origin,
    otherwise: "the host of `PUBLIC_URL`; with `CONSOLE_PORT`, `http://localhost` and that port",
    text: "Origin at which browsers reach the console.",
  },
  GREENFIELD: {
    readers: ["web", "demo"],
    schema: onOrOff,
    default: "off",
    text:
      "`on`: plugins of shops that speak BTCPay's Greenfield protocol can use this installation, under `/api/v1` of " +
      "`PUBLIC_URL` ([plugins](../integrate/plugins.md)).",
  },
  DRAIN_SECONDS: {
    readers: ["web"],
    schema: wholeNumber(0, 600),
    default: "0",
    text:
      "Seconds for which a stopping web process still accepts requests while `/readyz` answers 503, " +
      "so that a balancer notices. The process ends within ten more seconds.",
  },
  OPERATIONS_PORT: {
    readers: SERVER,
    schema: ownPort,
    text:
      "An additional port for `/healthz`, `/readyz` and `/metrics` alone. A process with `ROLES=worker` has no other. " +
      "See [monitoring](monitoring.md).",
  },
  METRICS_TOKEN: {
    readers: SERVER,
    schema: anyText.min(16, "must have at least 16 characters, for example from `openssl rand -hex 16`"),
    secret: true,
    text: "Bearer token with which another machine may read `/metrics`. Absent: no other machine may.",
  },
  RATE_LIMIT: {
    readers: ["web", "demo"],
    schema: anyText
      .refine(
        (value) => /^[1-9][0-9]{0,5}\/[1-9][0-9]{0,5}$/.test(value),
        "must be requests a second/burst, like 100/200",
      )
      .transform((value) => {
        const [perSecond = 0, burst = 0] = value.split("/").map(Number);
        return { perSecond, burst };
      }),
    default: "100/200",
    text: "API requests a second and burst, for each key.",
  },
  SOCKETS_PER_ADDRESS: {
    readers: ["web"],
    schema: wholeNumber(1, 1_000_000),
    default: "1000",
    text:
      "Open payment pages of one client address that get live updates, and new ones a minute, for each web process. " +
      "Further pages ask every five seconds. See [scale](../scale.md#open-pages).",
  },
  WEBHOOK_ALLOW_CIDRS: {
    readers: [...SERVER_AND_COMMAND, "demo"],
    schema: addressRanges,
    otherwise: "public addresses only",
    text: "Addresses or CIDR ranges inside your own network that webhooks may reach, separated by commas.",
  },
} as const satisfies Table;

const PAYMENTS = {
  QUOTE_MINUTES: {
    readers: [...SERVER, "demo"],
    schema: wholeNumber(1, 1_440),
    default: "20",
    text: "Minutes for which a price that is shown to a customer is valid.",
  },
  CONFIRM_GRACE_HOURS: {
    readers: [...SERVER, "demo"],
    schema: wholeNumber(0, 8_760),
    default: "24",
    text: "Hours after a link's end within which confirmations may still come.",
  },
  WEBHOOK_EVENT_DAYS: {
    readers: ["worker"],
    schema: wholeNumber(7, 36_500),
    default: "90",
    text: "Webhook events that are not due anywhere are deleted after so many days, 7 at least.",
  },
  SANDBOX: {
    readers: ["web", "demo"],
    schema: onOrOff,
    default: "off",
    text:
      "`on`: a panel on the page and `POST /v1/sandbox/payments` pay test links, on development chains only. " +
      "See [switches](switches.md#sandbox).",
  },
  WALLETCONNECT_PROJECT_ID: {
    readers: ["web"],
    schema: anyText.regex(/^[0-9a-f]{32}$/, "must be a project's id of WalletConnect, 32 hex digits"),
    otherwise: "off",
    text:
      "Your project's id from WalletConnect's dashboard: payers on EVM networks can pay with a wallet on another device. " +
      "See [switches](switches.md#wallets-on-other-devices).",
  },
  WALLETCONNECT_RELAY_URL: {
    readers: ["web"],
    schema: anyText.refine((value) => isUrl(value, ["ws:", "wss:"]), "must be a ws or wss URL"),
    default: "wss://relay.walletconnect.org",
    text: "Relay of WalletConnect. Only payers who press the button connect to it.",
  },
} as const satisfies Table;

const PRICES = {
  FIXED_RATES: {
    readers: [...SERVER_AND_COMMAND, "demo"],
    schema: anyText.refine(
      (value) => parseFixedRates(value).ok,
      "must be rates like usdt/usd=1,btc/usd=60000,usd/ngn=1500",
    ),
    otherwise: "the market's prices",
    text: "Fixed prices for tests and demonstrations: `usdt/usd=1,btc/usd=60000,usd/ngn=1500`.",
  },
  OPEN_EXCHANGE_RATES_APP_ID: {
    readers: SERVER_AND_COMMAND,
    schema: anyText,
    secret: true,
    text: "App ID of openexchangerates.org, one more source of prices. Absent: that source is idle.",
  },
  COINGECKO_API_KEY: {
    readers: SERVER_AND_COMMAND,
    schema: anyText,
    secret: true,
    text: "CoinGecko's key of its plan Demo, which costs nothing. Without a key it refuses many servers.",
  },
  COINGECKO_PRO_API_KEY: {
    readers: SERVER_AND_COMMAND,
    schema: anyText,
    secret: true,
    text: "CoinGecko's key of a paid plan.",
  },
  DESK_LIMIT_USD: {
    readers: ["web"],
    schema: wholeNumber(0, 999_999_999),
    default: "1000000",
    text:
      "How much of each token may be sold to merchants, in whole USD at the current price, for each environment. " +
      "`0`: none. See [switches](switches.md#allow-buys).",
  },
  DESK_SPREAD_BPS: {
    readers: ["web"],
    schema: wholeNumber(0, 5_000),
    default: "0",
    text: "Basis points by which the trading desk sells above the market's price.",
  },
} as const satisfies Table;

const MAIL = {
  SMTP_URL: {
    readers: SERVER_AND_COMMAND,
    schema: anyText
      .transform(parseSmtpUrl)
      .refine(
        (server) => server !== null,
        "must be smtps://user:password@host, smtp://user:password@host or smtp+plain://host",
      ),
    secret: true,
    otherwise: "no mail is sent",
    text:
      "Mail server: `smtps://user:password@host` (TLS), `smtp://user:password@host` (STARTTLS), or `smtp+plain://host:25` " +
      "on this machine or in its network. Special characters are percent-encoded. See [mail](mail.md).",
  },
  MAIL_FROM: {
    readers: SERVER_AND_COMMAND,
    schema: anyText
      .transform(parseSender)
      .refine((from) => from !== null, "must be an e-mail address, or a name and <address>"),
    otherwise: "required with `SMTP_URL`",
    text: "Sender of all mails: `pay@example.com` or `Example payments <pay@example.com>`.",
  },
} as const satisfies Table;

/** The variables of web, worker, command and signer, by subject, in the order of the page. */
export const PROGRAM_SECTIONS = {
  "Data and process": DATA,
  "Addresses, ports and limits": ADDRESSES,
  "Payments and pages": PAYMENTS,
  "Prices and trading desk": PRICES,
  Mail: MAIL,
} as const satisfies Record<string, Table>;

export const PROGRAM_VARIABLES = { ...DATA, ...ADDRESSES, ...PAYMENTS, ...PRICES, ...MAIL } as const;

/** Values of the variables. Null: absent, without a default. */
export type ProgramValues = {
  readonly [Name in keyof typeof PROGRAM_VARIABLES]: ValueOf<(typeof PROGRAM_VARIABLES)[Name]>;
};

/** Parses every variable. `values` are complete if `problems` is empty, which has one line for each wrong variable. */
export function parseProgramVariables(given: GivenTexts): { values: ProgramValues; problems: string[] } {
  const problems: string[] = [];
  const values = Object.entries<Variable>(PROGRAM_VARIABLES).map(([name, variable]) => [
    name,
    parseText(name, variable, given, problems),
  ]);
  return { values: Object.fromEntries(values) as ProgramValues, problems };
}
