import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { canonicalizeTronAddress, tronAddressFromHex, tronAddressToHex } from "#lib/chains/tron/address.ts";
import { openTronAdapter } from "#lib/chains/tron/tron-adapter.ts";
import { readNetworks } from "#lib/server/network-config.ts";

const WORDS = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));

/** From TRON's own documentation, and public tokens. */
const VECTORS = [
  ["TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL", "418840e6c55b9ada326d211d818c34a994aeced808"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"],
  ["TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf", "41eca9bc828a3005b9a3b909f2cc5c2a54794de05f"],
] as const;

function adapter(changes: Partial<NetworkConfig> = {}) {
  const config: NetworkConfig = {
    env: "live",
    network: "trc20",
    rpcUrls: ["http://127.0.0.1:9"],
    accountKey: ROOT.derive("m/44'/195'/0'").publicExtendedKey,
    zmqUrl: null,
    chainId: null,
    contracts: {},
    ...changes,
  };
  return openTronAdapter(config, NETWORKS.trc20);
}

for (const [base58, hex] of VECTORS) {
  test(`canonicalizes ${base58} from each of its forms`, () => {
    const evm = `0x${hex.slice(2)}`;
    const forms = [base58, hex, hex.toUpperCase(), `0x${hex}`];
    for (const form of forms) assert.equal(canonicalizeTronAddress(form), base58, form);
    for (const pasted of [evm, evm.toUpperCase().replace("X", "x")])
      assert.equal(canonicalizeTronAddress(pasted), null, "an address of Ethereum");
    assert.equal(adapter().addresses.display(base58), base58);
    assert.equal(tronAddressToHex(base58), evm);
    assert.equal(tronAddressFromHex(evm), base58);
  });
}

test("rejects text that is not a TRON address", () => {
  for (const text of [
    "",
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T",
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6",
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj60",
    "a614f803b6fd780986a42c78ec9c7f77e6ded13c",
    "42a614f803b6fd780986a42c78ec9c7f77e6ded13c",
    "41a614f803b6fd780986a42c78ec9c7f77e6ded1",
    // A wrong checksum in the upper and lower case of the hex form.
    "0xA614f803b6fd780986a42c78ec9c7f77e6ded13c",
    // A bitcoin address: base58check with another first byte.
    "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  ]) {
    assert.equal(canonicalizeTronAddress(text), null, text);
  }
});

test("rejects a private account key and an invalid contract", () => {
  const accountKey = ROOT.derive("m/44'/195'/0'").privateExtendedKey;
  assert.throws(() => adapter({ accountKey }), /private/);
  const wrong = {
    ...NETWORKS.trc20,
    tokens: { usdt: { decimals: 6, contract: { live: "T1", test: null } } },
  };
  const config: NetworkConfig = {
    ...adapter(),
    zmqUrl: null,
    chainId: null,
    contracts: {},
    rpcUrls: ["http://x"],
  };
  assert.throws(() => openTronAdapter(config, wrong), /no valid contract of usdt/);
});

test("accepts a contract in any form of an address", () => {
  const given = {
    TEST_TRC20_RPC_URL: "https://nile.trongrid.io",
    TEST_TRC20_XPUB: ROOT.derive("m/44'/195'/0'").publicExtendedKey,
  };
  for (const contract of VECTORS[2]) {
    const { networks, problems } = readNetworks({ ...given, TEST_TRC20_USDT_CONTRACT: contract });
    assert.deepEqual(problems, []);
    assert.equal(networks[0]?.contracts.usdt, contract);
  }
  const { problems } = readNetworks({ ...given, TEST_TRC20_USDT_CONTRACT: "TR7NHq" });
  assert.deepEqual(problems, ["TEST_TRC20_USDT_CONTRACT must be a contract address, T… or hex"]);
});
