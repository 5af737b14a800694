import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { chooseExplorer, openNetworks } from "#lib/chains/registry.ts";

const explorerOf = (network: NetworkCode, config: Partial<NetworkConfig> = {}) =>
  chooseExplorer(NETWORKS[network], { env: "test", chainId: null, contracts: {}, ...config })?.tx ?? null;

test("finds the explorer of a public test chain", () => {
  assert.equal(explorerOf("bep20"), "https://testnet.bscscan.com/tx/{tx}");
  assert.equal(explorerOf("trc20"), "https://nile.tronscan.org/#/transaction/{tx}");
  assert.equal(explorerOf("bitcoin"), "https://mempool.space/testnet4/tx/{tx}");
  assert.equal(explorerOf("bitcoin", { chain: "testnet4" }), "https://mempool.space/testnet4/tx/{tx}");
  assert.equal(explorerOf("bitcoin", { chain: "testnet3" }), "https://mempool.space/testnet/tx/{tx}");
  assert.equal(explorerOf("bitcoin", { chain: "signet" }), "https://mempool.space/signet/tx/{tx}");
  // Devnet has no USDT of its own.
  const contracts = { usdt: "a mint" };
  assert.equal(explorerOf("solana", { contracts }), "https://solscan.io/tx/{tx}?cluster=devnet");
});

test("finds none for a development chain", () => {
  assert.equal(explorerOf("bep20", { chainId: 31_337 }), null);
  assert.equal(explorerOf("bep20", { contracts: { usdt: "a contract" } }), null);
  assert.equal(explorerOf("trc20", { contracts: { usdt: "a contract" } }), null);
  assert.equal(explorerOf("bitcoin", { chain: "regtest" }), null);
  assert.equal(explorerOf("solana", { chain: "development" }), null);
});

test("an adapter is found by environment and network, with its explorer; the live one is always the network's", () => {
  const config = { network: "solana", rpcUrls: ["http://127.0.0.1:1"], accountKey: "" } as const;
  const none = { zmqUrl: null, chainId: null, contracts: {} };
  const networks = openNetworks([
    { ...config, ...none, env: "test", chain: "development" },
    { ...config, ...none, env: "live" },
  ]);
  assert.deepEqual([networks.all().length, networks.list("live").length], [2, 1]);
  assert.equal(networks.find("test", "bitcoin"), null);
  assert.equal(networks.find("test", "solana")?.data.explorer.test, null);
  assert.equal(networks.find("live", "solana")?.data.explorer.live?.tx, "https://solscan.io/tx/{tx}");
});
