import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { Address, NETWORK, TEST_NETWORK } from "@scure/btc-signer";
import fc from "fast-check";
import type { UtxoChain, UtxoData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { canonicalizeUtxoAddress } from "#lib/chains/utxo/address.ts";
import { getUtxoChain } from "#lib/chains/utxo/chains.ts";
import { deriveKeyHashAddresses } from "#lib/chains/utxo/derive-address.ts";
import { createKeyHashEncoder } from "#lib/chains/utxo/key-hash-scripts.ts";

const BITCOIN: UtxoData = NETWORKS.bitcoin.utxo;
const LITECOIN: UtxoData = NETWORKS.litecoin.utxo;
const DOGECOIN: UtxoData = NETWORKS.dogecoin.utxo;
const MAIN = getUtxoChain(BITCOIN, "live", null);
const TESTNET = getUtxoChain(BITCOIN, "test", null);
const REGTEST = getUtxoChain(BITCOIN, "test", "regtest");

const MNEMONIC =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
/** SLIP-132; dgub as in Dogecoin Core's chainparams.cpp. */
const VERSIONS = {
  xpub: 0x0488b21e,
  zpub: 0x04b24746,
  ypub: 0x049d7cb2,
  tpub: 0x043587cf,
  vpub: 0x045f1cf6,
  Ltub: 0x019da462,
  Mtub: 0x01b26ef6,
  ttub: 0x0436f6e1,
  dgub: 0x02facafd,
};

/** The account key at a path below BIP84's mnemonic, with other version bytes. */
function accountKey(path: string, form: keyof typeof VERSIONS): string {
  const versions = { public: VERSIONS[form], private: 0x0488ade4 };
  const key = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC), versions).derive(path).publicExtendedKey;
  assert.ok(key.startsWith(form), "the version bytes are those of the form");
  return key;
}

/** Reads keys of a network's chain and writes its addresses. */
function derivation(utxo: UtxoData, env: "live" | "test", purposePath: string, chain: string | null = null) {
  const encode = createKeyHashEncoder(utxo.script, getUtxoChain(utxo, env, chain));
  return { forms: utxo.accountKeys[env], purposePath, encode };
}
const live = derivation(BITCOIN, "live", "84'/0'");

