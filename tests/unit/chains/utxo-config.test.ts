import assert from "node:assert/strict";
import { test } from "node:test";
import { readNetworks } from "#lib/server/network-config.ts";
import { BITCOIN_ACCOUNT_KEY } from "#tests/support/bitcoin-adapter.ts";

test("reads the test chain, testnet4 by default, and accepts none in live", () => {
  const given = {
    TEST_BITCOIN_RPC_URL: "http://u:p@127.0.0.1:18443",
    TEST_BITCOIN_XPUB: BITCOIN_ACCOUNT_KEY,
  };
  assert.equal(readNetworks(given).networks[0]?.chain, null);
  const named = readNetworks({ ...given, TEST_BITCOIN_CHAIN: "regtest" });
  assert.deepEqual([named.problems, named.networks[0]?.chain], [[], "regtest"]);
  assert.deepEqual(readNetworks({ ...given, TEST_BITCOIN_CHAIN: "main" }).problems, [
    "TEST_BITCOIN_CHAIN must be one of testnet4, testnet3, signet, regtest",
  ]);
  for (const [variable, chains] of [
    ["TEST_LITECOIN_CHAIN", "testnet4, regtest"],
    ["TEST_DOGECOIN_CHAIN", "testnet, regtest"],
  ] as const) {
    assert.deepEqual(readNetworks({ [variable]: "regtest" }).problems, []);
    assert.deepEqual(readNetworks({ [variable]: "bitcoind" }).problems, [
      `${variable} must be one of ${chains}`,
    ]);
  }
  assert.deepEqual(readNetworks({ LIVE_BITCOIN_CHAIN: "main" }).problems, [
    "LIVE_BITCOIN_CHAIN cannot be set: another chain or another token is for the test environment (TEST_…)",
  ]);
});
