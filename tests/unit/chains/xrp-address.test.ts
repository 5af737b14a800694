import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import fc from "fast-check";
import { classicAddressToXAddress, encodeSeed, Wallet, xAddressToClassicAddress } from "xrpl";
import {
  canonicalizeXrpAddress,
  decodeClassicAddress,
  decodeXAddress,
  encodeXAddress,
  LARGEST_TAG,
  looksLikeXrpSecret,
  toClassicAddress,
} from "#lib/chains/xrp/address.ts";

const WORDS = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

/** Examples that every library of the ledger is tested with (ripple-address-codec). */
const VECTORS = [
  [
    "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
    null,
    "X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ",
    "T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ",
  ],
  [
    "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
    1,
    "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu",
    "T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE",
  ],
  [
    "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
    14,
    "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS",
    "T719a5UwUCnEs54UsxG9CJYYDhwmFCvqXVCALUGJGSbNV3x",
  ],
  [
    "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf",
    4_294_967_295,
    "XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi",
    "TVE26TYGhfLC7tQDno7G8dGtxSkYQnXoy6kSDh6rZzApc69",
  ],
] as const;

test("encodes X-addresses as in the examples of the ledger's libraries", () => {
  for (const [account, tag, live, testing] of VECTORS) {
    for (const [env, text] of [
      ["live", live],
      ["test", testing],
    ] as const) {
      assert.equal(encodeXAddress({ account, tag }, env), text);
      assert.deepEqual(decodeXAddress(text, env), { account, tag });
      assert.equal(decodeXAddress(text, env === "live" ? "test" : "live"), null);
    }
  }
});

test("encodes and decodes any account and tag as the ledger's own library does", () => {
  const tags = fc.option(fc.integer({ min: 0, max: LARGEST_TAG }));
  const ids = fc.uint8Array({ minLength: 33, maxLength: 33 });
  fc.assert(
    fc.property(ids, tags, fc.boolean(), (key, tag, testing) => {
      const account = toClassicAddress(key);
      const env = testing ? "test" : "live";
      const text = encodeXAddress({ account, tag }, env);
      assert.equal(text, classicAddressToXAddress(account, tag ?? false, testing));
      assert.deepEqual(xAddressToClassicAddress(text), {
        classicAddress: account,
        tag: tag ?? false,
        test: testing,
      });
      assert.deepEqual(decodeXAddress(text, env), { account, tag });
      assert.equal(canonicalizeXrpAddress(text, env), text);
      assert.equal(canonicalizeXrpAddress(account, env), encodeXAddress({ account, tag: null }, env));
    }),
  );
});

test("derives the account that wallets show for a key", () => {
  const key = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS)).derive("m/44'/144'/0'/0/0").publicKey!;
  assert.equal(toClassicAddress(key), "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3");
  assert.equal(toClassicAddress(key), Wallet.fromMnemonic(WORDS).classicAddress);
});

test("rejects a wrong letter, another network, another kind of text and a tag that is too large", () => {
  const [account, , text] = VECTORS[1];
  const others = [
    `${text.slice(0, -1)}v`,
    text.toLowerCase(),
    text.slice(0, -1),
    `${text}1`,
    `${account.slice(0, -1)}8`,
    account.toUpperCase(),
    "rrrrrrrrrrrrrrrrrrrrrhoLvTx",
    "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "",
    "X",
    "r",
  ];
  for (const other of others) assert.equal(canonicalizeXrpAddress(other, "live"), null, other);
  // A 64-bit tag: the form reserves bytes for it, but nobody accepts it.
  const wide = "XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8zeUygYrCgrPh";
  assert.equal(canonicalizeXrpAddress(wide, "live"), null);
  for (const tag of [-1, 1.5, LARGEST_TAG + 1])
    assert.throws(() => encodeXAddress({ account, tag }, "live"), RangeError);
  assert.throws(() => encodeXAddress({ account: text, tag: 1 }, "live"));
});

test("distinguishes secrets of an account from its address", () => {
  const wallet = Wallet.fromMnemonic(WORDS);
  const seeds = [encodeSeed(new Uint8Array(16), "ed25519"), encodeSeed(new Uint8Array(16), "secp256k1")];
  for (const secret of [...seeds, Wallet.generate().seed!, wallet.privateKey, wallet.privateKey.slice(2)]) {
    assert.equal(looksLikeXrpSecret(secret), true, secret);
    assert.equal(decodeClassicAddress(secret), null);
  }
  assert.equal(looksLikeXrpSecret(wallet.classicAddress), false);
});
