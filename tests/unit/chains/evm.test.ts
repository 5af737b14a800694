import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import fc from "fast-check";
import { pino } from "pino";
import { privateKeyToAddress } from "viem/accounts";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";

const log = pino({ level: "silent" });
/** The test mnemonic that wallets and development nodes document with its addresses. */
const TEST_ROOT = HDKey.fromMasterSeed(
  mnemonicToSeedSync("test test test test test test test test test test test junk"),
);

function config(changes: Partial<NetworkConfig> = {}): NetworkConfig {
  return {
    env: "test",
    network: "bep20",
    rpcUrls: ["http://127.0.0.1:9"],
    accountKey: TEST_ROOT.derive("m/44'/60'/0'").publicExtendedKey,
    zmqUrl: null,
    chainId: null,
    contracts: {},
    ...changes,
  };
}

function adapter(changes: Partial<NetworkConfig> = {}) {
  return openNetworks([config(changes)], { log }).find("test", "bep20")!;
}

test("returns a path with the account of the key", () => {
  const accountKey = TEST_ROOT.derive("m/44'/60'/1'").publicExtendedKey;
  assert.equal(adapter({ accountKey }).addresses.derive(3).path, "m/44'/60'/1'/0/3");
});

test("derives from the public key the address of the private key at the same path", () => {
  const { derive } = adapter().addresses;
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), (index) => {
      const { privateKey } = TEST_ROOT.derive(`m/44'/60'/0'/0/${index}`);
      const expected = privateKeyToAddress(`0x${Buffer.from(privateKey!).toString("hex")}`);
      assert.equal(derive(index).address, expected.toLowerCase());
    }),
    { numRuns: 25 },
  );
});

test("returns one canonical form of an address and rejects a wrong checksum", () => {
  const { canonicalize } = adapter().addresses;
  const lower = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
  for (const form of [
    lower,
    "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    `0x${lower.slice(2).toUpperCase()}`,
  ]) {
    assert.equal(canonicalize(form), lower);
  }
  for (const text of ["0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266", lower.slice(2), `${lower}0`, "", "0x"]) {
    assert.equal(canonicalize(text), null, text);
  }
});

test("matches the published EIP-55 vectors", () => {
  const { display, canonicalize } = adapter().addresses;
  for (const address of [
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ]) {
    assert.equal(display(address.toLowerCase()), address);
    assert.equal(canonicalize(address), address.toLowerCase());
  }
});

test("coins that contracts send are missed without traces, and on TRON seen in the results of blocks", () => {
  assert.deepEqual(
    [{}, { traces: true }].map((changes) => adapter(changes).missesContracts),
    [true, false],
  );
  const accountKey = TEST_ROOT.derive("m/44'/195'/0'").publicExtendedKey;
  const tron = openNetworks([config({ network: "trc20", accountKey })], { log }).find("test", "trc20");
  assert.equal(tron?.missesContracts, false);
});
