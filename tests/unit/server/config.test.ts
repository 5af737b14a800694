import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { Wallet } from "xrpl";
import { ConfigError, readCommandConfig, readConfig, VARIABLE_NAMES } from "#lib/server/config.ts";
import { NETWORK_VARIABLE_NAMES } from "#lib/server/network-config.ts";

const master = HDKey.fromMasterSeed(new Uint8Array(64).fill(7));
const LIVE_KEY = master.derive("m/44'/60'/0'");
const TEST_KEY = master.derive("m/44'/60'/1'");
const SECRET_KEY = "0123456789abcdef0123456789abcdef";

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

test("bitcoin and litecoin take Electrum servers, all of one kind and encrypted outside the private network", () => {
  const problemsOf = (name: string, url: string) => {
    try {
      readConfig({ SECRET_KEY, [name]: url });
      return "none";
    } catch (error) {
      return String((error as Error).message);
    }
  };
  const servers = "electrum+tls://a.example:50002, electrum+tls://b.example:50002";
  assert.equal(problemsOf("LIVE_BITCOIN_RPC_URL", servers), "none");
  assert.equal(problemsOf("TEST_LITECOIN_RPC_URL", "electrum+tcp://127.0.0.1:50001"), "none");
  for (const url of [
    "electrum+tcp://a.example:50001",
    "electrum+tls://a.example:50002,http://127.0.0.1:8332",
    "electrum+tls://a.example",
  ]) {
    assert.match(
      problemsOf("LIVE_BITCOIN_RPC_URL", url),
      /LIVE_BITCOIN_RPC_URL must be http or https URLs, or/,
      url,
    );
  }
  assert.match(
    problemsOf("LIVE_DOGECOIN_RPC_URL", servers),
    /LIVE_DOGECOIN_RPC_URL must be http or https URLs, sep/,
  );
});

