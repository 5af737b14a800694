import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { readCommandConfig, readConfig } from "#lib/server/config.ts";
import { startDatabase } from "#lib/server/open-services.ts";
import { problemsOf, SECRET_KEY, TEST_KEY } from "./config-problems.ts";

test("every variable except SECRET_KEY has a default", () => {
  assert.deepEqual(readConfig({ SECRET_KEY }), {
    databaseUrl: null,
    pooledDatabaseUrl: null,
    readDatabaseUrl: null,
    migrateDatabaseUrl: null,
    mayStartEmbedded: true,
    dataDir: "./data/demo",
    backupDir: null,
    port: 3000,
    host: "127.0.0.1",
    operationsPort: null,
    publicUrl: "http://localhost:3000",
    paymentUrl: "http://localhost:3000/pay",
    greenfield: false,
    consoleUrl: "http://localhost:3000/console",
    consolePort: null,
    walletConnect: null,
    secretKey: SECRET_KEY,
    previousSecretKeys: [],
    settlementApprovers: new Map(),
    roles: new Set(["web", "worker"]),
    trustedProxies: [],
    webhookAllowCidrs: [],
    logLevel: "info",
    networks: [],
    fixedRates: null,
    quoteMinutes: 20,
    confirmGraceHours: 24,
    webhookEventDays: 90,
    priceKeys: { openExchangeRatesAppId: null, coingecko: null, coingeckoPro: null },
    rateLimit: { perSecond: 100, burst: 200 },
    socketsPerAddress: 1_000,
    drainSeconds: 0,
    deskLimitUsd: 1_000_000,
    deskSpreadBps: 0,
    sandbox: false,
    metricsToken: null,
    mail: null,
  });
});

test("reads every variable", () => {
  const config = readConfig({
    SECRET_KEY,
    DATABASE_URL: "postgres://u:p@db:5432/paylink",
    MIGRATE_DATABASE_URL: "postgresql://m:p@db/paylink",
    DATA_DIR: "/srv/paylink",
    PORT: "8080",
    HOST: "0.0.0.0",
    PUBLIC_URL: "https://pay.example/",
    PAYMENT_URL: "https://p.example/",
    ROLES: "worker",
    TRUSTED_PROXIES: "10.0.0.0/8, ::1",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    LOG_LEVEL: "debug",
    FIXED_RATES: "usdt/usd=1,usd/ngn=1500",
    QUOTE_MINUTES: "5",
    CONFIRM_GRACE_HOURS: "1",
    RATE_LIMIT: "5/10",
    SOCKETS_PER_ADDRESS: "20000",
    DESK_LIMIT_USD: "2500",
    DESK_SPREAD_BPS: "150",
    SANDBOX: "on",
    CONSOLE: "off",
    SECRET_KEY_PREVIOUS: `${SECRET_KEY}old, ${SECRET_KEY}older`,
    DRAIN_SECONDS: "15",
    OPERATIONS_PORT: "9100",
    METRICS_TOKEN: "0123456789abcdef",
    SMTP_URL: "smtp://pay%40example.com:p%3A%2Fss@mail.example",
    MAIL_FROM: "Example payments <pay@example.com>",
    TEST_BEP20_RPC_URL: "http://127.0.0.1:8545, https://other.example/key",
    TEST_BEP20_XPUB: TEST_KEY.publicExtendedKey,
    TEST_BEP20_RPC_BUDGET: "15",
    TEST_BEP20_RPC_HEADERS: " , X-Api-Key: abc ; Authorization: Bearer x:y",
    TEST_BEP20_IDLE_SECONDS: "10",
    TEST_BEP20_CHAIN_ID: "31337",
    TEST_BEP20_USDT_CONTRACT: "0x55d398326f99059fF775485246999027B3197955",
    UNRELATED: "x",
  });
  assert.equal(config.publicUrl, "https://pay.example");
  assert.equal(config.paymentUrl, "https://p.example");
  assert.equal(config.databaseUrl, "postgres://u:p@db:5432/paylink");
  assert.equal(config.migrateDatabaseUrl, "postgresql://m:p@db/paylink");
  assert.deepEqual([config.dataDir, config.port, config.host], ["/srv/paylink", 8080, "0.0.0.0"]);
  assert.deepEqual(config.roles, new Set(["worker"]));
  assert.deepEqual(config.trustedProxies, ["10.0.0.0/8", "::1"]);
  assert.deepEqual(config.webhookAllowCidrs, ["127.0.0.0/8", "::1/128"]);
  assert.deepEqual([config.logLevel, config.fixedRates], ["debug", "usdt/usd=1,usd/ngn=1500"]);
  assert.deepEqual([config.quoteMinutes, config.confirmGraceHours], [5, 1]);
  assert.deepEqual(config.rateLimit, { perSecond: 5, burst: 10 });
  assert.equal(config.socketsPerAddress, 20_000);
  assert.deepEqual([config.deskLimitUsd, config.deskSpreadBps], [2_500, 150]);
  assert.equal(config.sandbox, true);
  assert.deepEqual(config.mail, {
    server: {
      host: "mail.example",
      port: 587,
      tls: "starttls",
      login: { user: "pay@example.com", pass: "p:/ss" },
    },
    from: { name: "Example payments", address: "pay@example.com" },
    publicUrl: "https://pay.example",
  });
  assert.deepEqual(config.networks, [
    {
      env: "test",
      network: "bep20",
      rpcUrls: ["http://127.0.0.1:8545", "https://other.example/key"],
      accountKey: TEST_KEY.publicExtendedKey,
      zmqUrl: null,
      rpcBudget: 15,
      rpcHeaders: [{}, { "x-api-key": "abc", authorization: "Bearer x:y" }],
      idleSeconds: 10,
      chainId: 31337,
      contracts: { usdt: "0x55d398326f99059ff775485246999027b3197955" },
    },
  ]);
});

