import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { Wallet } from "xrpl";
import { readConfig } from "#lib/server/config.ts";
import { LIVE_KEY, master, problemsOf, SECRET_KEY, TEST_KEY } from "./config-problems.ts";

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

test("another chain and other tokens are for the test environment: live money is the network's own", () => {
  const cannot = "cannot be set: another chain or another token is for the test environment (TEST_…)";
  const wanted = {
    LIVE_BEP20_CHAIN_ID: "97",
    LIVE_XRP_CHAIN_ID: "1",
    LIVE_BITCOIN_CHAIN: "testnet4",
    LIVE_SOLANA_USDT_CONTRACT: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
  };
  assert.deepEqual(
    problemsOf({ SECRET_KEY, ...wanted }),
    Object.keys(wanted).map((name) => `${name} ${cannot}`),
  );
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
    problemsOf({ SECRET_KEY, TEST_ERC20_USDT_CONTRACT: TEST_BASE_USDT_CONTRACT, TEST_ERC20_TOKENS: "shib" }),
    [`TEST_ERC20_TOKENS ${must}: eth, usdt`],
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

test("an account enables xrp; rejects its secret, any other text, and one account in both environments", () => {
  const TEST_XRP_RPC_URL = "http://127.0.0.1:5005";
  const { classicAddress: account, seed } = Wallet.generate();
  // An account that starts like a private extended key.
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