test("derives the addresses of BIP84's account from each spelling of its key", () => {
  for (const form of ["xpub", "zpub"] as const) {
    const derive = deriveKeyHashAddresses(accountKey("m/84'/0'/0'", form), live);
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

test("accepts a test key in the spelling of test chains, and returns a path with its account", () => {
  const test = derivation(BITCOIN, "test", "84'/1'", "regtest");
  const derived = (["xpub", "zpub", "tpub", "vpub"] as const).map((form) =>
    deriveKeyHashAddresses(accountKey("m/84'/1'/7'", form), test)(3),
  );
  assert.equal(new Set(derived.map(({ address }) => address)).size, 1);
  assert.ok(derived[0]?.address.startsWith("bcrt1q"));
  assert.equal(derived[0]?.path, "m/84'/1'/7'/0/3");
});

test("rejects keys of another kind, environment or level and private keys, without repeating them", () => {
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
      () => deriveKeyHashAddresses(key, live),
      (error: Error) => key === "" || !error.message.includes(key),
    );
  }
});

/** The first addresses that wallets show for the mnemonic on the two other networks. */
const OTHERS = [
  {
    utxo: LITECOIN,
    path: "84'/2'",
    forms: ["xpub", "zpub", "Ltub"],
    refused: ["ypub", "Mtub", "tpub", "vpub", "ttub", "dgub"],
    addresses: ["ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh", "ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn"],
  },
  {
    utxo: DOGECOIN,
    path: "44'/3'",
    forms: ["xpub", "dgub"],
    refused: ["zpub", "ypub", "Ltub", "Mtub", "tpub", "vpub"],
    addresses: ["DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC", "DAcDAtJRztxBHyA6D6h8du1HguyTR43Mas"],
  },
] as const;

for (const { utxo, path, forms, refused, addresses } of OTHERS) {
  test(`derives the addresses of ${utxo.uriScheme} that other wallets show, from each spelling of its key`, () => {
    const given = derivation(utxo, "live", path);
    for (const form of forms) {
      const derive = deriveKeyHashAddresses(accountKey(`m/${path}/0'`, form), given);
      for (const [index, address] of addresses.entries()) {
        assert.deepEqual(derive(index), { address, path: `m/${path}/0'/0/${index}` });
        assert.equal(canonicalizeUtxoAddress(address, utxo.live), address);
      }
    }
    for (const form of refused) {
      assert.throws(() => deriveKeyHashAddresses(accountKey(`m/${path}/0'`, form), given), form);
    }
  });
}

test("stores litecoin's script addresses in the spelling of its node", () => {
  const hash = new Uint8Array(20).fill(0x5a);
  const spelled = (scriptHash: number) => Address({ ...NETWORK, scriptHash }).encode({ type: "sh", hash });
  const [written, old] = [spelled(0x32), spelled(0x05)];
  assert.ok(written.startsWith("M") && old.startsWith("3"));
  for (const text of [written, old]) assert.equal(canonicalizeUtxoAddress(text, LITECOIN.live), written);
  for (const chain of LITECOIN.test) {
    for (const text of [spelled(0x3a), spelled(0xc4)]) {
      assert.equal(canonicalizeUtxoAddress(text, chain), spelled(0x3a));
    }
  }
});

test("accepts an address only on networks with its version byte", () => {
  const chains = [BITCOIN, LITECOIN, DOGECOIN].map(({ live }) => live);
  const hash = new Uint8Array(20).fill(0x11);
  const owners = (text: string) => chains.map((chain) => canonicalizeUtxoAddress(text, chain) !== null);
  const key = ({ pubKeyHash }: UtxoChain) =>
    Address({ ...NETWORK, pubKeyHash }).encode({ type: "pkh", hash });
  assert.deepEqual(
    chains.map((chain) => owners(key(chain))),
    [
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ],
  );
  assert.deepEqual(owners(OTHERS[0].addresses[0]), [false, true, false]);
  // An address of the extension block: we cannot receive or send there.
  assert.deepEqual(owners(`ltcmweb1${"q".repeat(118)}`), [false, false, false]);
  assert.throws(() => createKeyHashEncoder("p2wpkh", DOGECOIN.live));
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

test("canonicalizes BIP350's valid addresses to lower case, on their own chain only", () => {
  for (const [address, chain] of VALID) {
    assert.equal(canonicalizeUtxoAddress(address, chain), address.toLowerCase());
    for (const other of [MAIN, TESTNET, REGTEST]) {
      if (other !== chain) assert.equal(canonicalizeUtxoAddress(address, other), null);
    }
  }
});

test("rejects BIP350's invalid addresses", () => {
  for (const address of INVALID) {
    for (const chain of [MAIN, TESTNET, REGTEST]) assert.equal(canonicalizeUtxoAddress(address, chain), null);
  }
});

test("accepts legacy and P2SH addresses of the chain with a valid checksum", () => {
  const hash = new Uint8Array(20).fill(0x5a);
  for (const type of ["pkh", "sh"] as const) {
    const main = Address(NETWORK).encode({ type, hash });
    const test = Address(TEST_NETWORK).encode({ type, hash });
    assert.equal(canonicalizeUtxoAddress(main, MAIN), main);
    assert.equal(canonicalizeUtxoAddress(test, TESTNET), test);
    assert.equal(canonicalizeUtxoAddress(test, REGTEST), test);
    assert.equal(canonicalizeUtxoAddress(main, TESTNET), null);
    assert.equal(canonicalizeUtxoAddress(test, MAIN), null);
    assert.equal(canonicalizeUtxoAddress(main.toLowerCase(), MAIN), null);
    assert.equal(
      canonicalizeUtxoAddress(`${main.slice(0, -1)}${main.endsWith("2") ? "3" : "2"}`, MAIN),
      null,
    );
  }
  for (const text of ["", "1", "bc1", " bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "0x00"]) {
    assert.equal(canonicalizeUtxoAddress(text, MAIN), null);
  }
});

test("encodes every key hash as the library does, at any offset", () => {
  const segwit = [MAIN, TESTNET, REGTEST, ...LITECOIN.test].map((chain) => ({
    hrp: chain.hrp ?? "",
    encode: createKeyHashEncoder("p2wpkh", chain),
  }));
  const base58 = [MAIN, TESTNET, DOGECOIN.live, ...DOGECOIN.test].map((chain) => ({
    pubKeyHash: chain.pubKeyHash,
    encode: createKeyHashEncoder("p2pkh", chain),
  }));
  // Leading zeros are a special case of base58.
  const hashes = fc.oneof(
    fc.uint8Array({ minLength: 20, maxLength: 20 }),
    fc.uint8Array({ minLength: 20, maxLength: 20 }).map((hash) => hash.fill(0, 0, 7)),
    fc.constant(new Uint8Array(20)),
  );
  fc.assert(
    fc.property(hashes, fc.nat(50), (hash, at) => {
      const bytes = Buffer.concat([Buffer.alloc(at, 0xee), hash, Buffer.alloc(3, 0xdd)]);
      for (const { pubKeyHash, encode } of base58) {
        const expected = Address({ ...NETWORK, pubKeyHash }).encode({ type: "pkh", hash });
        assert.equal(encode(bytes, at), expected);
      }
      for (const { hrp, encode } of segwit) {
        const expected = Address({ ...NETWORK, bech32: hrp }).encode({ type: "wpkh", hash });
        assert.equal(encode(bytes, at), expected);
      }
    }),
  );
});

test("uses the main chain in live, and any other named chain in test", () => {
  assert.equal(getUtxoChain(BITCOIN, "live", null).name, "main");
  assert.throws(() => getUtxoChain(BITCOIN, "live", "regtest"));
  assert.equal(getUtxoChain(BITCOIN, "test", null).name, "testnet4");
  assert.equal(getUtxoChain(BITCOIN, "test", "signet").hrp, "tb");
  assert.throws(() => getUtxoChain(BITCOIN, "test", "main"));
});