test("reports every value out of its bounds at once, with its format and without the value", () => {
  const wrong = {
    ...{
      DATABASE_URL: "mysql://root:hunter2@db/x",
      PORT: "70000",
      PUBLIC_URL: "https://hunter2@pay.example",
    },
    PAYMENT_URL: "ftp://hunter2.example",
    ROLES: "web,hunter2",
    TRUSTED_PROXIES: "10.0.0.0/33",
    QUOTE_MINUTES: "0",
    CONFIRM_GRACE_HOURS: "-1",
    LIVE_BEP20_RPC_URL: "ws://hunter2",
    LIVE_BEP20_XPUB: "xpubhunter2",
  };
  const problems = problemsOf({ SECRET_KEY, ...wrong });
  assert.deepEqual(problems.map((line) => line.split(" ")[0]).sort(), Object.keys(wrong).sort());
  assert.equal(problems.join("\n").includes("hunter2"), false);
  assert.ok(problems.includes("PORT must be a whole number from 1 to 65535"));
});

test("a live network asks for DATABASE_URL, or for the embedded PostgreSQL by name", () => {
  const live = { SECRET_KEY, LIVE_SOLANA_RPC_URL: "http://127.0.0.1:1" };
  const mayStart = (more: object) => readConfig({ SECRET_KEY, ...more }).mayStartEmbedded;
  assert.deepEqual(
    [
      mayStart({ TEST_SOLANA_RPC_URL: "http://127.0.0.1:1" }),
      mayStart(live),
      mayStart({ ...live, EMBEDDED: "yes" }),
    ],
    [true, false, true],
  );
  assert.throws(() => startDatabase(readConfig(live), pino({ level: "silent" })), /DATABASE_URL is required/);
  assert.deepEqual(problemsOf({ SECRET_KEY, EMBEDDED: "no" }), ["EMBEDDED must be yes, or absent"]);
});

test("mail is off without SMTP_URL, and reads the three schemes with their ports", () => {
  const MAIL_FROM = "pay@example.com";
  const read = (SMTP_URL: string) => readConfig({ SECRET_KEY, MAIL_FROM, SMTP_URL }).mail?.server ?? null;
  assert.equal(read(""), null);
  assert.deepEqual(read("smtps://[::1]"), { host: "::1", port: 465, tls: "implicit", login: null });
  assert.deepEqual(read("smtp://a"), { host: "a", port: 587, tls: "starttls", login: null });
  assert.deepEqual(read("smtp+plain://a:1025/"), { host: "a", port: 1025, tls: "none", login: null });
  assert.deepEqual(problemsOf({ SECRET_KEY, SMTP_URL: "smtp://a" }), ["MAIL_FROM is required with SMTP_URL"]);
  for (const SMTP_URL of [
    "smtp://a?proxy=x",
    "smtp://a/b",
    "smtp://:secret@a",
    "smtp://%zz@a",
    "mail.example",
  ]) {
    assert.match(problemsOf({ SECRET_KEY, MAIL_FROM, SMTP_URL }).join(), /^SMTP_URL must be/, SMTP_URL);
  }
  for (const wrong of [
    "a",
    "A <a@b.example>, c@d.example",
    "a@b.example\r\nBcc: c@d.example",
    "A <a@localhost>",
  ]) {
    assert.match(problemsOf({ SECRET_KEY, MAIL_FROM: wrong }).join(), /^MAIL_FROM must be/, wrong);
  }
});

