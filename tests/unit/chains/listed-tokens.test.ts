import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { ETHEREUM, type EvmDialect } from "#lib/chains/evm/dialect.ts";
import { readEvmTokens } from "#lib/chains/evm/listed-tokens.ts";
import { type Env, findNetworkToken, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";

const CONTRACT = `0x${"12".repeat(20)}`;
const KEY = HDKey.fromMasterSeed(new Uint8Array(64).fill(9)).derive("m/44'/60'/0'").publicExtendedKey;
const codes = (data: NetworkData, env: Env) => {
  const { coin, contracts } = readEvmTokens(data, env, ETHEREUM);
  return [coin?.token ?? null, ...contracts.map(({ token }) => token)];
};

test("receives a token only in the environments where it has a contract", () => {
  assert.deepEqual(codes(NETWORKS.base, "live"), ["eth", "usdt", "usdc"]);
  assert.deepEqual(codes(NETWORKS.base, "test"), ["eth", "usdc"]);
  assert.deepEqual(codes(NETWORKS.erc20, "live"), ["eth", "usdt", "usdc", "shib", "busd", "comp"]);
  assert.deepEqual(codes(NETWORKS.erc20, "test"), ["eth", "usdt", "usdc"]);
  assert.deepEqual(
    [findNetworkToken(NETWORKS.base, "test", "usdt"), findNetworkToken(NETWORKS.base, "live", "btc")],
    [null, null],
  );
  assert.equal(findNetworkToken(NETWORKS.base, "test", "eth")?.decimals, 18);
});

test("rejects data without a received token, and a coin without a reader", () => {
  const nothing: NetworkData = { ...NETWORKS.base, tokens: {} };
  assert.throws(() => readEvmTokens(nothing, "live", ETHEREUM), /receives nothing/);
  const unread: EvmDialect = { ...ETHEREUM, native: null };
  assert.throws(() => readEvmTokens(NETWORKS.base, "live", unread), /nothing that reads eth/);
  const wrong: NetworkData = {
    ...NETWORKS.base,
    tokens: { usdt: { decimals: 6, contract: { live: "0x12", test: null } } },
  };
  assert.throws(() => readEvmTokens(wrong, "live", ETHEREUM), /no valid contract of usdt/);
});

test("uses only the configured contracts of a development chain, and its coin", () => {
  const open = (env: Env, contracts: Record<string, string>) => {
    const config = { env, network: "erc20", rpcUrls: ["http://127.0.0.1:9"], accountKey: KEY } as const;
    const opened = openNetworks([{ ...config, zmqUrl: null, chainId: null, contracts }]);
    return codes(opened.find(env, "erc20")!.data, env);
  };
  assert.deepEqual(open("live", {}), ["eth", "usdt", "usdc", "shib", "busd", "comp"]);
  assert.deepEqual(open("live", { usdt: CONTRACT }), ["eth", "usdt"]);
  assert.deepEqual(open("test", { shib: CONTRACT }), ["eth", "shib"]);
});

test("stores every EVM contract address in canonical form, each token once per network", () => {
  for (const data of [NETWORKS.bep20, NETWORKS.erc20, NETWORKS.base] satisfies NetworkData[]) {
    const listed = Object.values<NetworkData["tokens"][keyof NetworkData["tokens"]]>(data.tokens);
    const contracts = listed.flatMap((token) =>
      Object.values(token?.contract ?? {}).filter((text) => text !== null),
    );
    for (const contract of contracts) assert.equal(ETHEREUM.canonicalizeAddress(contract), contract);
    assert.equal(new Set(contracts).size, contracts.length);
  }
});
