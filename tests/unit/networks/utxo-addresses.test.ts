import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { Address, NETWORK, TEST_NETWORK } from "@scure/btc-signer";
import fc from "fast-check";
import { canonicalAddress, keyHashEncoder } from "#lib/networks/utxo/address.ts";
import { chooseChain, utxoNetwork } from "#lib/networks/utxo/chains.ts";
import { deriveSegwitAddresses } from "#lib/networks/utxo/derive-address.ts";

const BITCOIN = utxoNetwork("bitcoin");
const MAIN = chooseChain(BITCOIN, "live", null);
const TESTNET = chooseChain(BITCOIN, "test", null);
const REGTEST = chooseChain(BITCOIN, "test", "regtest");

const MNEMONIC =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const VERSIONS = { xpub: 0x0488b21e, zpub: 0x04b24746, ypub: 0x049d7cb2, tpub: 0x043587cf, vpub: 0x045f1cf6 };

/** The account key at a path below BIP84's mnemonic, spelled with other version bytes. */
function accountKey(path: string, form: keyof typeof VERSIONS): string {
  const versions = { public: VERSIONS[form], private: 0x0488ade4 };
  return HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC), versions).derive(path).publicExtendedKey;
}

const live = { env: "live", hrp: "bc", purposePath: "84'/0'" } as const;

test("the addresses of BIP84's account are those of BIP84, from each spelling of its key", () => {
  for (const form of ["xpub", "zpub"] as const) {
    const derive = deriveSegwitAddresses(accountKey("m/84'/0'/0'", form), live);
    assert.deepEqual(derive(0), {
      address: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
      path: "m/84'/0'/0'/0/0",
    });
    assert.deepEqual(derive(1), {
      address: "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g",
      path: "m/84'/0'/0'/0/1",
    });
  }
});

test("a test key may be spelled as of the test chains, and its path names the account that it is of", () => {
  const test = { env: "test", hrp: "bcrt", purposePath: "84'/1'" } as const;
  const derived = (["xpub", "zpub", "tpub", "vpub"] as const).map((form) =>
    deriveSegwitAddresses(accountKey("m/84'/1'/7'", form), test)(3),
  );
  assert.equal(new Set(derived.map(({ address }) => address)).size, 1);
  assert.ok(derived[0]?.address.startsWith("bcrt1q"));
  assert.equal(derived[0]?.path, "m/84'/1'/7'/0/3");
});

test("keys of another kind, environment or level, and private ones, are refused without being repeated", () => {
  const privateKey = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC)).derive(
    "m/84'/0'/0'",
  ).privateExtendedKey;
  const refused = [
    accountKey("m/84'/0'/0'", "ypub"),
    accountKey("m/84'/0'/0'", "tpub"),
    accountKey("m/84'/0'/0'", "vpub"),
    accountKey("m/84'/0'", "xpub"),
    accountKey("m/84'/0'/0'/0", "xpub"),
    accountKey("m/84'/0'/0'", "zpub").replace(/.$/, "1"),
    privateKey,
    "",
  ];
  for (const key of refused) {
    assert.throws(
      () => deriveSegwitAddresses(key, live),
      (error: Error) => key === "" || !error.message.includes(key),
    );
  }
});

/** BIP350, "Test vectors for v0-v16 native segregated witness addresses". */
const VALID = [
  ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", MAIN],
  ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", TESTNET],
  ["bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y", MAIN],
  ["BC1SW50QGDZ25J", MAIN],
  ["bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", MAIN],
  ["tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy", TESTNET],
  ["tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c", TESTNET],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", MAIN],
] as const;

const INVALID = [
  "tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
  "tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf",
  "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL",
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
  "tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
  "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4",
  "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R",
  "bc1pw5dgrnzv",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
  "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
  "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
  "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j",
  "bc1gmk9yu",
];

test("BIP350's valid addresses are kept in lower case, and are of their own chain only", () => {
  for (const [address, chain] of VALID) {
    assert.equal(canonicalAddress(address, chain), address.toLowerCase());
    for (const other of [MAIN, TESTNET, REGTEST]) {
      if (other !== chain) assert.equal(canonicalAddress(address, other), null);
    }
  }
});

test("BIP350's invalid addresses are no addresses", () => {
  for (const address of INVALID) {
    for (const chain of [MAIN, TESTNET, REGTEST]) assert.equal(canonicalAddress(address, chain), null);
  }
});

test("legacy and P2SH addresses are addresses of their chain, as long as their checksum holds", () => {
  const hash = new Uint8Array(20).fill(0x5a);
  for (const type of ["pkh", "sh"] as const) {
    const main = Address(NETWORK).encode({ type, hash });
    const test = Address(TEST_NETWORK).encode({ type, hash });
    assert.equal(canonicalAddress(main, MAIN), main);
    assert.equal(canonicalAddress(test, TESTNET), test);
    assert.equal(canonicalAddress(test, REGTEST), test);
    assert.equal(canonicalAddress(main, TESTNET), null);
    assert.equal(canonicalAddress(test, MAIN), null);
    assert.equal(canonicalAddress(main.toLowerCase(), MAIN), null);
    assert.equal(canonicalAddress(`${main.slice(0, -1)}${main.endsWith("2") ? "3" : "2"}`, MAIN), null);
  }
  for (const text of ["", "1", "bc1", " bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "0x00"]) {
    assert.equal(canonicalAddress(text, MAIN), null);
  }
});

test("every key hash is written as the library writes it, wherever it stands in the bytes", () => {
  const encoders = [MAIN, TESTNET, REGTEST].map(({ hrp }) => ({ hrp, encode: keyHashEncoder(hrp) }));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat(50), (hash, at) => {
      const bytes = Buffer.concat([Buffer.alloc(at, 0xee), hash, Buffer.alloc(3, 0xdd)]);
      for (const { hrp, encode } of encoders) {
        const expected = Address({ ...NETWORK, bech32: hrp }).encode({ type: "wpkh", hash });
        assert.equal(encode(bytes, at), expected);
      }
    }),
  );
});

test("live is on the main chain alone, test on any other that is named", () => {
  assert.equal(chooseChain(BITCOIN, "live", null).name, "main");
  assert.throws(() => chooseChain(BITCOIN, "live", "regtest"));
  assert.equal(chooseChain(BITCOIN, "test", null).name, "testnet4");
  assert.equal(chooseChain(BITCOIN, "test", "signet").hrp, "tb");
  assert.throws(() => chooseChain(BITCOIN, "test", "main"));
});
