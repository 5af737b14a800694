import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { adapterInstructions } from "#app/pay/[refid]/adapter-instructions.ts";
import type { PaymentPair } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { log } from "#tests/support/watched-chain.ts";

const ROOT = HDKey.fromMasterSeed(new Uint8Array(32).fill(1));
const ETH: PaymentPair = { network: "erc20", token: "eth" };
const USDT: PaymentPair = { network: "erc20", token: "usdt" };

test("the page of a coin warns that payments by contracts are not seen, the page of a token does not", () => {
  const warns = (traces: boolean, pair: PaymentPair) => {
    const { publicExtendedKey: accountKey } = ROOT.derive("m/44'/60'/0'");
    const config = {
      env: "test",
      network: "erc20",
      rpcUrls: ["http://127.0.0.1:9"],
      accountKey,
      traces,
    } as const;
    const networks = openNetworks([{ ...config, zmqUrl: null, chainId: null, contracts: {} }], { log });
    return adapterInstructions(networks, "test").missesContracts(pair);
  };
  assert.deepEqual([warns(false, ETH), warns(false, USDT)], [true, false]);
  assert.equal(warns(true, ETH), false, "traces show what contracts move");
  assert.equal(warns(false, { network: "bep20", token: "bnb" }), false, "the network is off");
});
