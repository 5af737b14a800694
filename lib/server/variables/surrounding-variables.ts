/** The variables that the demo, compose.yaml, the build, tests and the commands for developers read. The server ignores them. */
import { anyText, wholeNumber } from "./formats.ts";
import type { Variable } from "./variable.ts";

const PASSWORD = { readers: ["compose"], schema: anyText, secret: true } as const;

export const SURROUNDING_VARIABLES = {
  SHOP_PORT: {
    readers: ["demo"],
    schema: wholeNumber(1, 65_535),
    default: "3001",
    text: "Port of the demo's shop.",
  },
  BITCOIND: {
    readers: ["demo"],
    schema: anyText,
    otherwise: "on the PATH, or unpacked from Debian's package",
    text: "Path of `bitcoind`.",
  },
  LITECOIND: {
    readers: ["demo"],
    schema: anyText,
    otherwise: "on the PATH, or unpacked from Debian's package",
    text: "Path of `litecoind`.",
  },
  PAYLINK_CACHE_DIR: {
    readers: ["demo"],
    schema: anyText,
    otherwise: "`~/.cache/paylink`",
    text: "Folder of programs that were unpacked.",
  },
  POSTGRES_PASSWORD: { ...PASSWORD, text: "Password of PostgreSQL's superuser, for you alone." },
  OWNER_PASSWORD: {
    ...PASSWORD,
    text: "Password of the role that owns the tables, for the service `migrate`.",
  },
  APP_PASSWORD: { ...PASSWORD, text: "Password of the role of web and worker." },
  PAYLINK_URL: {
    readers: ["command"],
    schema: anyText,
    text: "Address of Paylink, for `listen`, `trigger` and `mcp` on a developer's machine.",
  },
  PAYLINK_KEY: {
    readers: ["command"],
    schema: anyText,
    secret: true,
    text: "API key for these.",
  },
  PAYLINK_WEBHOOK_SECRET: {
    readers: ["command"],
    schema: anyText,
    secret: true,
    text: "Webhook secret of a shop, for `rehearse`.",
  },
  FAILPOINT: {
    readers: ["worker", "signer"],
    schema: anyText,
    text: "`name:n`: the process kills itself when it reaches the point for the n-th time. Tests alone set it.",
  },
} as const satisfies Readonly<Record<string, Variable>>;