test("every variable except SECRET_KEY has a default", () => {
  assert.deepEqual(readConfig({ SECRET_KEY }), {
    databaseUrl: null,
    migrateDatabaseUrl: null,
    consoleUrl: "http://localhost:3000/console",
    consolePort: null,
    dataDir: "./data/demo",
    port: 3000,
    host: "127.0.0.1",
    publicUrl: "http://localhost:3000",
    paymentUrl: "http://localhost:3000/pay",
    secretKey: SECRET_KEY,
    previousSecretKeys: [],
    settlementApprovers: new Map(),
    roles: new Set(["web", "worker"]),
    trustedProxies: [],
    webhookAllowCidrs: [],
    logLevel: "info",
    networks: [],
    fixedRates: null,
    walletConnect: null,
    openExchangeRatesAppId: null,
    quoteMinutes: 20,
    confirmGraceHours: 24,
    webhookEventDays: 90,
    rateLimit: { perSecond: 100, burst: 200 },
    socketsPerAddress: 1_000,
    deskLimitUsd: 1_000_000,
    draftLanguages: [],
    sandbox: false,
    drainSeconds: 0,
    operationsPort: null,
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
    DRAFT_LANGUAGES: "ha, pcm",
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
  assert.equal(config.deskLimitUsd, 2_500);
  assert.deepEqual(config.draftLanguages, ["ha", "pcm"]);
  assert.equal(config.sandbox, true);
  assert.deepEqual(config.mail, {
    server: {
      ...{ host: "mail.example", port: 587, tls: "starttls" },
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

test("refuses headers that are not one entry for each node, or not legal", () => {
  const urls = "http://127.0.0.1:1,http://127.0.0.1:2";
  for (const headers of [
    "X-Key: a",
    "X-Key: a,,",
    "X-Key: a,X-Key",
    "X Key: a,",
    "X-Key: ,",
    "X-Key: \u00e4,",
    "X-Key: a\nHost: b,",
    "Content-Type: text/plain,",
    "Host: example.com,",
    "X-Key: a; x-key: b,",
  ]) {
    const problems = problemsOf({ SECRET_KEY, LIVE_TRC20_RPC_URL: urls, LIVE_TRC20_RPC_HEADERS: headers });
    assert.equal(problems.length, 1, headers);
    assert.match(problems[0] ?? "", /^LIVE_TRC20_RPC_HEADERS must have one entry for each URL/);
  }
  assert.deepEqual(
    problemsOf({ SECRET_KEY, LIVE_TRC20_RPC_URL: urls, LIVE_TRC20_RPC_HEADERS: ",X-Key: a" }),
    [],
  );
});

test("reads a URL of TRON's HTTP API for each node, on that network only", () => {
  const of = (walletUrl: string) => ({
    SECRET_KEY,
    TEST_TRC20_XPUB: TEST_KEY.publicExtendedKey,
    TEST_TRC20_RPC_URL: "http://127.0.0.1:1,http://127.0.0.1:2",
    TEST_TRC20_WALLET_URL: walletUrl,
  });
  const { networks } = readConfig(of("http://127.0.0.1:3, http://127.0.0.1:4/wallet"));
  assert.deepEqual(networks[0]?.walletUrls, ["http://127.0.0.1:3", "http://127.0.0.1:4/wallet"]);
  for (const wrong of [
    "http://127.0.0.1:3",
    "http://u:p@127.0.0.1:3,http://127.0.0.1:4",
    "tcp://a:1,tcp://b:2",
  ])
    assert.match(problemsOf(of(wrong))[0] ?? "", /^TEST_TRC20_WALLET_URL must be one http or https URL/);
  const other = { SECRET_KEY, TEST_BEP20_WALLET_URL: "http://127.0.0.1:3" };
  assert.match(problemsOf(other)[0] ?? "", /^TEST_BEP20_WALLET_URL is not a variable of bep20/);
});

test("reports every wrong variable at once, with its format and without its value", () => {
  const wrong = {
    SECRET_KEY: "hunter2",
    SECRET_KEY_PREVIOUS: "hunter2",
    DATABASE_URL: "mysql://root:hunter2@db/x",
    MIGRATE_DATABASE_URL: "hunter2",
    PORT: "70000",
    PUBLIC_URL: "https://hunter2@pay.example",
    PAYMENT_URL: "ftp://hunter2.example",
    ROLES: "web,hunter2",
    TRUSTED_PROXIES: "10.0.0.0/33",
    WEBHOOK_ALLOW_CIDRS: "localhost",
    LOG_LEVEL: "hunter2",
    FIXED_RATES: "usdt/usd=hunter2",
    QUOTE_MINUTES: "0",
    CONFIRM_GRACE_HOURS: "-1",
    RATE_LIMIT: "hunter2",
    SOCKETS_PER_ADDRESS: "hunter2",
    SANDBOX: "hunter2",
    OPERATIONS_PORT: "hunter2",
    METRICS_TOKEN: "hunter2",
    SMTP_URL: "http://hunter2",
    MAIL_FROM: "hunter2",
    LIVE_BEP20_RPC_URL: "ws://hunter2",
    LIVE_BEP20_XPUB: "xpubhunter2",
    LIVE_BITCOIN_ZMQ_URL: "hunter2",
    LIVE_BEP20_RPC_BUDGET: "hunter2",
    LIVE_BEP20_RPC_HEADERS: "hunter2",
    LIVE_BEP20_CHAIN_ID: "hunter2",
    LIVE_BEP20_USDT_CONTRACT: "0xhunter2",
    LIVE_ERC20_CONFIRMATIONS: "hunter2",
    LIVE_ERC20_TOKENS: "hunter2",
  };
  const problems = problemsOf(wrong);
  assert.deepEqual(problems.map((line) => line.split(" ")[0]).sort(), Object.keys(wrong).sort());
  assert.equal(problems.join("\n").includes("hunter2"), false);
  assert.ok(problems.includes("PORT must be a whole number from 1 to 65535"));
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

test("enables a network only with its node and its account key", () => {
  const both = { TEST_BEP20_RPC_URL: "http://127.0.0.1:1", TEST_BEP20_XPUB: TEST_KEY.publicExtendedKey };
  const on = (env: Record<string, string>) =>
    readConfig({ SECRET_KEY, ...env }).networks.map(({ env, network }) => `${env} ${network}`);
  assert.deepEqual(on(both), ["test bep20"]);
  assert.deepEqual(on({ TEST_BEP20_RPC_URL: both.TEST_BEP20_RPC_URL }), []);
  assert.deepEqual(on({ TEST_BEP20_XPUB: both.TEST_BEP20_XPUB }), []);
});

test("configures bitcoin like the others, with a push address and any key format of its wallet", () => {
  const account = master.derive("m/84'/1'/0'");
  const vpub = new HDKey({
    versions: { private: 0x045f18bc, public: 0x045f1cf6 },
    publicKey: account.publicKey!,
    chainCode: account.chainCode!,
    depth: account.depth,
    index: account.index,
    parentFingerprint: account.parentFingerprint,
  }).publicExtendedKey;
  assert.match(vpub, /^vpub/);
  const { networks } = readConfig({
    SECRET_KEY,
    TEST_BITCOIN_RPC_URL: "http://user:password@127.0.0.1:18443/wallet/x",
    TEST_BITCOIN_XPUB: vpub,
    TEST_BITCOIN_ZMQ_URL: "tcp://127.0.0.1:28332",
  });
  assert.equal(networks.length, 1);
  assert.partialDeepStrictEqual(networks, [
    {
      env: "test",
      network: "bitcoin",
      rpcUrls: ["http://user:password@127.0.0.1:18443/wallet/x"],
      accountKey: vpub,
      zmqUrl: "tcp://127.0.0.1:28332",
      chainId: null,
      contracts: {},
    },
  ]);
  const [problem = ""] = problemsOf({ SECRET_KEY, LIVE_BITCOIN_XPUB: vpub });
  assert.match(problem, /^LIVE_BITCOIN_XPUB must be the extended public key .*m\/84'\/0'\/0'/);
});

test("rejects a private key with a warning and does not print it", () => {
  const [problem = "", ...rest] = problemsOf({ SECRET_KEY, LIVE_BEP20_XPUB: LIVE_KEY.privateExtendedKey });
  assert.deepEqual(rest, []);
  assert.match(problem, /^LIVE_BEP20_XPUB holds a PRIVATE key.*It was not stored/);
  assert.equal(problem.includes(LIVE_KEY.privateExtendedKey.slice(0, 12)), false);
});

test("rejects an account key with a wrong checksum or of another level", () => {
  const good = LIVE_KEY.publicExtendedKey;
  const mistyped = good.slice(0, -1) + (good.endsWith("a") ? "b" : "a");
  assert.match(
    problemsOf({ SECRET_KEY, LIVE_BEP20_XPUB: mistyped })[0] ?? "",
    /must be the extended public key/,
  );
  const below = LIVE_KEY.deriveChild(0).publicExtendedKey;
  assert.match(problemsOf({ SECRET_KEY, LIVE_BEP20_XPUB: below })[0] ?? "", /not of a level above or below/);
});

test("rejects the same account key in live and test, in any format", () => {
  const respelled = new HDKey({
    publicKey: LIVE_KEY.publicKey!,
    chainCode: LIVE_KEY.chainCode!,
    depth: 3,
    index: 0x8000_0005,
    parentFingerprint: 1,
  }).publicExtendedKey;
  assert.notEqual(respelled, LIVE_KEY.publicExtendedKey);
  for (const shared of [LIVE_KEY.publicExtendedKey, respelled]) {
    assert.deepEqual(
      problemsOf({ SECRET_KEY, LIVE_BEP20_XPUB: LIVE_KEY.publicExtendedKey, TEST_BEP20_XPUB: shared }),
      ["TEST_BEP20_XPUB must not be the key of LIVE_BEP20_XPUB: live and test never share an account key"],
    );
  }
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
      "LIVE_DOGECOIN_CHAIN is not a variable of dogecoin",
      "TEST_BEP20_RPCURL is not a variable of bep20",
      "TEST_BEP20_ZMQ_URL is not a variable of bep20",
      "LIVE_BEP2_XPUB names no network (bitcoin, erc20, bep20, trc20, solana, xrp, base, litecoin, dogecoin)",
    ],
  );
});

test("confirmation tiers ascend, are 1 to 1000 blocks and end with *, where confirmations are counted", () => {
  const tiersOf = (text: string) =>
    readConfig({
      SECRET_KEY,
      LIVE_BASE_RPC_URL: "http://127.0.0.1:1",
      LIVE_BASE_XPUB: LIVE_KEY.publicExtendedKey,
      LIVE_BASE_CONFIRMATIONS: text,
    }).networks[0]?.confirmations;
  assert.deepEqual(tiersOf("100:1, 10000:2,*:20"), [
    { upToUsd: 100, blocks: 1 },
    { upToUsd: 10_000, blocks: 2 },
    { upToUsd: null, blocks: 20 },
  ]);
  assert.deepEqual(tiersOf(" * : 1000 "), [{ upToUsd: null, blocks: 1_000 }]);
  assert.equal(tiersOf(""), undefined);
  const wrong = "must be blocks (1 to 1000) by USD, ascending, such as 100:1, 10000:2, *:6; the last for *";
  const ordered = [
    "100:1",
    "*:20,100:30",
    "*:20,*:30",
    "200:1,100:2,*:20",
    "100:1,100:2,*:20",
    "100:30,*:20",
  ];
  const formed = ["100", "*:0", "*:1001", "0:1,*:20", "-1:1,*:20", "1.5:1,*:20", "100:1,,*:20", "*:2e1"];
  for (const text of [...ordered, ...formed]) {
    const problems = problemsOf({ SECRET_KEY, LIVE_BASE_CONFIRMATIONS: text });
    assert.deepEqual(problems, [`LIVE_BASE_CONFIRMATIONS ${wrong}`], text);
  }
  assert.deepEqual(problemsOf({ SECRET_KEY, TEST_LITECOIN_CONFIRMATIONS: "100:1,*:5" }), [
    "TEST_LITECOIN_CONFIRMATIONS must have at least 6 blocks for *: with fewer litecoin is not safe",
  ]);
  assert.deepEqual(problemsOf({ SECRET_KEY, TEST_LITECOIN_CONFIRMATIONS: "100:1,*:6" }), []);
  assert.deepEqual(problemsOf({ SECRET_KEY, LIVE_BEP20_CONFIRMATIONS: "*:20" }), [
    "LIVE_BEP20_CONFIRMATIONS cannot be set: on bep20 payments count when their block is final, whatever the amount",
  ]);
});

test("traces are read on EVM networks where the operator says so", () => {
  const given = {
    SECRET_KEY,
    TEST_BASE_RPC_URL: "http://127.0.0.1:1",
    TEST_BASE_XPUB: TEST_KEY.publicExtendedKey,
  };
  const tracesOf = (more: object) => readConfig({ ...given, ...more }).networks[0]?.traces;
  assert.deepEqual([tracesOf({}), tracesOf({ TEST_BASE_TRACES: "on" })], [undefined, true]);
  assert.deepEqual(problemsOf({ ...given, TEST_BASE_TRACES: "1" }), [
    "TEST_BASE_TRACES must be on, or absent",
  ]);
  assert.deepEqual(problemsOf({ SECRET_KEY, LIVE_TRC20_TRACES: "on" }), [
    "LIVE_TRC20_TRACES is not a variable of trc20",
  ]);
});

test("a network's tokens are some of those that it has in the environment", () => {
  const node = { SECRET_KEY, TEST_BASE_RPC_URL: "http://127.0.0.1:1" };
  const given = (more: object) => ({ ...node, TEST_BASE_XPUB: TEST_KEY.publicExtendedKey, ...more });
  const tokensOf = (more: object) => readConfig(given(more)).networks[0]?.tokens;
  const TEST_BASE_USDT_CONTRACT = "0x55d398326f99059fF775485246999027B3197955";
  assert.equal(tokensOf({}), undefined);
  assert.deepEqual(tokensOf({ TEST_BASE_TOKENS: " ETH" }), ["eth"]);
  assert.deepEqual(tokensOf({ TEST_BASE_TOKENS: "usdt", TEST_BASE_USDT_CONTRACT }), ["usdt"]);
  const must = "must be tokens of the network, separated by commas";
  for (const TEST_BASE_TOKENS of ["usdt", "eth,btc", ",", "eth,"]) {
    assert.deepEqual(problemsOf(given({ TEST_BASE_TOKENS })), [`TEST_BASE_TOKENS ${must}: eth, usdc`]);
  }
  assert.deepEqual(
    problemsOf({ SECRET_KEY, LIVE_ERC20_USDT_CONTRACT: TEST_BASE_USDT_CONTRACT, LIVE_ERC20_TOKENS: "shib" }),
    [`LIVE_ERC20_TOKENS ${must}: eth, usdt`],
    "a configured contract drops the others",
  );
  assert.deepEqual(problemsOf({ SECRET_KEY, LIVE_BITCOIN_TOKENS: "btc" }), [
    "LIVE_BITCOIN_TOKENS is not a variable of bitcoin",
  ]);
});

test("a node alone enables solana; its chain and mint are checked, and it has no key", () => {
  const mint = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
  const node = { SECRET_KEY, TEST_SOLANA_RPC_URL: "http://127.0.0.1:8899" };
  const config = readConfig({ ...node, TEST_SOLANA_CHAIN: "development", TEST_SOLANA_USDT_CONTRACT: mint });
  const { networks } = config;
  assert.deepEqual(
    networks.map(({ env, network, accountKey, chain, contracts }) => [
      env,
      network,
      accountKey,
      chain,
      contracts,
    ]),
    [["test", "solana", "", "development", { usdt: mint }]],
  );
  assert.deepEqual(
    problemsOf({
      ...node,
      TEST_SOLANA_XPUB: LIVE_KEY.publicExtendedKey,
      TEST_SOLANA_CHAIN: "mainnet-beta",
      TEST_SOLANA_USDT_CONTRACT: "0x55d398326f99059ff775485246999027b3197955",
    }),
    [
      "TEST_SOLANA_XPUB is not a variable of solana",
      "TEST_SOLANA_CHAIN must be one of devnet, testnet, development",
      "TEST_SOLANA_USDT_CONTRACT must be a mint's address, base58",
    ],
  );
});

test(".env.example lists exactly the variables that are read, and sets none", () => {
  const text = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => /^[A-Z]/.test(line));
  assert.deepEqual(
    lines.sort(),
    [...VARIABLE_NAMES, ...NETWORK_VARIABLE_NAMES].map((name) => `${name}=`).sort(),
  );
});

test("an account enables xrp; rejects its secret, any other text, and one account in both environments", () => {
  const TEST_XRP_RPC_URL = "http://127.0.0.1:5005";
  const { classicAddress: account, seed } = Wallet.generate();
  // One that starts like a private extended key.
  const like = "rPrV3Bnj6SeKPWeMfxoUi5D3tbsAnLvGe";
  assert.equal(readConfig({ SECRET_KEY, TEST_XRP_RPC_URL, TEST_XRP_ACCOUNT: like }).networks.length, 1);
  const { networks } = readConfig({ SECRET_KEY, TEST_XRP_RPC_URL, TEST_XRP_ACCOUNT: account });
  assert.deepEqual(
    networks.map(({ network, accountKey }) => [network, accountKey]),
    [["xrp", account]],
  );
  assert.match(problemsOf({ SECRET_KEY, TEST_XRP_ACCOUNT: seed! })[0]!, /^TEST_XRP_ACCOUNT holds a SECRET. /);
  assert.equal(problemsOf({ SECRET_KEY, TEST_XRP_ACCOUNT: seed! }).join().includes(seed!), false);
  for (const text of [`${account}x`, LIVE_KEY.publicExtendedKey]) {
    assert.deepEqual(problemsOf({ SECRET_KEY, TEST_XRP_ACCOUNT: text }), [
      "TEST_XRP_ACCOUNT must be the classic address (r…) of the account that receives",
    ]);
  }
  assert.deepEqual(problemsOf({ SECRET_KEY, LIVE_XRP_ACCOUNT: account, TEST_XRP_ACCOUNT: account }), [
    "TEST_XRP_ACCOUNT must not be the key of LIVE_XRP_ACCOUNT: live and test never share an account key",
  ]);
  assert.deepEqual(problemsOf({ SECRET_KEY, TEST_XRP_XPUB: "x" }), [
    "TEST_XRP_XPUB is not a variable of xrp",
  ]);
});

test("the console is at the root of the public host, which has a name", () => {
  const consoleUrlOf = (PUBLIC_URL: string) => readConfig({ SECRET_KEY, PUBLIC_URL }).consoleUrl;
  assert.equal(consoleUrlOf("https://pay.example.com/shop"), "https://pay.example.com/console");
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