test("an empty variable counts as absent, and SECRET_KEY is required", () => {
  assert.deepEqual(problemsOf({ SECRET_KEY: "", PORT: " ", DATABASE_URL: "" }), [
    "SECRET_KEY is required: at least 32 random characters, for example from `openssl rand -base64 32`",
  ]);
  assert.equal(problemsOf({ PORT: "x" }).length, 2);
  assert.equal(readCommandConfig({ PORT: "" }).secretKey, null);
});

test("rejects a misspelled variable, a variable of another network, and an unknown network", () => {
  assert.deepEqual(
    problemsOf({
      SECRET_KEY,
      LIVE_SOLANA_XPUB: "x",
      LIVE_DOGECOIN_CHAIN: "main",
      TEST_BEP20_RPCURL: "http://127.0.0.1:1",
      TEST_BEP20_ZMQ_URL: "tcp://127.0.0.1:1",
      LIVE_BEP2_XPUB: "x",
      TEST_POSTGRES_URL: "postgres://fine",
    }),
    [
      "LIVE_SOLANA_XPUB is not a variable of solana",
      "LIVE_DOGECOIN_CHAIN cannot be set: another chain or another token is for the test environment (TEST_…)",
      "TEST_BEP20_RPCURL is not a variable of bep20",
      "TEST_BEP20_ZMQ_URL is not a variable of bep20",
      "LIVE_BEP2_XPUB names no network (bitcoin, erc20, bep20, trc20, solana, xrp, base, litecoin, dogecoin)",
    ],
  );
});

test("the console is at the root of the public host, which has a name", () => {
  const consoleUrlOf = (PUBLIC_URL: string) => readConfig({ SECRET_KEY, PUBLIC_URL }).consoleUrl;
  assert.equal(consoleUrlOf("https://pay.example.com"), "https://pay.example.com/console");
  assert.equal(consoleUrlOf("http://127.0.0.1:3000"), "http://localhost:3000/console");
  const own = { SECRET_KEY, PUBLIC_URL: "https://pay.example.com", CONSOLE_PORT: "3001" };
  assert.equal(readConfig(own).consoleUrl, "http://localhost:3001/console");
  assert.equal(
    readConfig({ ...own, CONSOLE_URL: "https://desk.example/" }).consoleUrl,
    "https://desk.example/console",
  );
  assert.equal(readConfig({ ...own, CONSOLE: "off" }).consolePort, null);
  assert.throws(() => readConfig({ ...own, PORT: "3001" }), /CONSOLE_PORT must be another port than PORT/);
  assert.throws(
    () => readConfig({ ...own, CONSOLE_URL: "https://desk.example/here" }),
    /CONSOLE_URL must be an origin/,
  );
});

test("PUBLIC_URL has no path: pages, API and socket are at the root of its host", () => {
  const read = (PUBLIC_URL: string) => readConfig({ SECRET_KEY, PUBLIC_URL }).publicUrl;
  assert.equal(read("https://pay.example.com/"), "https://pay.example.com");
  for (const wrong of ["https://example.com/pay", "https://example.com/a/"])
    assert.throws(() => read(wrong), /PUBLIC_URL must be an origin without a path/);
});

test("with DATABASE_DIRECT_URL, DATABASE_URL is for the queries of web and worker alone", () => {
  const [pooled, direct] = ["postgres://u:p@127.0.0.1:6432/paylink", "postgres://u:p@db:5432/paylink"];
  const both = readConfig({ SECRET_KEY, DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct });
  assert.deepEqual([both.databaseUrl, both.pooledDatabaseUrl], [direct, pooled]);
  const one = readConfig({ SECRET_KEY, DATABASE_URL: direct });
  assert.deepEqual([one.databaseUrl, one.pooledDatabaseUrl], [direct, null]);
  assert.throws(
    () => readConfig({ SECRET_KEY, DATABASE_DIRECT_URL: direct }),
    /DATABASE_URL is required with DATABASE_DIRECT_URL/,
  );
  assert.throws(
    () => readConfig({ SECRET_KEY, DATABASE_READ_URL: direct }),
    /DATABASE_URL is required with DATABASE_READ_URL/,
  );
});
